# SPDX-License-Identifier: GPL-3.0-or-later
"""An outside engine as a bot: it is given the game's start, all moves and the clocks, and its answers are the bot's.

Each match has an engine process of its own, so an engine that hangs, dies or answers nonsense costs that match and no
other. The referee gets an invalid move as the engine wrote it.
"""

import re
import time
from collections.abc import Sequence

import chess
import chess.engine

from bots.bot import DECIDED, Answer, Bot, Match, Over, Reply, Resign, Turn
from bots.bridges.process import EngineFailed, EngineProcess
from bots.bridges.spec import Allowance, EngineSpec
from bots.bridges.stoppable import StoppableSearch
from engine.time_control import TimeControl

MARGIN = 0.05
"""Seconds subtracted from the clock that the engine gets, for the round trip to the arena."""

HELD_BACK = 0.1
"""The margin is no larger a part of the clock than this."""
PATIENCE = 10.0
"""Seconds after the end of an engine's time until the search fails, unless the match clock ends the match earlier."""
LONGEST = 3600.0
"""Seconds for a move without a limit of time."""


class EngineMaker:
    """Makes a bot for each match of one outside engine."""

    def __init__(self, spec: EngineSpec) -> None:
        self.spec = spec
        self.description = f"{spec.title}, an outside engine."
        self.version = ""
        """The engine's name; empty before the first query."""

    async def try_out(self) -> None:
        """Start the engine once, and query its name. Raises EngineFailed."""
        if not self.version:
            engine = await EngineProcess.start(self.spec)
            self.version = _version(engine.name, self.spec)
            await engine.close()

    def __call__(self) -> "EngineBot":
        """Return a new bot. Its engine starts with its match."""
        return EngineBot(self)


class EngineBot(Bot):
    """Plays chess as an outside engine does."""

    games = ("chess",)

    def __init__(self, maker: EngineMaker) -> None:
        self.name = maker.spec.title
        self.description = maker.description
        self.version = maker.version or "1"
        self._maker = maker
        self._spec = maker.spec
        self._engine: EngineProcess | None = None
        self._board = chess.Board()
        self._late = 0.0
        """Seconds of the clock that starting the engine may have cost."""
        self._per_move = False
        """Whether its clock is for each move alone."""
        self._search = StoppableSearch[chess.engine.PlayResult | str](self.name, EngineFailed)

    async def prepare(self, games: Sequence[str]) -> None:
        """See whether the engine works. Raises EngineFailed."""
        await self._maker.try_out()
        self.version = self._maker.version

    async def match_started(self, match: Match) -> None:
        """Start an engine for the match, and load the moves so far."""
        self._board = chess.Board(match.start)
        for move in (*match.opening, *(played.move for played in match.moves)):
            self._board.push_uci(move)
        control = None if match.time_control is None else TimeControl.parse(match.time_control)
        self._per_move = control is not None and control.of(match.seat).per_move
        await self._running()

    async def move(self, turn: Turn) -> Answer:
        """Return the engine's answer: a move, legal or not, or that it resigns.

        Raises EngineFailed when the engine died, hangs, or complains.
        """
        engine = await self._running()
        self._arrive(turn)
        limit, within = self._limit(turn)
        return self._answer(await self._search.result(engine.play(self._board, limit, turn.match), within))

    async def match_over(self, over: Over) -> None:
        """End the engine."""
        await self.close()

    def stop(self, match: int) -> None:
        """Stop the engine's search: its move is not needed any more."""
        self._search.stop()

    async def close(self) -> None:
        """End the engine, if one runs."""
        engine, self._engine = self._engine, None
        if engine is not None:
            await engine.close()

    async def _running(self) -> EngineProcess:
        if self._engine is None:
            began = time.monotonic()
            self._engine = await EngineProcess.start(self._spec)
            self._late = time.monotonic() - began
        return self._engine

    def _arrive(self, turn: Turn) -> None:
        """Go to the position of a turn; restart from that position if the turn does not follow."""
        if turn.last_move is not None and _place(self._board) != _place(turn.position):
            try:
                self._board.push_uci(turn.last_move)
            except ValueError:
                self._board = chess.Board(turn.position)
        if _place(self._board) != _place(turn.position):
            self._board = chess.Board(turn.position)

    def _limit(self, turn: Turn) -> tuple[chess.engine.Limit, float]:
        """Return the engine's time limits, and the seconds after which the search is given up."""
        late, self._late = self._late, 0.0
        allowance = _allowance(self._spec)
        if turn.clocks is None:
            seconds = allowance.seconds
            limit = chess.engine.Limit(time=seconds, nodes=allowance.nodes, depth=allowance.depth, clock_id=turn.match)
            return limit, LONGEST if seconds is None else seconds + PATIENCE
        clocks = [milliseconds / 1000 for milliseconds in turn.clocks]
        own = clocks[turn.seat]
        clocks[turn.seat] = told = max(0.001, own - late - min(MARGIN, HELD_BACK * own))
        if self._per_move:
            seconds = max(1, int(told)) if self._spec.language == "xboard" else told
            limit = chess.engine.Limit(seconds, allowance.depth, allowance.nodes, clock_id=turn.match)
            return limit, own + PATIENCE
        increment = turn.increment / 1000
        limit = chess.engine.Limit(
            nodes=allowance.nodes,
            depth=allowance.depth,
            white_clock=clocks[0],
            black_clock=clocks[1],
            white_inc=increment,
            black_inc=increment,
            remaining_moves=turn.moves_to_go,
            clock_id=turn.match,
        )
        return limit, own + PATIENCE

    def _answer(self, result: chess.engine.PlayResult | str) -> Answer:
        if isinstance(result, str):
            return result[:100]
        if result.resigned or result.move is None:
            return Resign()
        self._board.push(result.move)
        info = result.info
        pv = info.get("pv", [])
        score = info.get("score")
        return Reply(
            result.move.uci(),
            score=None if score is None else _points(score.relative),
            depth=info.get("depth"),
            nodes=info.get("nodes"),
            # a variation that begins with another move is dropped
            pv=[move.uci() for move in pv] if pv[:1] == [result.move] else (),
            offer_draw=result.draw_offered,
        )


def _points(score: chess.engine.Score) -> float:
    centipawns = score.score()
    if centipawns is None:
        return DECIDED if score > chess.engine.Cp(0) else -DECIDED
    return centipawns / 100


def _allowance(spec: EngineSpec) -> Allowance:
    """Return the limits in the units of the engine's language: xboard's ``st`` takes whole seconds."""
    allowance = spec.allowance
    if spec.language == "uci" or allowance.seconds is None:
        return allowance
    return Allowance(max(1, round(allowance.seconds)), allowance.nodes, allowance.depth)


def _place(position: chess.Board | str) -> list[str]:
    """Return placement, seat to move, castling and en passant; the counters of moves aside."""
    text = position.fen(en_passant="legal") if isinstance(position, chess.Board) else position
    return text.split()[:4]


def _version(name: str, spec: EngineSpec) -> str:
    """Return the identity for ratings: the engine's name, and the options that change its play."""
    told = " ".join(f"{name}={text}" for name, text in sorted(spec.options.items()))
    return re.sub(r"[^ -~]", "?", f"{name} {told}".strip())[:64]
