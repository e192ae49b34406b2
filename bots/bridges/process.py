# SPDX-License-Identifier: GPL-3.0-or-later
"""The process of an outside engine: starts it, speaks with it through python-chess, limits its output, and ends it with
all its child processes.
"""

import asyncio
import logging
from asyncio.subprocess import PIPE
from typing import Self

import chess
import chess.engine

from bots.bridges.languages import PROTOCOLS, Uci, XBoard
from bots.bridges.spec import EngineSpec
from bots.sandbox.process import leash

log = logging.getLogger(__name__)

START_WITHIN = 10.0
"""Seconds until an engine must have sent its name."""
READY_WITHIN = 300.0
"""Seconds until it must then be ready: some compile, or load large files."""
QUIT_WITHIN = 1.0
"""Seconds until it must have ended after a stop command."""

_TRUTH = {"true": True, "on": True, "yes": True, "1": True, "false": False, "off": False, "no": False, "0": False}


class EngineFailed(Exception):
    """The engine failed or violated its protocol; the message gives the reason."""


class EngineProcess:
    """A running engine. Belongs to the event loop that started it; ``close`` ends it in any state."""

    def __init__(self, spec: EngineSpec, protocol: Uci | XBoard) -> None:
        self._spec = spec
        self._protocol = protocol

    @classmethod
    async def start(cls, spec: EngineSpec) -> Self:
        """Start an engine and set its options. Raises EngineFailed when there is none behind the command."""
        try:
            _, protocol = await PROTOCOLS[spec.language].popen(
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
