# SPDX-License-Identifier: GPL-3.0-or-later
"""The program of a WebAssembly bot: speaks the protocol in lines of JSON, as ``bots.bridges.program`` expects.

python -m bots.wasm.runner FILE [--instructions N]

With ``--instructions`` each move has that budget, and in a match by instructions that of its turn: then the bot sees no
clock. ``info.nodes`` of each move is the number of instructions that it used. Errors go to the error output; the exit
statuses are in ``ENDINGS``.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from arena.protocol import codec
from arena.protocol import messages as wire
from arena.protocol.codec import PROTOCOL
from arena.protocol.messages import LONGEST_TEXT
from arena.protocol.terminal import plain_line
from bots.wasm import abi
from bots.wasm.budget import Budget
from bots.wasm.endings import BAD_FILE, INSTRUCTIONS_USED_UP, TRAPPED, UNUSABLE
from bots.wasm.machine import InstructionsUsedUp, Machine, Trapped, WasmFailed, in_deep_thread, version, warn
from bots.wasm.process_limits import compiling, limit_process
from engine.time_control import parse_instructions

OUTPUT = sys.stdout


def main(given: Sequence[str] | None = None) -> int:
    """Play the match that the input describes; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bots.wasm.runner", description=main.__doc__)
    parser.add_argument("file", metavar="FILE", type=Path, help="the module: binary (.wasm) or text (.wat)")
    parser.add_argument(
        "--instructions", type=parse_instructions, metavar="N", help="budget of each move, for example 10M"
    )
    arguments = parser.parse_args(given)
    try:
        content = arguments.file.read_bytes()
    except OSError as error:
        warn(f"{arguments.file}: {error.strerror}")
        return BAD_FILE
    limit_process()
    try:
        in_deep_thread(lambda: play(_started(content), arguments.instructions))
    except WasmFailed as error:
        warn(plain_line(str(error)))
        return _status(error)
    return 0


def _started(content: bytes) -> Machine:
    with compiling():
        return Machine(content, warn)


def _status(error: WasmFailed) -> int:
    if isinstance(error, InstructionsUsedUp):
        return INSTRUCTIONS_USED_UP
    return TRAPPED if isinstance(error, Trapped) else UNUSABLE


def hello(machine: Machine) -> str:
    """Return the greeting of a module's bot. Raises WasmFailed."""
    games = [name.strip() for name in (machine.text(abi.GAMES) or "").split(",")]
    try:
        message = msgspec.convert(
            {
                "type": "hello",
                "protocol": PROTOCOL,
                "token": "-",
                "games": games,
                "version": machine.text(abi.VERSION) or machine.digest[:12],
                "software": f"wasmtime {version()}",
                "description": plain_line(machine.text(abi.DESCRIPTION) or "")[:LONGEST_TEXT],
            },
            wire.Hello,
        )
    except msgspec.ValidationError as error:
        raise WasmFailed(f"the bot's texts about itself cannot be used: {error}") from error
    fields = msgspec.to_builtins(message)
    del fields["token"]
    return msgspec.json.encode(fields).decode()


def play(machine: Machine, instructions: int | None) -> None:
    """Greet, and answer each message until the match is over or the input ends. Raises WasmFailed."""
    budget = Budget(instructions)
    _write(hello(machine))
    for line in sys.stdin.buffer:
        message = codec.from_arena(line.decode())
        if isinstance(message, wire.Turn):
            _write(codec.encode(_answer(machine, budget, message)))
        elif isinstance(message, wire.DrawOffered):
            _write(codec.encode(wire.AnswerDraw(message.match, machine.accepts_draw())))
        elif isinstance(message, wire.Error):
            warn(plain_line(f"{message.code}: {message.message}"))
        elif isinstance(message, wire.Over):
            return


def _answer(machine: Machine, budget: Budget, message: wire.Turn) -> wire.Move | wire.Resign:
    turn, limit = budget.turn(message)
    began = time.perf_counter()
    answer, used = machine.move(turn, limit)
    budget.spent(used, time.perf_counter() - began)
    if answer.move is None:
        return wire.Resign(message.match)
    if answer.offers_draw:
        _write(codec.encode(wire.OfferDraw(message.match)))
    counted = None if message.instructions is None else used
    return wire.Move(message.match, message.ply, turn.moves[answer.move], wire.Info(nodes=used), counted)


def _write(line: str) -> None:
    OUTPUT.write(line + "\n")
    OUTPUT.flush()


if __name__ == "__main__":
    sys.exit(main())
