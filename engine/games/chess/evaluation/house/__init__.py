# SPDX-License-Identifier: GPL-3.0-or-later
"""The house's evaluation of chess: tables of squares, mobility, pawns, threats, the kings' safety, endings.

Every term is counted for the mover and, the board turned over, for the other. It weighs as much in the middle game as
one weight says and in the end game as another; between the two by the pieces that are left (tapering).
"""

from typing import Any

import numpy as np

from engine.bits import Bits, popcount, upside_down
from engine.evaluation import Evaluation, Terms, Words
from engine.games.chess.board import Chess
from engine.games.chess.evaluation.house.endings import UNIT, WHOLE, driven, scale, stage
from engine.games.chess.evaluation.house.king import danger, shelter
from engine.games.chess.evaluation.house.pawns import runners, structure
from engine.games.chess.evaluation.house.pieces import freedom, space, stations
from engine.games.chess.evaluation.house.sight import Sight, look
from engine.games.chess.evaluation.house.start import START
from engine.games.chess.evaluation.house.tables import note, split, stand
from engine.games.chess.evaluation.house.terms import COUNT, NAMES, PLANES, RANGES, arranged, at, words
from engine.games.chess.evaluation.house.threats import plans, threats
from engine.games.chess.evaluation.house.weights import WEIGHTS
from engine.games.chess.evaluation.sinks import Weigh, WritePair, count, end_of, middle_of
from engine.games.chess.evaluation.spans import passed
from engine.games.chess.sight import turned
from engine.kernel import compiled, inlined

TERMS = Terms(2, NAMES, RANGES, UNIT, words)

EVALUATIONS = (
    Evaluation("house", arranged(WEIGHTS), "a strong one, its weights tuned on games of our own", terms=TERMS, man=100),
    Evaluation(
        "house-untuned",
        arranged(START),
        "the house's terms, weighed by rules of thumb: what tuning begins with",
        terms=TERMS,
        man=100,
    ),
)

TEMPO = at("to move")
_PLANES = Bits(PLANES)
SIZE = len(NAMES)


@inlined
def material(state: Chess, sink: Any) -> int:
    """Count the mover's men."""
    sum_ = 0
    for term, men in enumerate(split(state)[:5]):
        sum_ += count(sink, term, popcount(men & state.own))
    return sum_


@compiled
def side(state: Chess, mine: Sight, theirs: Sight, sink: Any) -> int:
    """Count all terms of the mover's side but its men's squares; ``theirs``: what the other sees, from its own side."""
    bites = upside_down(theirs.pawns)
    defended = upside_down(theirs.attacked)
    sum_ = material(state, sink) + freedom(mine, sink)
    sum_ += stations(state, mine, bites, sink)
    sum_ += space(state, defended, bites, sink)
    sum_ += threats(state, mine, theirs, defended, bites, sink)
    sum_ += plans(state, mine, theirs, defended, bites, sink)
    sum_ += structure(state, mine, bites, sink)
    sum_ += shelter(state, sink)
    sum_ += danger(state, mine, theirs, sink)
    far = passed(state)
    if far:
        sum_ += runners(state, mine, far, defended, sink)
    if state.enemy == state.enemy & state.kings:
        sum_ += driven(state, sink)
    return sum_


@compiled
def weighed(state: Chess, words: Words) -> np.int64:
    """Return weights × features."""
    sink = Weigh(words)
    other = turned(state)
    mine, theirs = look(state), look(other)
    sum_ = side(state, mine, theirs, sink) - side(other, theirs, mine, sink) + count(sink, TEMPO, 1)
    middle, end = stand(state, words, _PLANES)
    early = stage(state)
    weight = (middle + middle_of(sum_)) * early * WHOLE + (end + end_of(sum_)) * (WHOLE - early) * scale(state)
    return (weight + UNIT // 2) // UNIT


@compiled
def written(state: Chess, out: Words) -> int:
    """Write the features and return how many there are."""
    other = turned(state)
    mine, theirs = look(state), look(other)
    out[:SIZE] = 0
    side(state, mine, theirs, WritePair(out, 1))
    side(other, theirs, mine, WritePair(out, -1))
    count(WritePair(out, 1), TEMPO, 1)
    note(state, out, 2 * COUNT, 1)
    note(other, out, 2 * COUNT, -1)
    early = stage(state)
    for i in range(0, SIZE, 2):
        out[i] *= early * WHOLE
        out[i + 1] *= (WHOLE - early) * scale(state)
    return SIZE
