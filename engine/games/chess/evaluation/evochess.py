# SPDX-License-Identifier: GPL-3.0-or-later
"""Terms of EvoChess with their ranges and defaults (R. Gross, K. Albrecht, W. Kantschik, W. Banzhaf, GECCO 2002).

Bad features count negatively, so no weight is negative. The paper leaves some details open; here the endgame begins
with at most END points of pieces (3 for a minor piece, 5 for a rook, 9 for a queen); a king is castled on the squares
of castling or nearer to the corner, with no own rook there; a rook's other advantages are the seventh rank and an open
file; and a pawn near promotion is a passed pawn, which counts more the nearer it is.

The last term is additional; its default is 0, so the defaults are the authors'. Their terms do not mate a bare king.
The hunted king belongs to a side with at most FEEBLE points of pieces, the hunter has LEAD points more. The term grows
with the hunted king's distance from the centre and the nearness of the kings, as in Chess 4.5 (D. Slate and L. Atkin,
"The Northwestern University Chess Program", 1977).
"""

from typing import Any, NamedTuple

import numpy as np

from engine.bitboards.bits import Bits, lowest, popcount
from engine.evaluation import Evaluation, Terms, Words
from engine.games.chess.attacks import ahead, behind, passed, pawns_attack, pawns_bite, turned
from engine.games.chess.board import C8, KNIGHT, LIGHT_SQUARES, ONE, RANK_7, Chess
from engine.games.chess.evaluation.sinks import Weigh, Write, count
from engine.kernel import compiled, inlined

UNIT = 16


class Term(NamedTuple):
    """Name, range and default of a weight, in centipawns."""

    name: str
    low: int
    high: int
    default: int


TERM_LIST = (
    Term("pawn", 85, 115, 100),
    Term("knight", 290, 360, 340),
    Term("bishop", 300, 370, 340),
    Term("rook", 440, 540, 500),
    Term("queen", 800, 1000, 900),
    Term("bishop on its first square", 0, 30, 15),
    Term("pawn in the centre", 0, 30, 15),
    Term("doubled pawn", 0, 30, 15),
    Term("passed pawn", 0, 40, 20),
    Term("backward pawn", 0, 30, 15),
    Term("pair of bishops", 0, 40, 20),
    Term("knight that reaches more than six squares", 0, 30, 15),
    Term("knight in a closed position", 0, 40, 20),
    Term("knight in the end game against pawns on both wings", 0, 50, 25),
    Term("rook on a half-open file", 0, 30, 15),
    Term("rook with another advantage", 0, 20, 10),
    Term("rook on the file of a passed pawn", 0, 30, 15),
    Term("king off its first rank before the end game", 0, 20, 10),
    Term("castled king", 0, 40, 20),
    Term("pawn near promotion in the end game", 100, 500, 300),
    Term("hunted king", 0, 100, 0),
)

TERMS = Terms(
    number=1,
    names=tuple(term.name for term in TERM_LIST),
    ranges=tuple((term.low, term.high) for term in TERM_LIST),
    unit=UNIT,
)

EVALUATIONS = (
    Evaluation(
        "evochess",
        tuple(term.default for term in TERM_LIST),
        "the terms of EvoChess with the authors' initial weights",
        terms=TERMS,
    ),
)

SIZE = len(TERM_LIST)
(P, N, B, R, Q, HOME, CENTRAL, DOUBLED, PASSED, BACKWARD) = range(10)
(PAIR, AGILE, CLOSED_IN, SLOW, HALF_OPEN, ADVANTAGE, ESCORT, STRAYED, CASTLED, NEARING, HUNT) = range(10, 21)
"""Numbers of the terms."""

CENTRE, MIDDLE = Bits(0x0000001818000000), Bits(0x00003C3C3C3C0000)
"""The four and the sixteen central squares."""
CLOSED = 6
"""A position with more pawns than this on MIDDLE is closed."""
WIDE = 6

BISHOPS_HOME, FIRST_RANK = Bits(0x24), Bits(0xFF)
LEFT_WING, RIGHT_WING = Bits(0x0707070707070707), Bits(0xE0E0E0E0E0E0E0E0)
LONG, SHORT = Bits(0x07), Bits(0xC0)
"""Squares of a castled king, without own rooks."""

END = 26
FEEBLE, LEAD = 5, 3
NEAR = (0, 0, 0, 1, 4, 9, 16, 0)
"""Share of the weight of a pawn near promotion by rank, in parts of UNIT."""


@inlined
def points(men: Bits, state: Chess) -> int:
    """Return the points of the pieces among these men."""
    minors, majors = men & (state.knights | state.diagonal), men & state.straight
    return 3 * popcount(minors) + 5 * popcount(majors) + popcount(minors & majors)


@inlined
def ended(state: Chess) -> bool:
    """Return whether the position is an endgame."""
    return points(state.own | state.enemy, state) <= END


@inlined
def agile(state: Chess) -> np.int64:
    """Return the number of the mover's knights that reach more than WIDE squares."""
    found = np.int64(0)
    knights = state.own & state.knights
    while knights:
        found += popcount(KNIGHT[lowest(knights)] & ~state.own) > WIDE
        knights &= knights - ONE
    return found


@inlined
def nearness(pawns: Bits) -> np.int64:
    """Return the nearness of passed pawns to promotion, in parts of UNIT."""
    found = np.int64(0)
    while pawns:
        found += NEAR[np.int64(lowest(pawns) >> Bits(3))]
        pawns &= pawns - ONE
    return found


@inlined
def pieces(state: Chess, end: bool, sink: Any) -> int:
    """Count the mover's pieces and their placement."""
    own, theirs = state.own, state.enemy & state.pawns
    queens = own & state.diagonal & state.straight
    knights, bishops, rooks = own & state.knights, own & state.diagonal & ~queens, own & state.straight & ~queens
    closed = popcount(state.pawns & MIDDLE) > CLOSED
    both_wings = bool(theirs & LEFT_WING) and bool(theirs & RIGHT_WING)
    files, their_files = ahead(behind(own & state.pawns)), ahead(behind(theirs))
    sum_ = count(sink, N, UNIT * popcount(knights)) + count(sink, B, UNIT * popcount(bishops))
    sum_ += count(sink, R, UNIT * popcount(rooks)) + count(sink, Q, UNIT * popcount(queens))
    sum_ += count(sink, HOME, -UNIT * popcount(bishops & BISHOPS_HOME))
    sum_ += count(sink, PAIR, UNIT if bishops & LIGHT_SQUARES and bishops & ~LIGHT_SQUARES else 0)
    sum_ += count(sink, AGILE, UNIT * agile(state))
    sum_ += count(sink, CLOSED_IN, UNIT * popcount(knights) if closed else 0)
    sum_ += count(sink, SLOW, -UNIT * popcount(knights) if end and both_wings else 0)
    sum_ += count(sink, HALF_OPEN, UNIT * popcount(rooks & ~files))
    sum_ += count(sink, ADVANTAGE, UNIT * popcount(rooks & (RANK_7 | ~files & ~their_files)))
    return sum_ + count(sink, ESCORT, UNIT * popcount(rooks & ahead(behind(passed(state)))))


@inlined
def pawns(state: Chess, end: bool, sink: Any) -> int:
    """Count the mover's pawns; a backward pawn has no support, and an enemy pawn attacks the square before it."""
    own, theirs = state.own & state.pawns, state.enemy & state.pawns
    runners = passed(state)
    backward = own << C8 & pawns_bite(theirs) & ~ahead(pawns_attack(own))
    sum_ = count(sink, P, UNIT * popcount(own)) + count(sink, CENTRAL, UNIT * popcount(own & CENTRE))
    sum_ += count(sink, DOUBLED, -UNIT * popcount(own & behind(own) >> C8))
    sum_ += count(sink, PASSED, UNIT * popcount(runners))
    sum_ += count(sink, BACKWARD, -UNIT * popcount(backward))
    return sum_ + count(sink, NEARING, nearness(runners) if end else 0)


@inlined
def king(state: Chess, end: bool, sink: Any) -> int:
    """Count the placement of the mover's king, except in the endgame."""
    if end:
        return 0
    own, rooks = state.own & state.kings, state.own & state.straight & ~state.diagonal
    short = own & SHORT and not rooks & SHORT
    long = own & LONG and not rooks & LONG
    return count(sink, STRAYED, 0 if own & FIRST_RANK else -UNIT) + count(sink, CASTLED, UNIT if short or long else 0)


@inlined
def off_centre(square: np.int64) -> np.int64:
    """Return the Manhattan distance of a square from the centre."""
    rank, file = square >> 3, square & 7
    return max(3 - rank, rank - 4) + max(3 - file, file - 4)


@inlined
def apart(one: np.int64, other: np.int64) -> np.int64:
    """Return the Manhattan distance of two squares."""
    return abs((one >> 3) - (other >> 3)) + abs((one & 7) - (other & 7))


@inlined
def hunt(state: Chess, sink: Any) -> int:
    """Count the hunt for a bare king; a whole term is a mate, or nearly."""
    theirs = points(state.enemy, state)
    if theirs > FEEBLE or points(state.own, state) < theirs + LEAD:
        return 0
    hunter, hunted = np.int64(lowest(state.own & state.kings)), np.int64(lowest(state.enemy & state.kings))
    return count(sink, HUNT, (3 * off_centre(hunted) + 14 - apart(hunter, hunted)) // 2)


@compiled
def side(state: Chess, sink: Any) -> int:
    """Count all terms of the mover's side."""
    end = ended(state)
    return pieces(state, end, sink) + pawns(state, end, sink) + king(state, end, sink) + hunt(state, sink)


@compiled
def weighed(state: Chess, words: Words) -> np.int64:
    """Return weights × features."""
    sink = Weigh(words)
    return (np.int64(side(state, sink)) - side(turned(state), sink) + UNIT // 2) // UNIT


@compiled
def written(state: Chess, out: Words) -> int:
    """Write the features; return their number."""
    out[:SIZE] = 0
    side(state, Write(out, 1))
    side(turned(state), Write(out, -1))
    return SIZE
