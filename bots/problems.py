# SPDX-License-Identifier: GPL-3.0-or-later
"""Problems put to bots: positions in which a move is to be found or avoided.

Each is a match of its own that begins there and that the other side gives up at once, so nothing that a bot learned
from one problem helps it with another. No clock runs: how long it thinks is the bot's own affair.
"""

from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass

from bots.bot import Bot, Resign, Turn
from bots.local import Entrant, play
from engine.formats.epd import Problem
from engine.game import Game
from engine.match import Info


@dataclass(frozen=True, slots=True)
class Attempt:
    """What a bot made of a problem."""

    problem: Problem
    move: str | None
    """None when the bot found none."""
    info: Info | None
    """What it told of its search."""
    failure: str = ""
    """Why there is no move."""

    @property
    def solved(self) -> bool:
        """Whether the move is one of the best, where such are named, and none of those to be avoided."""
        if self.move is None or self.move in self.problem.avoid:
            return False
        return not self.problem.best or self.move in self.problem.best


class _Silent(Bot):
    """The other side, whom nobody asks for more."""

    def move(self, turn: Turn) -> Resign:
        return Resign()


_OTHER = Entrant("", _Silent)


async def put(game: Game, problems: Iterable[Problem], entrant: Entrant) -> AsyncIterator[Attempt]:
    """Ask a bot one problem after the other; what it does wrong counts as a problem not solved.

    Raises ValueError when a problem's position is none, or nothing is left to play there.
    """
    for number, problem in enumerate(problems, 1):
        seat = game.look(game.parse_position(problem.position)).to_move
        entrants = (_OTHER, entrant) if seat else (entrant, _OTHER)
        match = await play(game, entrants, number=number, start=problem.position)
        if match.moves:
            yield Attempt(problem, match.moves[0].move, match.moves[0].info)
        else:
            assert match.ending is not None, "play() ends matches"
            yield Attempt(problem, None, None, f"{match.ending.termination} {match.ending.detail}".strip())
