# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions and moves of Battleship as texts.

A position is four words: the fleet of seat 0 and that of seat 1, then the shots of seat 0 and those of seat 1. A fleet
is its ships, the longest first, as A1-A5,C3-F3; "-" before the first one, and "?" if it is hidden. Shots are the hits
in order, as C7x, with the ship that a hit sank, as C9x=cruiser, and then the misses by square; "-" before the first
one.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engine.bitboards.bits import Bits
from engine.game import State
from engine.games.battleship.board import (
    APART,
    CELLS,
    HALF,
    HIT_BITS,
    LENGTHS,
    NAMES,
    SHIP_BITS,
    SHIPS,
    SIDE,
    SILENT,
    SQUARES,
    WORD_HITS,
    Battleship,
)
from engine.secrets import HIDDEN

NONE = "-"
_SQUARE = re.compile(r"[A-J](?:[1-9]|10)")
_SHIP = re.compile(rf"({_SQUARE.pattern})-({_SQUARE.pattern})")
_SHOT = re.compile(rf"({_SQUARE.pattern})(x(?:=({'|'.join(NAMES)}))?)?")
EXAMPLE = "A1-A5,C1-C4,E1-E3,G1-G3,I1-I2 ? C7x,D4 B2"


class Shots(NamedTuple):
    """The shots of a seat, and their announced results."""

    hits: tuple[int, ...] = ()
    """Squares, in order."""
    misses: frozenset[int] = frozenset()
    sunk: tuple[int, ...] = (0,) * SHIPS
    """For each ship of the other seat the number, from 1, of the hit that sank it; 0 for a ship that is not known to be
    sunk."""

    @property
    def squares(self) -> frozenset[int]:
        """All squares that were shot at."""
        return self.misses.union(self.hits)


class View(NamedTuple):
    """A position as a viewer sees it."""

    fleets: tuple[tuple[int, ...] | None, tuple[int, ...] | None]
    """The placements of the ships of each seat, the longest ship first; None: hidden."""
    shots: tuple[Shots, Shots]


# ---------------------------------------------------------------- squares and ships


def cells_of(placement: int, length: int) -> tuple[int, ...]:
    """Return the squares of a ship, from its first one."""
    way = SIDE if placement >= SQUARES else 1
    return tuple(placement % SQUARES + way * index for index in range(length))


def write_square(square: int) -> str:
    """Return the name of a square: its column and its row."""
    row, column = divmod(square, SIDE)
    return f"{chr(ord('A') + column)}{row + 1}"


def read_square(text: str) -> int:
    """Return the square of a name."""
    return (int(text[1:]) - 1) * SIDE + ord(text[0]) - ord("A")


def write_ship(placement: int, length: int) -> str:
    """Return the first and the last square of a ship."""
    cells = cells_of(placement, length)
    return f"{write_square(cells[0])}-{write_square(cells[-1])}"


def read_ship(text: str, ship: int) -> int:
    """Return the placement of a ship. Raises ValueError if it does not have that ship's length."""
    found = _SHIP.fullmatch(text)
    if not found:
        raise ValueError(f"{text[:20]!r} is no ship; write its first and last square, like A1-A5")
    first, last = sorted(map(read_square, found.groups()))
    for placement in (first, first + SQUARES):
        if cells_of(placement, LENGTHS[ship])[-1] == last and _inside(placement, LENGTHS[ship]):
            return placement
    raise ValueError(f"{text} is not a row or a column of {LENGTHS[ship]} squares, as the {NAMES[ship]} has")


def _inside(placement: int, length: int) -> bool:
    row, column = divmod(placement % SQUARES, SIDE)
    return (row if placement >= SQUARES else column) + length <= SIDE


def touching(square: int) -> set[int]:
    """Return a square and its neighbours, at corners too."""
    row, column = divmod(square, SIDE)
    return {
        SIDE * down + right
        for down in range(max(row - 1, 0), min(row + 2, SIDE))
        for right in range(max(column - 1, 0), min(column + 2, SIDE))
    }


# ---------------------------------------------------------------- states


def seat_words(state: State, seat: int) -> tuple[int, int, int, int, int]:
    """Return a seat's ships, both words of the squares that it has shot at, and both words of its hits."""
    if seat == 0:
        words = state.ships0, state.upper0, state.lower0, state.hits0, state.more0
    else:
        words = state.ships1, state.upper1, state.lower1, state.hits1, state.more1
    ships, upper, lower, hits, more = map(int, words)
    return ships, upper, lower, hits, more


def fleet_of(state: State, seat: int) -> tuple[int, ...]:
    """Return the placements of a seat's ships, the longest ship first."""
    ships = seat_words(state, seat)[0]
    codes = (ships >> SHIP_BITS * ship & 255 for ship in range(SHIPS))
    return tuple(code - 1 for code in codes if code)


def sinkings(fleet: Sequence[int], hits: Sequence[int]) -> tuple[int, ...]:
    """Return for each ship the number, from 1, of the hit that sank it; 0 if it is afloat."""
    numbers = {square: number for number, square in enumerate(hits, 1)}
    found = []
    for placement, length in zip(fleet, LENGTHS, strict=False):
        cells = cells_of(placement, length)
        found.append(max(numbers[cell] for cell in cells) if numbers.keys() >= set(cells) else 0)
    return (*found, *(0,) * (SHIPS - len(found)))


def shots_of(state: State, seat: int) -> Shots:
    """Return a seat's shots with what the rules tell of them."""
    _, upper, lower, first, more = seat_words(state, seat)
    squares = upper | lower << HALF
    order = first | more << HIT_BITS * WORD_HITS
    codes = (order >> HIT_BITS * index & 127 for index in range(CELLS))
    hits = tuple(code - 1 for code in codes if code)
    misses = frozenset(square for square in range(SQUARES) if squares >> square & 1).difference(hits)
    silent = int(state.rules) & SILENT
    return Shots(hits, misses, (0,) * SHIPS if silent else sinkings(fleet_of(state, 1 - seat), hits))


def view_of(state: State, viewer: int | None, *, opened: bool = False) -> View:
    """Return a state as a seat sees it, or the public (None); ``opened``: with both fleets."""
    one, other = (fleet_of(state, seat) if opened or viewer == seat else None for seat in (0, 1))
    return View((one, other), (shots_of(state, 0), shots_of(state, 1)))


def state_of(view: View, rules: int) -> Battleship:
    """Return the state of a view that hides nothing."""
    fields: list[int] = []
    for fleet in view.fleets:
        assert fleet is not None, "a state has both fleets"
        fields.append(sum(placement + 1 << SHIP_BITS * ship for ship, placement in enumerate(fleet)))
    for shots in view.shots:
        squares = sum(1 << square for square in shots.squares)
        order = sum(square + 1 << HIT_BITS * index for index, square in enumerate(shots.hits))
        word = HIT_BITS * WORD_HITS
        fields += [squares % (1 << HALF), squares >> HALF, order % (1 << word), order >> word]
    return Battleship(Bits(rules), *map(Bits, fields))


# ---------------------------------------------------------------- writing


def _join(words: Iterable[str]) -> str:
    return ",".join(words) or NONE


def _write_fleet(fleet: Sequence[int] | None) -> str:
    if fleet is None:
        return HIDDEN
    return _join(write_ship(placement, length) for placement, length in zip(fleet, LENGTHS, strict=False))


def _write_shots(shots: Shots) -> str:
    sank = {number: f"={NAMES[ship]}" for ship, number in enumerate(shots.sunk) if number}
    hits = (f"{write_square(square)}x{sank.get(number, '')}" for number, square in enumerate(shots.hits, 1))
    return _join((*hits, *map(write_square, sorted(shots.misses))))


def write_view(view: View) -> str:
    """Return a view as text."""
    return " ".join((*map(_write_fleet, view.fleets), *map(_write_shots, view.shots)))


def format_position(state: State) -> str:
    """Return a state as text, with both fleets."""
    return write_view(view_of(state, None, opened=True))


# ---------------------------------------------------------------- reading


def _read_fleet(text: str, rules: int) -> tuple[int, ...] | None:
    if text == HIDDEN:
        return None
    texts = [] if text == NONE else text.split(",")
    if len(texts) > SHIPS:
        raise ValueError(f"a fleet has {SHIPS} ships (got {len(texts)})")
    fleet = tuple(read_ship(each, ship) for ship, each in enumerate(texts))
    taken = set[int]()
    for ship, placement in enumerate(fleet):
        cells = set(cells_of(placement, LENGTHS[ship]))
        if cells & taken:
            fault = "touches" if rules & APART else "overlaps"
            raise ValueError(f"the {NAMES[ship]} {write_ship(placement, LENGTHS[ship])} {fault} another ship")
        taken |= set[int]().union(*map(touching, cells)) if rules & APART else cells
    return fleet


def _read_shots(text: str) -> Shots:
    hits, misses, sunk = list[int](), set[int](), [0] * SHIPS
    for each in [] if text == NONE else text.split(","):
        found = _SHOT.fullmatch(each)
        if not found:
            raise ValueError(
                f"{each[:20]!r} is no shot; write a miss like C7, a hit like C7x, and one that sank a ship like "
                "C7x=cruiser"
            )
        square = read_square(found[1])
        if square in misses or square in hits:
            raise ValueError(f"there are two shots at {found[1]}")
        if found[2]:
            hits.append(square)
        else:
            misses.add(square)
        if found[3]:
            ship = NAMES.index(found[3])
            if sunk[ship]:
                raise ValueError(f"the {found[3]} is sunk twice")
            sunk[ship] = len(hits)
    return Shots(tuple(hits), frozenset(misses), tuple(sunk))


def _check_shots(view: View, seat: int, rules: int) -> None:
    """Raise ValueError if a seat's shots do not fit the other fleet, as far as that is visible."""
    shots, fleet = view.shots[seat], view.fleets[1 - seat]
    if rules & SILENT and any(shots.sunk):
        raise ValueError("this variant does not announce sunk ships")
    if len(shots.hits) > CELLS:
        raise ValueError(f"a fleet has {CELLS} squares, but {len(shots.hits)} are hit")
    if fleet is None:
        return
    taken = {cell for ship, placement in enumerate(fleet) for cell in cells_of(placement, LENGTHS[ship])}
    for square in shots.squares:
        if (square in taken) != (square in shots.hits):
            what = "a miss, but a ship is" if square in taken else "a hit, but no ship is"
            raise ValueError(f"{write_square(square)} is {what} there")
    if not rules & SILENT and sinkings(fleet, shots.hits) != shots.sunk:
        raise ValueError("the ships that are marked as sunk are not those that the hits sink")


def read_view(text: str, rules: int) -> View:
    """Read a position as a viewer sees it. Raises ValueError if the text is none."""
    words = text.split()
    if len(words) != 4:  # two fleets and two lists of shots
        raise ValueError(f"{text[:80]!r} is not a position; write both fleets and the shots of both, like {EXAMPLE}")
    one, other = (_read_fleet(word, rules) for word in words[:2])
    view = View((one, other), (_read_shots(words[2]), _read_shots(words[3])))
    for seat in (0, 1):
        _check_shots(view, seat, rules)
    first, second = (len(shots.squares) for shots in view.shots)
    if first - second not in (0, 1):
        raise ValueError("seat 0 must have made as many shots as seat 1, or one more")
    fleets = [fleet for fleet in view.fleets if fleet is not None]
    if first and any(len(fleet) < SHIPS for fleet in fleets):
        raise ValueError("there are shots before all ships are placed")
    done = [len(shots.hits) == CELLS for shots in view.shots]
    if all(done) or (done[0] and first == second) or (done[1] and first > second):
        raise ValueError("there is a shot after the last ship was sunk")
    return view


def parse_position(text: str, rules: int) -> Battleship:
    """Read a position with both fleets. Raises ValueError if the text is none."""
    view = read_view(text, rules)
    one, other = view.fleets
    if one is None or other is None:
        raise ValueError(f"a position needs both fleets; {HIDDEN} stands for one that a viewer does not see")
    if len(one) - len(other) not in (0, 1):
        raise ValueError("seat 0 must have placed as many ships as seat 1, or one more")
    return state_of(view, rules)


# ---------------------------------------------------------------- moves


def next_ship(state: State) -> int:
    """Return the ship that the seat to move places; SHIPS if it shoots."""
    return -(-int(state.ships1).bit_length() // SHIP_BITS)


def format_move(state: State, move: int) -> str:
    """Return a placement, as A1-A5, or a shot, as C7."""
    ship = next_ship(state)
    return write_ship(move, LENGTHS[ship]) if ship < SHIPS else write_square(move)


def read_move(state: State, text: str) -> str:
    """Accept small letters, spaces, ":" for "-", and the ends of a ship in either order."""
    text = text.strip().upper().replace(" ", "").replace(":", "-")
    found = _SHIP.fullmatch(text)
    if not found:
        return text
    first, last = sorted(map(read_square, found.groups()))
    return f"{write_square(first)}-{write_square(last)}"
