# SPDX-License-Identifier: GPL-3.0-or-later
"""The program of an upload as a bot: its command, its sandbox, and its error output."""

import contextlib
import logging
import sys
from collections.abc import Callable
from pathlib import Path

from arena.protocol import messages as wire
from arena.protocol.codec import PROTOCOL
from arena.protocol.hosting import KEPT_ERRORS, UploadedProgram, UploadSeat
from arena.protocol.terminal import printable
from bots.bridges.program import ProgramMaker, ProgramSpec
from bots.data.endings import ENDINGS
from bots.hosted.forks import ForkServer, NoForkServer
from bots.sandbox import HOME, Found, Program, Running, SandboxLimits
from bots.sandbox.python import python_program
from bots.wasm.league import module_of
from bots.wasm.spec import wasm_program

log = logging.getLogger(__name__)

Errors = Callable[[int | None, str], None]
"""Called with the number of a match and the end of the program's error output in it, if there is any; None instead of
the number where the program only said hello."""


COMPILED_WITHIN = 3600.0
"""Seconds of its own time in which a slow machine compiles all games for a data bot."""


class NoSandbox(Exception):
    """The machine has no sandbox, which programs in machine code need; the message says why."""


def maker_of(
    uploaded: UploadedProgram,
    name: str,
    memory: int,
    found: Found,
    errors: Errors,
    forks: ForkServer | None = None,
) -> ProgramMaker:
    """Return the maker of bots that play as the program does. Raises NoSandbox.

    ``forks``: starts the programs of data bots; without it each loads numba for itself.
    """
    if uploaded.language == "data":
        spec = ProgramSpec(_program(uploaded, sandboxed=False, memory=memory), False, name)
        return DataMaker(spec, errors, Path(uploaded.folder) / uploaded.entry, forks)
    sandboxed = found.sandbox is not None
    if not sandboxed and uploaded.language != "wasm":
        why = "; ".join(found.reasons)
        raise NoSandbox(f"this server has no sandbox, so it runs no Python and no executables: {why}")
    program = _program(uploaded, sandboxed=sandboxed, memory=memory)
    maker = UploadedMaker(ProgramSpec(program, sandboxed, name), errors)
    maker.sandbox = found.sandbox
    return maker


def maker_for(seat: UploadSeat, memory: int, found: Found, errors: Errors, forks: ForkServer) -> ProgramMaker:
    """Return the maker for a bot that was validated: its program starts with its first match. Raises NoSandbox."""
    maker = maker_of(seat.program, seat.name, memory, found, errors, forks)
    maker.hello = wire.Hello(PROTOCOL, "-", seat.games, seat.label)
    return maker


def wasm_module(program: UploadedProgram) -> wire.Module | None:
    """Return the module of a WebAssembly bot, for matches by instructions; None for others, and without its file."""
    if program.language != "wasm":
        return None
    try:
        return module_of(Path(program.folder) / program.entry)
    except OSError:
        return None


def _program(uploaded: UploadedProgram, *, sandboxed: bool, memory: int) -> Program:
    folder, limits = Path(uploaded.folder), SandboxLimits(memory=memory)
    match uploaded.language:
        case "python":
            return python_program(uploaded.entry, folder, limits)
        case "executable":
            return Program((f"{HOME}/{uploaded.entry}",), folder, limits=limits)
        case "wasm":
            return wasm_program(folder / uploaded.entry, sandboxed=sandboxed, limits=limits)
        case "data":
            words = (sys.executable, "-I", "-m", "bots.data.runner", str(folder / uploaded.entry))
            return Program(words, folder, limits=limits, endings=ENDINGS)


class UploadedMaker(ProgramMaker):
    """Makes a bot for each match of an uploaded program."""

    def __init__(self, spec: ProgramSpec, errors: Errors) -> None:
        super().__init__(spec)
        self._tell_errors = errors

    def said(self, match: int | None, errors: str) -> None:
        """Pass on the error output of a match: it goes to the owner, not into the log of the server."""
        if errors.strip():
            kept = printable(errors).encode()[-KEPT_ERRORS:]
            self._tell_errors(match, kept.decode(errors="ignore"))


class DataMaker(UploadedMaker):
    """Makes a bot for each match of a data bot, which our own code plays outside the sandbox.

    The bot's clock runs while its program starts. So a process fills the cache of compiled code before the first match,
    and the programs of matches are copies of a process that has loaded numba.
    """

    def __init__(self, spec: ProgramSpec, errors: Errors, file: Path, forks: ForkServer | None) -> None:
        super().__init__(spec, errors)
        self._file = file
        self._forks = forks
        self.hello_within = COMPILED_WITHIN
        self._compiled = False

    async def try_out(self) -> wire.Hello:
        """Compile what the games of the file need; return the hello. Raises ProgramFailed."""
        if not self._compiled:
            known, self.hello = self.hello, None
            found = await super().try_out()
            self.hello = known or found
            self._compiled = True
            # the compiled code is the arena's
            self.own_seconds = 0.0
            if self._forks is not None:
                with contextlib.suppress(NoForkServer):
                    await self._forks.prepare()
        return await super().try_out()

    async def start(self, game: str = "") -> Running:
        """Start the program for a match of this game, or to try it out. Raises ProgramFailed."""
        if game and self._forks is not None:
            try:
                return await self._forks.start(self._file, game)
            except NoForkServer as error:
                log.warning("%s starts slowly: %s", self.spec.name, error)
        return await super().start(game)
