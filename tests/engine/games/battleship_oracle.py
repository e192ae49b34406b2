# SPDX-License-Identifier: GPL-3.0-or-later
"""Slow rules of Battleship, written for themselves: squares are (column, row) from (0, 0), fleets are lists of sets."""

from dataclasses import dataclass, field
from itertools import product

Square = tuple[int, int]
SHIPS = (("carrier", 5), ("battleship", 4), ("cruiser", 3), ("submarine", 3), ("destroyer", 2))
SEA = [(column, row) for row in range(10) for column in range(10)]


def named(square: Square) -> str:
    """Return the name of a square."""
    return f"{'ABCDEFGHIJ'[square[0]]}{square[1] + 1}"


def placements(length: int) -> dict[str, frozenset[Square]]:
    """Return the squares of all placements of a ship, by text."""
    found = {}
    for (column, row), (right, down) in product(SEA, ((1, 0), (0, 1))):
        squares = [(column + right * index, row + down * index) for index in range(length)]
        if squares[-1] in SEA:
            found[f"{named(squares[0])}-{named(squares[-1])}"] = frozenset(squares)
    return found


def near(squares: frozenset[Square]) -> set[Square]:
    """Return squares and all around them."""
    return {(column + x, row + y) for (column, row), x, y in product(squares, (-1, 0, 1), (-1, 0, 1))}


@dataclass
class Oracle:
    """A game of Battleship. ``apart``: ships do not touch."""

    apart: bool = False
    fleets: tuple[list[frozenset[Square]], list[frozenset[Square]]] = field(default_factory=lambda: ([], []))
    shots: tuple[list[Square], list[Square]] = field(default_factory=lambda: ([], []))

    @property
    def placing(self) -> bool:
        """Whether ships are still to be placed."""
        return sum(map(len, self.fleets)) < 2 * len(SHIPS)

    @property
    def to_move(self) -> int:
        """The seat to move."""
        lists = self.fleets if self.placing else self.shots
        return 0 if len(lists[0]) == len(lists[1]) else 1

    def legal(self) -> dict[str, frozenset[Square]]:
        """Return the legal moves: their texts and squares."""
        seat = self.to_move
        if not self.placing:
            return {named(square): frozenset([square]) for square in SEA if square not in self.shots[seat]}
        fleet = self.fleets[seat]
        free = placements(SHIPS[len(fleet)][1])
        return {
            text: ship
            for text, ship in free.items()
            if not any((near(other) if self.apart else other) & ship for other in fleet)
        }

    def play(self, text: str) -> None:
        """Make a move."""
        squares = self.legal()[text]
        if self.placing:
            self.fleets[self.to_move].append(squares)
        else:
            self.shots[self.to_move].extend(squares)

    def sunk(self, seat: int) -> dict[str, Square]:
        """Return the sunk ships of a seat, each with the square where it was sunk."""
        shots = self.shots[1 - seat]
        return {
            name: max(ship, key=shots.index)
            for (name, _), ship in zip(SHIPS, self.fleets[seat], strict=False)
            if ship <= set(shots)
        }

    @property
    def winner(self) -> int | None:
        """The seat that has sunk the other fleet."""
        return next((seat for seat in (0, 1) if len(self.sunk(1 - seat)) == len(SHIPS)), None)

    def told(self, seat: int, *, silent: bool) -> str:
        """Return the announced results of a seat's shots, as positions write it."""
        sea = frozenset[Square]().union(*self.fleets[1 - seat])
        sunk = {square: f"={name}" for name, square in self.sunk(1 - seat).items() if not silent}
        hits = [f"{named(square)}x{sunk.get(square, '')}" for square in self.shots[seat] if square in sea]
        return ",".join([*hits, *(named(square) for square in SEA if square in set(self.shots[seat]) - sea)]) or "-"
