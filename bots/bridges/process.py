# SPDX-License-Identifier: GPL-3.0-or-later
"""The process of an outside engine: starts it, speaks UCI or xboard's protocol with it, and ends it with its children.

python-chess parses the protocols; its gaps are filled here.
"""

import asyncio
import contextlib
import logging
import os
import signal
import sys
from asyncio.subprocess import PIPE
from collections.abc import Mapping
from typing import Self

import chess
import chess.engine

from bots.bridges.spec import ChessLanguage, EngineSpec
from bots.sandbox.process import leash

log = logging.getLogger(__name__)

LONGEST_LINE = 1 << 20
"""Bytes."""

# python-chess logs each line that it cannot parse; errors that matter end the match with a reason.
logging.getLogger(chess.engine.__name__).setLevel(logging.CRITICAL)


START_WITHIN = 10.0
"""Seconds until an engine must have sent its name."""

READY_WITHIN = 300.0
"""Seconds until it must then be ready: some compile, or load large files."""

QUIT_WITHIN = 1.0
"""Seconds until it must have ended after a stop command."""

_TRUTH = {"true": True, "on": True, "yes": True, "1": True, "false": False, "off": False, "no": False, "0": False}


class _Lines(chess.engine.Protocol):
    """Keeps the last move as the engine wrote it; ends an engine whose output has no line ends or breaks the parser."""

    answer = ""
    fault = ""

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        """Read the engine's output and error output."""
        try:
            super().pipe_data_received(fd, data)
        except Exception as error:
            self._give_up(f"it wrote what cannot be read: {type(error).__name__}: {error}")
        if len(self.buffer[fd]) > LONGEST_LINE:
            self._give_up(f"it wrote a line of more than {LONGEST_LINE:,} bytes")

    def line_received(self, line: str) -> None:
        """Note the move in a line that has one."""
        words = line.split(maxsplit=2)
        if len(words) > 1 and words[0] in {"bestmove", "move"}:
            self.answer = words[1]

    def error_line_received(self, line: str) -> None:
        """Log the engine's error output at debug level."""
        log.debug("engine: %s", line)

    def kill(self) -> None:
        """End the engine and the processes it started, now."""
        if self.transport is None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                self.transport.kill()
            else:
                # the engine leads a group of its own, in which its children may outlive it
                os.killpg(self.transport.get_pid(), signal.SIGKILL)

    def _give_up(self, fault: str) -> None:
        self.fault = self.fault or fault
        for buffer in self.buffer.values():
            buffer.clear()
        self.kill()


class Uci(_Lines, chess.engine.UciProtocol):
    """UCI, as python-chess speaks it."""


class _Features(dict[str, int | str]):
    """The features of an engine. python-chess requires two of these, which are optional here."""

    SPARED = frozenset({"ping", "setboard"})

    def __init__(self) -> None:
        super().__init__(dict.fromkeys(self.SPARED, 1))
        self.said: dict[str, int | str] = {}

    def __setitem__(self, name: str, value: int | str) -> None:
        self.said[name] = value
        if name not in self.SPARED:
            super().__setitem__(name, value)


QUERIES = 5
"""Queries for features. The library waits for two seconds after each; an engine may take longer to start."""


class XBoard(_Lines, chess.engine.XBoardProtocol):
    """xboard's protocol, version 2. An engine without ``ping`` is taken to be ready when its move is there; one without
    ``setboard`` plays from the usual start only.
    """

    def __init__(self) -> None:
        super().__init__()
        self._features = _Features()
        self.features = self._features

    async def initialize(self) -> None:
        """Query the engine's features. Raises EngineError if it reports none."""
        for _ in range(QUERIES):
            await super().initialize()
            if self._features.said:
                return
            self.initialized = False
        raise chess.engine.EngineError("it names no features, so it may not speak version 2 of xboard's protocol")

    def send_line(self, line: str) -> None:
        """Write a line. If the engine lacks ``ping``, answer it here; raises EngineError if it lacks ``setboard``."""
        word, _, rest = line.partition(" ")
        if word not in _Features.SPARED or self._features.said.get(word):
            super().send_line(line)
        elif word == "ping":
            self.loop.call_soon(self._answer_ping, rest)
        else:
            raise chess.engine.EngineError("it plays from the usual start only, as it does not know setboard")

    def _answer_ping(self, number: str) -> None:
        """Feed the answer to the parser as the engine's output, after any partial line."""
        self.buffer[1][:0] = f"pong {number}\n".encode()
        self.pipe_data_received(1, b"")


PROTOCOLS: Mapping[ChessLanguage, type[Uci] | type[XBoard]] = {"uci": Uci, "xboard": XBoard}


class EngineFailed(Exception):
    """The engine failed or violated its protocol; the message gives the reason."""


class EngineProcess:
    """A running engine. Belongs to the event loop that started it; ``close`` ends it in any state."""

    def __init__(self, spec: EngineSpec, protocol: Uci | XBoard) -> None:
        self._spec = spec
        self._protocol = protocol

    @classmethod
    async def start(cls, spec: EngineSpec) -> Self:
        """Start an engine and set its options. Raises EngineFailed if the command does not start an engine."""
        try:
            _, protocol = await PROTOCOLS["xboard" if spec.language == "xboard" else "uci"].popen(
                [*leash(), *spec.command], stdin=PIPE, stdout=PIPE, stderr=PIPE, start_new_session=True
            )
        except (OSError, ValueError) as error:
            raise EngineFailed(f"{spec.command[0]} cannot be started: {error}") from error
        engine = cls(spec, protocol)
        try:
            await engine._greet()
        except BaseException:
            await engine.end()
            raise
        return engine

    async def _greet(self) -> None:
        spec, protocol = self._spec, self._protocol
        try:
            async with asyncio.timeout(START_WITHIN):
                await protocol.initialize()
        except TimeoutError:
            message = f"it did not answer within {START_WITHIN:g} s, so it may not speak {spec.language}"
            raise EngineFailed(f"{spec.title}: {message}") from None
        except chess.engine.EngineError as error:
            raise EngineFailed(f"{spec.title}: {self._reason(error)}") from error
        try:
            async with asyncio.timeout(READY_WITHIN):
                await protocol.configure({name: self._value(name, text) for name, text in spec.options.items()})
                await protocol.ping()
        except TimeoutError:
            raise EngineFailed(f"{spec.title}: it did not get ready within {READY_WITHIN:g} s") from None
        except (chess.engine.EngineError, ValueError) as error:
            raise EngineFailed(f"{spec.title}: {self._reason(error)}") from error

    def _value(self, name: str, text: str) -> bool | str:
        """Parse the value of a check option; python-chess parses the others, and refuses unknown ones."""
        option = self._protocol.options.get(name)
        if option is None or option.type != "check":
            return text
        if text.lower() not in _TRUTH:
            raise ValueError(f"option {name} is true or false, not {text[:40]!r}")
        return _TRUTH[text.lower()]

    @property
    def name(self) -> str:
        """The engine's name."""
        return self._protocol.id.get("name", "").strip() or self._spec.title

    @property
    def alive(self) -> bool:
        """Whether its process still runs."""
        return not self._protocol.returncode.done() and not self._protocol.fault

    async def play(self, board: chess.Board, limit: chess.engine.Limit, match: int) -> chess.engine.PlayResult | str:
        """Return the engine's answer, or its text if it is not a legal move.

        On cancellation, stops the engine's search. Raises EngineFailed if the engine ended or did not understand.
        """
        protocol = self._protocol
        protocol.answer = ""
        try:
            result = await protocol.play(board, limit, game=match, info=chess.engine.INFO_ALL)
        except chess.engine.EngineError as error:
            if protocol.answer and error.args and isinstance(error.args[0], ValueError):
                return protocol.answer
            raise EngineFailed(f"{self._spec.title}: {self._reason(error)}") from error
        if result.move is None and not result.resigned:
            return protocol.answer or "(none)"
        return result

    async def close(self) -> None:
        """Let the engine quit, and end it when it does not at once."""
        try:
            if self.alive:
                async with asyncio.timeout(QUIT_WITHIN):
                    await self._protocol.quit()
        except (TimeoutError, OSError, chess.engine.EngineError):
            log.debug("%s did not quit", self._spec.title)
        finally:
            await self.end()

    async def end(self) -> None:
        """End the engine and the processes it started, now."""
        self._protocol.kill()
        try:
            async with asyncio.timeout(QUIT_WITHIN):
                await asyncio.shield(self._protocol.returncode)
        except TimeoutError:
            log.warning("%s cannot be ended", self._spec.title)
        finally:
            if self._protocol.transport is not None:
                self._protocol.transport.close()

    def _reason(self, error: Exception) -> str:
        return self._protocol.fault or str(error)
