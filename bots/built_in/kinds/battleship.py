# SPDX-License-Identifier: GPL-3.0-or-later
"""Built-in bots for Battleship: one that shoots at the square with the highest chance of a ship, and hunt and target.

Both play by their observations alone, and so do the games in bulk here (``play_seas``), which measure them.

The chance of each square is that of the fleets that fit all shots and announcements (``engine.games.battleship``'s
``possible``), for fleets at random. Where ships must still be searched for, many squares have nearly the same chance;
there squares on diagonals at the distance of the shortest ship that is afloat have a bonus, so that the shots of all
parts of the sea fit together.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bots.bot import Bot, Reply, Turn
from bots.built_in.kinds import BuiltInBot, Enters, seed
from engine.bitboards.bits import Bits
from engine.game import Game
from engine.games import catalogue, find
from engine.games.battleship import Battleship
from engine.games.battleship.board import APART, CELLS, LENGTHS, SHIPS, SIDE, SILENT, SQUARES, lower_of, upper_of
from engine.games.battleship.notation import Shots, read_view, write_ship, write_square
from engine.games.battleship.possible import MOST, Numbers, Seen, Tables, chances, mixed, seen_of, tables
from engine.kernel import compiled, inlined, part
from engine.splitmix import fraction

Chances: TypeAlias = NDArray[np.float64]

RANDOM, HUNT, DENSITY = 0, 1, 2
"""How to shoot: at random; at random on every other square until a hit, and then around hits; by chance."""

DIAGONAL, FOURTH = 0.3, 0.1
"""Bonus for the diagonals at the distance of the shortest ship; if that has two squares, for every fourth diagonal."""
EQUAL = 1e-9
"""Relative difference of chances that rounding may cause."""
EVEN = 1.5
"""Power of the chance of squares by which ``density`` avoids them when it places ships: about even chances result."""


# ---------------------------------------------------------------- shots


@inlined
def diagonal_of(square: int, mirrored: bool) -> int:
    """Return the number of a square's diagonal; ``mirrored``: of those in the other direction."""
    row, column = divmod(square, SIDE)
    return row + (SIDE - 1 - column if mirrored else column) + 1


@inlined
def shortest(seen: Seen) -> int:
    """Return the length of the shortest ship that is not known to be sunk."""
    for ship in range(SHIPS - 1, 0, -1):
        if seen.sunk[ship] == 0:
            return LENGTHS[ship]
    return LENGTHS[0]


@inlined
def squares_of_sunk(seen: Seen) -> int:
    """Return the number of hits on ships that are known to be sunk."""
    known = 0
    for ship in range(SHIPS):
        if seen.sunk[ship]:
            known += LENGTHS[ship]
    return known


@part
def diagonals(open_squares: Numbers, out: Chances, length: int, mirrored: bool) -> tuple[bool, int]:
    """Return the direction and the shift of the diagonals with the fewest open squares where a ship may be.

    Any ship of the length or more is on one of these diagonals, so that they find it with the fewest further shots.
    ``out``: the chances of squares; ``mirrored``: the direction that is preferred.
    """
    best, least = 0, SQUARES + 1
    for each in range(2 * length):
        count = 0
        for square in range(SQUARES):
            diagonal = diagonal_of(square, mirrored if each < length else not mirrored) + each % length
            if open_squares[square] and out[square] > 0 and diagonal % length == 0:
                count += 1
        if count < least:
            best, least = each, count
    return (mirrored if best < length else not mirrored), best % length


@part
def most_likely(tables: Tables, seen: Seen, open_squares: Numbers, mirrored: bool, chance: Bits, out: Chances) -> int:
    """Return the open square with the highest chance of a ship; ``chance`` decides between equal ones."""
    chances(tables, seen, out)
    length = shortest(seen)
    searching = seen.rules & SILENT or len(seen.hits) == squares_of_sunk(seen)
    mirrored, shift = diagonals(open_squares, out, length, mirrored)
    best, value, tie = -1, -1.0, Bits(0)
    for square in range(SQUARES):
        if not open_squares[square]:
            continue
        worth, diagonal = out[square], diagonal_of(square, mirrored) + shift
        if searching and diagonal % length == 0:
            worth *= 1 + DIAGONAL
        if searching and length == LENGTHS[SHIPS - 1] and diagonal % (2 * length) == 0:
            worth *= 1 + FOURTH
        draw = mixed(chance + Bits(square))
        if best < 0 or worth > value * (1 + EQUAL) or (worth >= value * (1 - EQUAL) and draw > tie):
            best, value, tie = square, worth, draw
    return best


@inlined
def open_beside(open_squares: Numbers, square: int) -> int:
    """Return the number of open squares beside a square."""
    row, column, count = square // SIDE, square % SIDE, 0
    if row > 0:
        count += open_squares[square - SIDE]
    if row < SIDE - 1:
        count += open_squares[square + SIDE]
    if column > 0:
        count += open_squares[square - 1]
    if column < SIDE - 1:
        count += open_squares[square + 1]
    return count


@part
def hunted(seen: Seen, open_squares: Numbers, mirrored: bool, chance: Bits) -> int:
    """Return a random open square beside a hit; if all hit ships are sunk, or there is none, one of every other square.

    Without announcements no hit ship is known to be sunk, so all squares beside hits come first.
    """
    known = squares_of_sunk(seen)
    hit = np.zeros(SQUARES, np.int64)
    for square in seen.hits:
        hit[square] = 1
    best, rank, tie = -1, -1, Bits(0)
    for square in range(SQUARES):
        if not open_squares[square]:
            continue
        near = len(seen.hits) > known and open_beside(hit, square) > 0
        own, draw = 2 if near else 1 - diagonal_of(square, mirrored) % 2, mixed(chance + Bits(square))
        if own > rank or (own == rank and draw > tie):
            best, rank, tie = square, own, draw
    return best


@compiled
def shoot(
    way: int, tables: Tables, seen: Seen, open_squares: Numbers, mirrored: bool, chance: Bits, out: Chances
) -> int:
    """Return the square of the next shot. ``way``: RANDOM, HUNT or DENSITY; ``out``: scratch."""
    if way == DENSITY:
        return most_likely(tables, seen, open_squares, mirrored, chance, out)
    if way == HUNT:
        return hunted(seen, open_squares, mirrored, chance)
    left = np.int64(fraction(mixed(chance)) * open_squares.sum())
    square = 0
    while left > 0 or not open_squares[square]:
        left -= open_squares[square]
        square += 1
    return square


# ---------------------------------------------------------------- fleets


@compiled
def place(tables: Tables, rules: int, own: Numbers, weights: Chances, chance: Bits) -> int:
    """Return the index of a random placement of the next ship, by weight; ``own``: those of the ships before it."""
    upper, lower = Bits(0), Bits(0)
    for ship in range(len(own)):
        if rules & APART:
            upper |= tables.near_upper[ship, own[ship]]
            lower |= tables.near_lower[ship, own[ship]]
        else:
            upper |= tables.upper[ship, own[ship]]
            lower |= tables.lower[ship, own[ship]]
    ship, total = len(own), 0.0
    for index in range(tables.counts[ship]):
        if (tables.upper[ship, index] & upper) | (tables.lower[ship, index] & lower) == Bits(0):
            total += weights[ship, index]
    left, last = fraction(mixed(chance)) * total, -1
    for index in range(tables.counts[ship]):
        if (tables.upper[ship, index] & upper) | (tables.lower[ship, index] & lower) == Bits(0):
            last = index
            left -= weights[ship, index]
            if left < 0:
                break
    return last


@cache
def weights_of(rules: int, power: float) -> Chances:
    """Return a weight for each placement of each ship: the mean chance of its squares to the power of minus ``power``.

    The chances are those of the first shot at a fleet at random, where ``density`` shoots at the highest ones first.
    """
    found, out, weights = tables(), np.zeros(SQUARES), np.zeros((SHIPS, MOST))
    chances(found, seen_of(Shots(), rules), out)
    for ship, length in enumerate(LENGTHS):
        count = int(found.counts[ship])
        weights[ship, :count] = out[found.cells[ship, :count, :length]].mean(axis=1) ** -power
    return weights


# ---------------------------------------------------------------- games in bulk


@compiled
def play_sea(
    way: int, tables: Tables, rules: int, fleet: Numbers, mirrored: bool, chance: Bits, shots: Numbers, out: Chances
) -> int:
    """Shoot at a fleet until it is sunk, and return the number of shots; writes their squares into ``shots``.

    ``fleet``: the indices of its placements. The chance of a shot is ``mixed(chance + ply)``.
    """
    owner, left = np.full(SQUARES, -1, np.int64), np.zeros(SHIPS, np.int64)
    for ship in range(SHIPS):
        left[ship] = LENGTHS[ship]
        for place in range(LENGTHS[ship]):
            owner[tables.cells[ship, fleet[ship], place]] = ship
    hits, sunk, count = np.zeros(CELLS, np.int64), np.zeros(SHIPS, np.int64), 0
    missed, open_squares = np.zeros(2, np.uint64), np.ones(SQUARES, np.int64)
    for ply in range(SQUARES):
        seen = Seen(rules, SHIPS, hits[:count], sunk, missed)
        square = shoot(way, tables, seen, open_squares, mirrored, mixed(chance + Bits(ply)), out)
        open_squares[square] = 0
        shots[ply] = square
        ship = owner[square]
        if ship < 0:
            missed[0] |= upper_of(square)
            missed[1] |= lower_of(square)
            continue
        hits[count] = square
        count += 1
        left[ship] -= 1
        if left[ship] == 0 and not rules & SILENT:
            sunk[ship] = count
        if count == CELLS:
            return ply + 1
    return SQUARES


@compiled
def play_seas(way: int, tables: Tables, rules: int, weights: Chances, chance: Bits, counts: Numbers) -> None:
    """Write the number of shots that it takes to sink random fleets, one for each place of ``counts``.

    Ships are placed in order, each by ``weights`` among the legal placements.
    """
    out, shots, fleet = np.zeros(SQUARES), np.zeros(SQUARES, np.int64), np.zeros(SHIPS, np.int64)
    for game in range(len(counts)):
        chance = mixed(chance)
        for ship in range(SHIPS):
            fleet[ship] = place(tables, rules, fleet[:ship], weights, chance + Bits(1000 + ship))
        mirrored = chance & Bits(1) != Bits(0)
        counts[game] = play_sea(way, tables, rules, fleet, mirrored, chance, shots, out)


def shots_to_sink(game: Game, way: int, boards: int, *, power: float = 0.0, chance: int = 1) -> Numbers:
    """Return the number of shots of a way to shoot for each of many random fleets.

    ``power``: how much the fleets avoid the squares that ``density`` shoots at first; 0: placements at random.
    """
    rules, counts = int(game.start().rules), np.zeros(boards, np.int64)
    play_seas(way, tables(), rules, weights_of(rules, power), np.uint64(chance), counts)
    return counts


# ---------------------------------------------------------------- bots


@dataclass(frozen=True, slots=True)
class Shooting(BuiltInBot):
    """A bot for Battleship: how it shoots, and how much its fleet avoids the squares that are shot at first."""

    enters: ClassVar[Enters] = Enters.LAST
    usual: ClassVar[bool] = False

    way: int
    power: float = 0.0

    def plays(self, game: str) -> bool:
        """Return whether a game is Battleship."""
        return find(game).state is Battleship

    def make(self) -> Bot:
        """Return a new player."""
        bot = ShootingBot(self)
        bot.games = tuple(filter(self.plays, catalogue()))
        return bot


class ShootingBot(Bot):
    """Places ships and shoots by what the observation says; the same question has the same answer."""

    capacity = 16

    def __init__(self, settings: Shooting) -> None:
        self.name, self.description = settings.name, settings.description
        self._settings = settings

    def prepare(self, names: Sequence[str]) -> None:
        """Compile the functions that choose moves, or load them from the cache."""
        for game in map(find, names):
            rules = int(game.start().rules)
            self._place(rules, (), 0)
            self._shoot(rules, Shots(), mirrored=False, chance=0)

    def move(self, turn: Turn) -> Reply:
        """Return a placement or a shot."""
        rules = int(find(turn.game).start().rules)
        view = read_view(turn.position, rules)
        own, shots = view.fleets[turn.seat], view.shots[turn.seat]
        if own is None:
            raise ValueError(f"the position hides the fleet of seat {turn.seat}")
        chance = seed(turn.match, self.name, turn.ply)
        if len(own) < SHIPS:
            return Reply(write_ship(self._place(rules, own, chance), LENGTHS[len(own)]))
        square = self._shoot(rules, shots, mirrored=bool(seed(turn.match, self.name, 0) & 1), chance=chance)
        return Reply(write_square(square))

    def _place(self, rules: int, own: Sequence[int], chance: int) -> int:
        """Return a placement of the next ship."""
        found = tables()
        indices = [int(np.argmax(found.placement[ship] == move)) for ship, move in enumerate(own)]
        weights = weights_of(rules, self._settings.power)
        index = place(found, rules, np.array(indices, np.int64), weights, np.uint64(chance))
        return int(found.placement[len(own), index])

    def _shoot(self, rules: int, shots: Shots, *, mirrored: bool, chance: int) -> int:
        """Return the square of a shot."""
        open_squares, out = np.ones(SQUARES, np.int64), np.zeros(SQUARES)
        open_squares[list(shots.squares)] = 0
        way = self._settings.way
        square = shoot(way, tables(), seen_of(shots, rules), open_squares, mirrored, np.uint64(chance), out)
        return int(square)


BOTS = (
    Shooting("hunt", "Battleship: shoots at random on every other square, and around its hits.", HUNT),
    Shooting("density", "Battleship: shoots at the square with the highest chance of a ship.", DENSITY, EVEN),
)
