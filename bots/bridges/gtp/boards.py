# SPDX-License-Identifier: GPL-3.0-or-later
"""The games that GTP programs play: sizes, komi, and the commands that set up a position.

The texts of moves are those of the arena: "Q16", "f5", "pass".
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from engine.game import Game, State
from engine.games import find
from engine.games.go import notation
from engine.games.go.board import KOMI, SIDES, every_bit, unpack

COLOURS = ("black", "white")
"""GTP's names of seats 0 and 1."""

PASS = "pass"

SETUP_OTHELLO = "grhino-setup_board"
"""A command of gtp-rhino; GTP itself has none to set up a position of Othello."""

GO, OTHELLO = "Go", "Othello"
"""Names of games in ``list_games`` and ``set_game``."""


@dataclass(frozen=True, slots=True)
class GtpBoard:
    """What GTP needs to know of a game."""

    game: str
    """The arena's name of the game."""
    family: str
    size: int
    komi: float | None = None
    """None: the game has no komi."""


@cache
def boards() -> dict[str, GtpBoard]:
    """Return the games that GTP programs can play, by the arena's name; those of one family by size, largest first."""
    sides = sorted(SIDES.values(), reverse=True)
    found = [GtpBoard(f"go/{side}x{side}", GO, side, KOMI[side] / 2) for side in sides]
    found += [GtpBoard("othello", OTHELLO, 8), GtpBoard("othello/6x6", OTHELLO, 6)]
    return {board.game: board for board in found}


def board_of(family: str, size: int) -> GtpBoard | None:
    """Return the game of a family on a board of this size; None if the arena has none."""
    return next((board for board in boards().values() if (board.family, board.size) == (family, size)), None)


def setup(board: GtpBoard, position: str) -> list[str]:
    """Return the commands that set up a position on an empty board of Go, or on a board of Othello."""
    game = find(board.game)
    state = game.parse_position(position)
    if board.family == OTHELLO:
        stones, side = game.format_position(state).split()
        return [f"{SETUP_OTHELLO} {stones} {'b' if side == 'X' else 'w'}"]
    return list(_stones(game, state))


def _stones(game: Game, state: State) -> Iterator[str]:
    """Yield ``play`` commands for a position of Go; a ko or a pass comes last.

    Each chain grows from a stone beside a liberty of the position, so no stone is ever without a liberty and nothing is
    captured.
    """
    side = game.board.rows
    black, white, seat, passes, ko = unpack(state)
    colours = [int(black), int(white)]
    last = f"play {COLOURS[1 - seat]} {PASS}" if passes else ""
    if ko:
        # the stone that has just been captured there, and before it the stone that captured it
        place = 1 << (ko - 1)
        taker = notation.without_liberties(side, colours[1 - seat], colours[seat] | place)
        last = f"play {COLOURS[1 - seat]} {notation.name_of(side, taker.bit_length() - 1)}"
        colours[1 - seat] &= ~taker
        colours[seat] |= place
    for colour, own in enumerate(colours):
        reached = notation.near(side, every_bit(side) & ~(colours[0] | colours[1])) & own
        placed = 0
        while reached:
            yield from (f"play {COLOURS[colour]} {notation.name_of(side, bit)}" for bit in _bits(reached))
            placed |= reached
            reached = notation.near(side, placed) & own & ~placed
    if last:
        yield last


def _bits(stones: int) -> Iterator[int]:
    while stones:
        lowest = stones & -stones
        yield lowest.bit_length() - 1
        stones ^= lowest
