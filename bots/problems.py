# SPDX-License-Identifier: GPL-3.0-or-later
"""Test bots on problems: positions with best moves, or with moves to avoid.

Each problem is a match that starts at its position and that the other side resigns at once, so a bot learns nothing
from one problem for another. No clock runs; the bot uses its own time limit.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from functools import partial

from bots.bot import Bot, Resign, Turn
from bots.local import Entrant, Threads, play
from engine import games
from engine.formats import epd
from engine.formats.epd import Problem
from engine.game import Game
from engine.match.events import Info


@dataclass(frozen=True, slots=True)
class Attempt:
    """A bot's answer to a problem."""

    problem: Problem
    move: str | None
    """None when the bot found none."""
    info: Info | None
    """Its search info."""
    seconds: float | None = None
    """How long it thought; None when it failed."""
    failure: str = ""
    """Why there is no move."""

    @property
    def solved(self) -> bool:
        """Whether the move solves the problem: it is a best move, if best moves are given, and not a move to avoid. A
        mate is solved if the bot's principal variation ends in mate within the given number of moves (if the bot is
        mated: not in fewer moves).
        """
        if self.move is None or self.move in self.problem.avoid:
            return False
        if self.problem.mate is not None:
            return self._mates(self.problem.mate)
        return not self.problem.best or self.move in self.problem.best

    def _mates(self, moves: int) -> bool:
        line = self.info.pv if self.info else ()
        if line[:1] != (self.move,):
            return False
        game = games.find(epd.NAME)
        position = game.look(game.parse_position(self.problem.position))
        seat = position.to_move
        try:
            for text in line:
                position = game.play(position, game.parse_move(position, text))
        except ValueError:
            return False
        if moves > 0:
            return position.payoffs[seat] > position.payoffs[1 - seat] and len(line) <= 2 * moves - 1
        return position.payoffs[seat] < position.payoffs[1 - seat] and len(line) >= -2 * moves


class _Silent(Bot):
    """The other side, which resigns."""

    def move(self, turn: Turn) -> Resign:
        return Resign()


_OTHER = Entrant("", _Silent)


async def put(
    game: Game, problems: Iterable[Problem], entrant: Entrant, *, concurrency: int = 1
) -> AsyncIterator[Attempt]:
    """Put problems to a bot, ``concurrency`` at once, and yield its attempts in order; a forfeit counts as unsolved.

    Raises ValueError if a problem's position is invalid, or the game is over there.
    """
    with Threads(concurrency) as threads:
        attempts = [
            threads.submit(partial(_ask, game, problem, entrant, number)) for number, problem in enumerate(problems, 1)
        ]
        for attempt in attempts:
            yield await asyncio.wrap_future(attempt)


async def _ask(game: Game, problem: Problem, entrant: Entrant, number: int) -> Attempt:
    seat = game.look(game.parse_position(problem.position)).to_move
    entrants = (_OTHER, entrant) if seat else (entrant, _OTHER)
    times: dict[int, float] = {}
    match = await play(game, entrants, number=number, start=problem.position, thought=times.__setitem__)
    if match.moves:
        return Attempt(problem, match.moves[0].move, match.moves[0].info, times[seat])
    assert match.ending is not None, "play() ends matches"
    return Attempt(problem, None, None, None, f"{match.ending.termination} {match.ending.detail}".strip())
