# SPDX-License-Identifier: GPL-3.0-or-later
"""The engine protocols UCI and XBoard through python-chess: its parsers, and their gaps."""

import contextlib
import logging
import os
import signal
import sys
from collections.abc import Mapping

import chess.engine

from bots.bridges.spec import Language

log = logging.getLogger(__name__)

LONGEST_LINE = 1 << 20
"""Bytes."""

# It tells of each line that it cannot make sense of; how a match ends says what mattered.
logging.getLogger(chess.engine.__name__).setLevel(logging.CRITICAL)


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
        await super().initialize()
        if not self._features.said:
            raise chess.engine.EngineError("it names no features, so it may not speak version 2 of xboard's protocol")

    def send_line(self, line: str) -> None:
        """Write a line, or do without. Raises EngineError where that cannot be."""
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


PROTOCOLS: Mapping[Language, type[Uci] | type[XBoard]] = {"uci": Uci, "xboard": XBoard}
