# SPDX-License-Identifier: GPL-3.0-or-later
"""A program as a bot: it reads the arena's messages as lines of JSON and writes its own, so it needs no network.

A match has a process of its own, optionally in a sandbox, where it is stopped while the opponent thinks. The messages
are those of the protocol (``arena.protocol.messages``). The program writes ``hello``, without a token, when it is ready
to play; it reads ``welcome``, ``match``, ``turn``, ``draw-offered``, ``error`` and ``over``; it writes ``move``,
``thinking``, ``resign``, ``offer-draw`` and ``answer-draw``.
"""

import asyncio
import contextlib
import logging
import shlex
import shutil
import sys
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from arena.protocol import codec
from arena.protocol import messages as wire
from arena.protocol.codec import PROTOCOL
from arena.protocol.errors import ErrorCode
from arena.protocol.terminal import plain_line
from bots.bot import Answer, Bot, Expected, Match, Over, Reply, Resign, Turn
from bots.bridges.stoppable import StoppableSearch
from bots.client.lines import GAME, LINES
from bots.sandbox import (
    HOME,
    MachineFailed,
    Program,
    ProgramFailed,
    Running,
    Sandbox,
    find,
    kernels,
    python_program,
    run_file,
    start_unprotected,
)
from bots.sandbox.limits import SYSTEM
from bots.thinking import think

log = logging.getLogger(__name__)

HELLO_WITHIN = 60.0
"""Seconds of its own time until a program must have written ``hello``: some compile, or load large files."""
OVER_WITHIN = 0.5
"""Seconds that a program has for itself after ``over``."""

MOST_UNEXPECTED = 100
"""Messages that a program may write before its answer, besides its search info."""

MOST_THINKING, PACE = 100, 0.05
"""Search infos of a turn that are read at once, and the seconds that each further one waits."""

_NOT_SENT = "-"
"""Stands in for the token, which a program does not have."""

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class ProgramSpec:
    """A program that plays, and whether a sandbox protects the machine from it."""

    program: Program
    sandboxed: bool
    name: str


def parse_program(text: str, *, sandboxed: bool = False) -> ProgramSpec:
    """Read a command as a shell would; the first word may be a Python file. ``sandbox=on`` may follow.

    The sandbox shows the directory of the program's file. Raises ValueError, with a message for people.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise ValueError(f"{text[:80]!r} cannot be split into words: {error}") from None
    if "sandbox=on" in words:
        words.remove("sandbox=on")
        sandboxed = True
    if not words:
        raise ValueError("program: needs the command that starts a program")
    number = next((number for number, word in enumerate(words[:2]) if _is_own_file(word)), None)
    if number is None:
        if sandboxed:
            raise ValueError(
                "sandbox=on needs a program file as the command or its first argument, because the sandbox shows only "
                f"the directory of that file (got {words[0]!r})"
            )
        if shutil.which(words[0]) is None:
            raise ValueError(f"there is no program {words[0]!r} that could be started")
        return ProgramSpec(Program(tuple(words), Path.cwd()), sandboxed, Path(words[0]).name)
    file = Path(words[number]).resolve()
    if number == 0 and file.suffix == ".py":
        if sandboxed:
            program = python_program(file)
        else:
            command = (sys.executable, "-P", run_file.__file__, str(file))
            program = Program(command, file.parent, endings=run_file.ENDINGS)
        program = replace(program, command=(*program.command, *words[1:]))
    else:
        words[number] = f"{HOME}/{file.name}" if sandboxed else str(file)
        program = Program(tuple(words), file.parent)
    return ProgramSpec(program, sandboxed, file.stem)


def _is_own_file(word: str) -> bool:
    """Return whether a word of a command is a file that the system has not installed."""
    path = Path(word)
    return path.is_file() and not any(Path(place) in path.parents for place in SYSTEM)


class ProgramMaker:
    """Makes a bot for each match of one program."""

    def __init__(self, spec: ProgramSpec) -> None:
        self.spec = spec
        self.hello: wire.Hello | None = None
        """The program's ``hello`` from its trial start."""
        self.hello_within = HELLO_WITHIN
        """Seconds of its own time until the program must have written ``hello`` when it is tried out."""
        self.sandbox: Sandbox | None = None
        """The sandbox of this machine, once it is known."""
        self.own_seconds = 0.0
        """Own time of all processes of the program that have ended: their starts, and moves that were timed."""
        self.machine_failure = ""
        """The reason of a failure that the machine may have caused."""

    async def try_out(self) -> wire.Hello:
        """Start the program once, and return its ``hello``. Raises ProgramFailed."""
        if self.hello is None:
            running = await self.start()
            try:
                self.hello = await greeting(running, self.hello_within)
            finally:
                await running.close()
                self.own_seconds += running.own_seconds
                self.said(None, running.errors)
        return self.hello

    async def start(self, game: str = "") -> Running:
        """Start the program for a match of this game, or to try it out. Raises ProgramFailed."""
        environment = {**self.spec.program.environment, LINES: "1", GAME: game}
        libraries = kernels.of_game(self.spec.program.libraries, game)
        program = replace(self.spec.program, environment=environment, libraries=libraries)
        if not self.spec.sandboxed:
            return await start_unprotected(program)
        if self.sandbox is None:
            found = await find()
            if found.sandbox is None:
                raise ProgramFailed(f"this machine has no sandbox: {'; '.join(found.reasons)}")
            self.sandbox = found.sandbox
        return await self.sandbox.start(program)

    def said(self, match: int | None, errors: str) -> None:
        """Take the error output of a process that has ended, and the match that it played; None: it played none.

        Only the owner may see it: an error report may hold secrets of the program.
        """
        for line in errors.splitlines():
            log.info("%s: %s", self.spec.name, plain_line(line))

    def __call__(self) -> "ProgramBot":
        """Return a new bot. Its process starts with its match."""
        return ProgramBot(self)


async def greeting(running: Running, within: float) -> wire.Hello:
    """Read the ``hello`` of a program, for which it has ``within`` seconds of its own time. Raises ProgramFailed."""
    try:
        line, _ = await running.within(within, running.read())
    except TimeoutError:
        raise ProgramFailed(f"it wrote no hello within {within:g} s") from None
    try:
        message = msgspec.json.decode(line)
        if not isinstance(message, dict) or message.get("type") != "hello":
            raise ValueError("the first line must be a hello")
        if "token" in message:
            raise ValueError("a program's hello has no token")
        hello = msgspec.convert({**message, "token": _NOT_SENT}, wire.Hello)
    except (ValueError, msgspec.ValidationError) as error:
        raise ProgramFailed(f"its hello cannot be read: {error}") from error
    if hello.protocol != PROTOCOL:
        raise ProgramFailed(f"it speaks version {hello.protocol} of the protocol; this is version {PROTOCOL}")
    return hello


class ProgramBot(Bot):
    """Plays as a program does."""

    def __init__(self, maker: ProgramMaker) -> None:
        self.name = maker.spec.name
        self._maker = maker
        self._running: Running | None = None
        self._match: int | None = None
        self._failure = ""
        """Why the program of this match has failed."""
        self._offers_draw = False
        self._search = StoppableSearch[Answer](self.name, ProgramFailed)
        self._describe()

    @property
    def pid(self) -> int | None:
        """The process that ends with the program; None if none runs."""
        return None if self._running is None else self._running.pid

    def _describe(self) -> None:
        hello = self._maker.hello
        if hello is not None:
            self.games = tuple(hello.games)
            self.version = hello.version
            self.description = hello.description
            self.open_info = hello.open_info

    async def prepare(self, games: Sequence[str]) -> None:
        """See whether the program works. Raises ProgramFailed."""
        await self._maker.try_out()
        self._describe()

    async def match_started(self, match: Match) -> None:
        """Start a process for the match, or send the running one the state of the match."""
        if self._running is None:
            with self._noting_failures():
                running = self._running = await self._maker.start(match.game)
                self._match = match.match
                hello = await greeting(running, HELLO_WITHIN)
            games = [game for game in hello.games if game == match.game]
            await self._send(wire.Welcome(PROTOCOL, "bot-arena", self.name, hello.version, games, [match.match]))
        with self._awake():
            await self._send(match)

    async def move(self, turn: Turn) -> Answer:
        """Return the program's answer. Raises ProgramFailed when it died or broke the protocol."""
        return await self._search.result(self._asked(turn, partial(self._answer, turn)))

    async def draw_offered(self, match: int) -> bool:
        """Return whether the program accepts. Raises ProgramFailed."""
        return await self._asked(wire.DrawOffered(match), _accepts)

    async def match_over(self, over: Over) -> None:
        """Tell the program, and end its process."""
        running = self._running
        if running is not None:
            with contextlib.suppress(ProgramFailed, TimeoutError), self._awake():
                await self._send(over)
                async with asyncio.timeout(OVER_WITHIN):
                    while True:
                        await running.read()
        await self.close()

    async def within(self, seconds: float | None, work: Coroutine[Any, Any, Value]) -> tuple[Value, float]:
        """Return the result of a coroutine that waits for the program, and the program's own time that passed.

        Raises TimeoutError once ``seconds`` of own time have passed, and ProgramFailed if no program runs, or where
        the machine kept it from running.
        """
        try:
            process = self._process
        except ProgramFailed:
            work.close()
            raise
        with self._noting_failures():
            return await process.within(seconds, work)

    def stop(self, match: int) -> None:
        """Stop waiting for the program's move."""
        self._search.stop()

    async def close(self) -> None:
        """End the process, if one runs."""
        running, self._running = self._running, None
        if running is not None:
            await running.close()
            self._maker.own_seconds += running.own_seconds
            # the reason too: a program that is killed writes nothing
            self._maker.said(self._match, "\n".join(filter(None, (running.errors.rstrip("\n"), self._failure))))

    async def _asked(self, question: wire.ArenaMessage, answer: Callable[[wire.BotMessage], Value | None]) -> Value:
        """Send a message, and read lines until one is an answer. Raises ProgramFailed."""
        with self._noting_failures(), self._awake():
            await self._send(question)
            thoughts = unexpected = 0
            while unexpected < MOST_UNEXPECTED:
                message = await self._read()
                if isinstance(message, wire.Thinking):
                    thoughts += 1
                    self._think(question, message)
                    if thoughts > MOST_THINKING:
                        await asyncio.sleep(PACE)  # a program that writes more waits for its reader
                    continue
                unexpected += 1
                if isinstance(message, wire.OfferDraw):
                    self._offers_draw = True
                elif (found := answer(message)) is not None:
                    return found
                else:
                    await self._send(wire.Error(ErrorCode.UNEXPECTED, "nothing waits for this message", self._match))
            raise ProgramFailed(f"{self.name} wrote {MOST_UNEXPECTED} unexpected messages")

    def _answer(self, turn: Turn, message: wire.BotMessage) -> Answer | None:
        match message:
            case wire.Move(match=turn.match, ply=turn.ply):
                offers, self._offers_draw = self._offers_draw, False
                info = message.info or wire.Info()
                expected = [Expected(one.move, one.probability) for one in info.expected]
                return Reply(
                    message.move,
                    info.score,
                    info.depth,
                    info.nodes,
                    info.pv,
                    offers,
                    expected,
                    message.instructions,
                    info.candidates,
                )
            case wire.Resign(match=turn.match):
                if message.failure:
                    raise ProgramFailed(f"{self.name} failed: {plain_line(message.failure)}")
                return Resign()
        return None

    def _think(self, question: wire.ArenaMessage, message: wire.Thinking) -> None:
        if isinstance(question, Turn) and (message.match, message.ply) == (question.match, question.ply):
            info = message.info
            think(question, Reply("-", info.score, info.depth, info.nodes, info.pv, expected=info.expected))

    async def _send(self, message: wire.ArenaMessage) -> None:
        await self._process.write(codec.encode(message).encode())

    async def _read(self) -> wire.BotMessage:
        line = await self._process.read()
        try:
            return codec.from_bot(line.decode())
        except (codec.Refusal, UnicodeDecodeError) as error:
            raise ProgramFailed(f"{self.name} wrote a line that is not a message: {plain_line(str(error))}") from error

    @property
    def _process(self) -> Running:
        if self._running is None:
            raise ProgramFailed(f"{self.name} does not run")
        return self._running

    @contextlib.contextmanager
    def _noting_failures(self) -> Iterator[None]:
        """Keep the reason of a failure for the error output of the match."""
        try:
            yield
        except ProgramFailed as error:
            self._failure = str(error)
            if isinstance(error, MachineFailed):
                self._maker.machine_failure = self._failure
            raise

    @contextlib.contextmanager
    def _awake(self) -> Iterator[None]:
        """Let the process run, and stop it afterwards if it is in a sandbox."""
        running = self._process
        if not self._maker.spec.sandboxed:
            yield
            return
        running.thaw()
        try:
            yield
        finally:
            if self._running is running:
                running.freeze()


def _accepts(message: wire.BotMessage) -> bool | None:
    return message.accept if isinstance(message, wire.AnswerDraw) else None
