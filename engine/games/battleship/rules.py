# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules of Battleship as kernels. Moves: a placement of the next ship, then the square of a shot."""

from engine.bitboards.bits import Bits, popcount
from engine.game import (
    Moves,
    State,
    features,
    information_key,
    irreversible,
    key,
    legal_moves,
    outcome,
    simultaneous,
    step,
    to_move,
)
from engine.games.battleship.board import (
    APART,
    HIT_BITS,
    LENGTHS,
    ONE,
    SHIP_BITS,
    SHIPS,
    SIDE,
    SILENT,
    SQUARES,
    WORD_HITS,
    Battleship,
    all_hit,
    count_hits,
    free_for,
    has,
    lower_of,
    placed,
    ship_at,
    ship_on,
    sinking_hit,
    upper_of,
)
from engine.kernel import implements, inlined

WIDTH = 180
"""A ship of two squares has 180 placements in an empty sea, and longer ones have fewer; there are 100 shots."""


@inlined
def placing(state: State) -> bool:
    """Return whether ships are still to be placed; seat 1 places each ship after seat 0."""
    return placed(state.ships1) < SHIPS


@implements(to_move, Battleship)
def _to_move(state: State) -> int:
    if placing(state):
        return 0 if placed(state.ships0) == placed(state.ships1) else 1
    first = popcount(state.upper0) + popcount(state.lower0)
    return 0 if first == popcount(state.upper1) + popcount(state.lower1) else 1


@implements(simultaneous, Battleship)
def _simultaneous(state: State) -> bool:
    return placing(state) and placed(state.ships0) == placed(state.ships1)


@inlined
def fits(ships: Bits, placement: int, length: int, apart: bool) -> bool:
    """Return whether a ship may be placed: inside of the sea, and clear of the fleet's other ships."""
    row, column = divmod(placement % SQUARES, SIDE)
    if (row if placement >= SQUARES else column) + length > SIDE:
        return False
    way = SIDE if placement >= SQUARES else 1
    free = True
    for index in range(length):
        free &= free_for(ships, placement % SQUARES + way * index, apart)
    return free


@implements(legal_moves, Battleship)
def _legal_moves(state: State, out: Moves) -> int:
    """There is always a place, also with ships apart.

    Each ship that was placed blocks a rectangle, at most 7 x 3, 6 x 3, 5 x 3 and 5 x 3 squares, together 69. If they
    left no two adjacent squares of a row free, gaps in a row were single squares, so each row had 7 blocked squares or
    more: one rectangle would have to block 8, two 7, three with two of them at the edges 7. Those are 70 squares.
    Likewise for the longer ships: two gaps of at most two squares beside one rectangle leave 6 blocked squares or more
    in each row, 60, and three ships block 54.
    """
    count = 0
    if placing(state):
        ships = state.ships0 if placed(state.ships0) == placed(state.ships1) else state.ships1
        length = LENGTHS[placed(ships)]
        apart = state.rules & Bits(APART) != Bits(0)
        for placement in range(2 * SQUARES):
            if fits(ships, placement, length, apart):
                out[count] = placement
                count += 1
        return count
    first = popcount(state.upper0) + popcount(state.lower0) == popcount(state.upper1) + popcount(state.lower1)
    upper, lower = (state.upper0, state.lower0) if first else (state.upper1, state.lower1)
    for square in range(SQUARES):
        if not has(upper, lower, square):
            out[count] = square
            count += 1
    return count


@inlined
def with_ship(ships: Bits, placement: int) -> Bits:
    """Return a fleet with one more ship."""
    return ships | Bits(placement + 1) << Bits(SHIP_BITS * placed(ships))


@inlined
def with_hit(word: Bits, square: int, place: int) -> Bits:
    """Return a word of hits with one more; unchanged if the hit belongs to the other word."""
    return word | Bits(square + 1) << Bits(HIT_BITS * place) if 0 <= place < WORD_HITS else word


@implements(step, Battleship)
def _step(state: State, move: int) -> Battleship:
    rules, ships0, ships1, upper0, lower0, hits0, more0, upper1, lower1, hits1, more1 = state
    if placing(state):
        if placed(ships0) == placed(ships1):
            ships0 = with_ship(ships0, move)
        else:
            ships1 = with_ship(ships1, move)
    elif popcount(upper0) + popcount(lower0) == popcount(upper1) + popcount(lower1):
        upper0, lower0 = upper0 | upper_of(move), lower0 | lower_of(move)
        if ship_on(ships1, move) >= 0:
            place = count_hits(hits0, more0)
            hits0, more0 = with_hit(hits0, move, place), with_hit(more0, move, place - WORD_HITS)
    else:
        upper1, lower1 = upper1 | upper_of(move), lower1 | lower_of(move)
        if ship_on(ships0, move) >= 0:
            place = count_hits(hits1, more1)
            hits1, more1 = with_hit(hits1, move, place), with_hit(more1, move, place - WORD_HITS)
    return Battleship(rules, ships0, ships1, upper0, lower0, hits0, more0, upper1, lower1, hits1, more1)


@implements(outcome, Battleship)
def _outcome(state: State) -> tuple[bool, float, float]:
    if all_hit(state.more0):
        return True, 1.0, -1.0
    if all_hit(state.more1):
        return True, -1.0, 1.0
    return False, 0.0, 0.0


@implements(irreversible, Battleship)
def _irreversible(state: State, move: int) -> bool:
    return True


@implements(features, Battleship)
def _features(state: State) -> tuple[int]:
    """Hits of the seat to move minus those of the other one."""
    lead = count_hits(state.hits0, state.more0) - count_hits(state.hits1, state.more1)
    first = popcount(state.upper0) + popcount(state.lower0) == popcount(state.upper1) + popcount(state.lower1)
    return (lead if first else -lead,)


@inlined
def announced(rules: Bits, ships: Bits, hits: Bits, more: Bits) -> Bits:
    """Return, for each ship of a fleet in 8 bits, the number of the hit that sank it; 0 if that was not announced."""
    told = Bits(0)
    if rules & Bits(SILENT) == Bits(0):
        for ship in range(SHIPS):
            number = sinking_hit(ship_at(ships, ship), LENGTHS[ship], hits, more)
            told |= Bits(number) << Bits(SHIP_BITS * ship)
    return told


@implements(information_key, Battleship)
def _information_key(state: State, seat: int) -> int:
    """The other fleet has only its announced hits. Nobody knows how many ships the other seat has placed."""
    ships0, ships1 = state.ships0, state.ships1
    if seat == 0:
        ships1 = announced(state.rules, ships1, state.hits0, state.more0)
    else:
        ships0 = announced(state.rules, ships0, state.hits1, state.more1)
    seen = Battleship(
        state.rules | ONE << Bits(8 + seat),
        ships0,
        ships1,
        state.upper0,
        state.lower0,
        state.hits0,
        state.more0,
        state.upper1,
        state.lower1,
        state.hits1,
        state.more1,
    )
    return key(seen)
