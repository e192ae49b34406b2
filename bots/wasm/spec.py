# SPDX-License-Identifier: GPL-3.0-or-later
"""The specification of a WebAssembly bot, ``wasm:FILE``, and the program that runs it. Imported without wasmtime.

Words may follow the file: ``instructions=10M`` gives each move that budget, ``sandbox=on`` runs the runner in the
sandbox of this machine, ``name=NAME`` names the bot.
"""

import shlex
import sys
from pathlib import Path

from bots.bridges.program import ProgramSpec
from bots.sandbox import HOME, Program, SandboxLimits
from bots.sandbox.python import interpreted
from bots.wasm.endings import ENDINGS
from engine.time_control import parse_instructions


def wasm_program(
    file: Path,
    *,
    instructions: int | None = None,
    sandboxed: bool = False,
    limits: SandboxLimits = SandboxLimits(),  # noqa: B008  # frozen, so no call can change it
) -> Program:
    """Return the program that plays as a module does. ``instructions``: the budget of each move, if it is fixed.

    wasmtime reserves 4 GiB of addresses, most of them unused: a limit of the address space, which sandboxes do not set,
    must be 8 GiB or more.
    """
    file = file.resolve()
    words = ["-m", "bots.wasm.runner", f"{HOME}/{file.name}" if sandboxed else str(file)]
    if instructions is not None:
        words += ["--instructions", str(instructions)]
    # otherwise a compiler that runs out of memory prints its whole stack
    environment = {"RUST_BACKTRACE": "0"}
    if sandboxed:
        return interpreted(
            words, file.parent, limits=limits, further=("wasmtime",), environment=environment, endings=ENDINGS
        )
    command = (sys.executable, "-I", *words)
    return Program(command, file.parent, environment=environment, limits=limits, endings=ENDINGS)


def parse_wasm(text: str) -> ProgramSpec:
    """Read what follows ``wasm:``. Raises ValueError, with a message for people."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise ValueError(f"{text[:80]!r} cannot be split into words: {error}") from None
    if not words:
        raise ValueError("wasm: needs a file")
    file = Path(words[0]).expanduser()
    if not file.is_file():
        raise ValueError(f"there is no file {file}")
    name, instructions, sandboxed = file.stem, None, False
    for word in words[1:]:
        match word.partition("="):
            case "instructions", "=", value:
                instructions = parse_instructions(value)
            case "sandbox", "=", "on":
                sandboxed = True
            case "name", "=", value if value:
                name = value
            case _:
                raise ValueError(
                    f"wasm:{file} can be followed by instructions=N, sandbox=on and name=NAME (got {word!r})"
                )
    return ProgramSpec(wasm_program(file, instructions=instructions, sandboxed=sandboxed), sandboxed, name)
