# SPDX-License-Identifier: GPL-3.0-or-later
"""A slow, simple implementation of checkers, square by square, for comparison."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

Square = tuple[int, int]
"""Row and column; row 0 has the squares 1 to 4."""


class Draughts(NamedTuple):
    """``pieces``: letters b, B, w, W by square; ``mover``: "b" or "w"."""

    pieces: dict[Square, str]
    mover: str


def square(number: int) -> Square:
    row, place = divmod(number - 1, 4)
    return row, 2 * place + (1 - row % 2)


NUMBERS = {square(number): number for number in range(1, 33)}


def read(position: str) -> Draughts:
    """Read a PDN position."""
    mover, *sides = position.split(":")
    pieces = {}
    for side in sides:
        for item in filter(None, side[1:].split(",")):
            letter = side[0] if item[0] == "K" else side[0].lower()
            pieces[square(int(item.lstrip("K")))] = letter
    return Draughts(pieces, mover.lower())


def write(game: Draughts) -> str:
    """Write a PDN position, men before kings."""

    def side(letter: str) -> str:
        men = sorted(NUMBERS[at] for at, piece in game.pieces.items() if piece == letter.lower())
        kings = sorted(NUMBERS[at] for at, piece in game.pieces.items() if piece == letter)
        return ",".join([*map(str, men), *(f"K{number}" for number in kings)])

    return f"{game.mover.upper()}:W{side('W')}:B{side('B')}"


def directions(piece: str) -> list[Square]:
    down, up = [(1, -1), (1, 1)], [(-1, -1), (-1, 1)]
    return {"b": down, "w": up}.get(piece, down + up)


def steps(game: Draughts) -> Iterator[list[Square]]:
    for (row, column), piece in game.pieces.items():
        if piece.lower() == game.mover:
            for down, right in directions(piece):
                target = (row + down, column + right)
                if target in NUMBERS and target not in game.pieces:
                    yield [(row, column), target]


def jumps(game: Draughts, way: list[Square], taken: list[Square]) -> Iterator[tuple[list[Square], bool]]:
    """Yield each sequence of jumps that goes on from ``way``, and whether it is at its end."""
    piece = game.pieces[way[0]]
    row, column = way[-1]
    for down, right in directions(piece):
        over, target = (row + down, column + right), (row + 2 * down, column + 2 * right)
        free = target in NUMBERS and (target not in game.pieces or target == way[0])
        if free and over not in taken and game.pieces.get(over, game.mover).lower() != game.mover:
            # a man reaching the last row cannot go on: he only moves forward
            longer = list(jumps(game, [*way, target], [*taken, over]))
            yield [*way, target], not longer
            yield from longer


def captures(game: Draughts) -> list[tuple[list[Square], bool]]:
    own = [at for at, piece in game.pieces.items() if piece.lower() == game.mover]
    return [found for at in own for found in jumps(game, [at], [])]


def moves(game: Draughts, lecture: bool) -> dict[str, Draughts]:
    """Return what each legal move leads to, by its text."""
    sequences = captures(game)
    if lecture:
        ways = [way for way, _ in sequences] + list(steps(game))
    else:
        ways = [way for way, whole in sequences if whole] or list(steps(game))
    return {text(way): after(game, way) for way in ways}


def is_jump(way: list[Square]) -> bool:
    return abs(way[0][0] - way[1][0]) == 2


def text(way: list[Square]) -> str:
    return ("x" if is_jump(way) else "-").join(str(NUMBERS[at]) for at in way)


def after(game: Draughts, way: list[Square]) -> Draughts:
    pieces = dict(game.pieces)
    piece = pieces.pop(way[0])
    if is_jump(way):
        for (row, column), (to_row, to_column) in pairwise(way):
            del pieces[((row + to_row) // 2, (column + to_column) // 2)]
    crowned = way[-1][0] == (7 if game.mover == "b" else 0)
    pieces[way[-1]] = piece.upper() if crowned else piece
    return Draughts(pieces, "w" if game.mover == "b" else "b")
