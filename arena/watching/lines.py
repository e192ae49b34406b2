# SPDX-License-Identifier: GPL-3.0-or-later
"""Principal variations of a match, move by move with their squares and diagrams, for boards that play them."""

from collections.abc import Sequence
from functools import lru_cache

from arena.watching.positions import LegalMove
from engine.game import Game
from engine.games import find

LINE = 16
"""Maximum moves of a principal variation that are drawn."""

KEPT = 64
"""Cached lines."""


class LineMove(LegalMove, frozen=True):
    """A move of a principal variation."""

    diagram: str
    """The position after the move."""


def drawn_line(game: Game, start: str | None, moves: Sequence[str], pv: Sequence[str]) -> list[LineMove]:
    """Return the moves of a principal variation before the first illegal one, at most LINE.

    ``moves``: all moves of the match before the position of the variation. Raises ValueError if they are not legal.
    """
    return list(_drawn(game.name, start, tuple(moves), tuple(pv[:LINE])))


@lru_cache(KEPT)
def _drawn(name: str, start: str | None, moves: tuple[str, ...], pv: tuple[str, ...]) -> tuple[LineMove, ...]:
    game = find(name)
    position = game.look(game.start() if start is None else game.parse_position(start))
    for text in moves:
        position = game.play(position, game.parse_move(position, text))
    drawn = list[LineMove]()
    for text in pv:
        try:
            move = game.parse_move(position, text)
        except ValueError:
            break
        after = game.play(position, move)
        said = game.format_move(position.state, move) if game.spell is None else game.spell(position, move, after)
        squares = list(game.squares(position.state, move))
        drawn.append(LineMove(text, said, squares, game.diagram(after.state)))
        position = after
    return tuple(drawn)
