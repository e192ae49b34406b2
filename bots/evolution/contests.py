# SPDX-License-Identifier: GPL-3.0-or-later
"""Games of two evaluations against each other, played whole in compiled code: ``lookahead`` to a fixed depth.

Each game is a function of its seed: the opening is drawn by it, random plies that are balanced as the game's
``OpeningRule`` says, and a pair of games with exchanged seats has the same opening. The draw rules are those of the
game, and a ply limit. ``engine.match`` gives the same result for the same moves; a test checks that.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from engine.evaluation import Evaluation, named
from engine.game import Game, Moves, State, outcome, pick, to_move
from engine.kernel import compiled, part
from engine.native.buffers import borrowed
from engine.opening import ATTEMPTS
from engine.rules import Draws, OpeningRule
from engine.search.lookahead import (
    DEEPEST,
    LEAVES,
    NO_MOVE,
    Arrays,
    Weighing,
    advance,
    choose,
    lookahead,
    new_arrays,
    weighing_of,
)
from engine.splitmix import GOLDEN, scramble
from engine.walks.playout import Limits, Marks, limits_of, noted, room

PLIES = 200
"""Ply limit: a game with this many plies, the opening included, is drawn (Kendall and Whitwell)."""

DEPTH = 3
"""Plies that the players look ahead (Kendall and Whitwell)."""

_HALF = np.uint64(32)
_BEYOND = 2**62


class Rule(NamedTuple):
    """An ``OpeningRule`` as numbers; a margin below 0 means any."""

    plies: int
    depth: int
    margin: int


@part
def wander(state: State, plies: int, seed: np.uint64, row: Moves, record: Moves) -> tuple[State, bool]:
    """Play random legal plies and record them; return the resulting state, and whether the game lasted that long."""
    row, record = borrowed(row), borrowed(record)
    random = scramble(seed)
    for ply in range(plies):
        random += GOLDEN
        move = pick(state, scramble(random) >> _HALF, row)
        if move < 0:
            return state, False
        record[ply] = move
        state = advance(state, move)
    over, _, _ = outcome(state)
    return state, not over


@part
def draw_opening(start: State, rule: Rule, seed: np.uint64, judge: Weighing, arrays: Arrays, record: Moves) -> int:
    """Record an opening that the seed draws, and return its plies.

    Balanced, or the most balanced of ATTEMPTS; none where all of them end the game.
    """
    judge, arrays, record = borrowed(judge), borrowed(arrays), borrowed(record)
    own = scramble(seed + GOLDEN)
    nearest = np.int64(-1)
    least = np.int64(_BEYOND)
    for attempt in range(ATTEMPTS):
        state, whole = wander(start, rule.plies, own + np.uint64(attempt), arrays.moves[0], record)
        if not whole:
            continue
        value = np.int64(0)
        if rule.margin >= 0:
            arrays.killers[:] = NO_MOVE
            value = np.int64(lookahead(state, rule.depth, -_BEYOND, _BEYOND, judge, arrays))
        imbalance = abs(value) - rule.margin
        if rule.margin < 0 or imbalance <= 0:
            return rule.plies
        if imbalance < least:
            least = imbalance
            nearest = np.int64(attempt)
    if nearest < 0:
        return 0
    wander(start, rule.plies, own + np.uint64(nearest), arrays.moves[0], record)
    return rule.plies


@part
def play_on(
    state: State,
    limits: Limits,
    opening: int,
    depth: int,
    first: Weighing,
    second: Weighing,
    arrays: Arrays,
    marks: Marks,
    record: Moves,
) -> tuple[int, float]:
    """Play a game from its recorded opening to its end; return its plies and the payoff of seat 0."""
    first, second, arrays = borrowed(first), borrowed(second), borrowed(arrays)
    marks, record = borrowed(marks), borrowed(record)
    ply = quiet = 0
    while True:
        if ply < opening:
            move = record[ply]
        elif to_move(state) == 0:
            move = choose(state, depth, first, arrays)
        else:
            move = choose(state, depth, second, arrays)
        if move == NO_MOVE:
            over, payoff, _ = outcome(state)
            return ply, payoff
        record[ply] = move
        following = advance(state, move)
        ply += 1
        quiet, repeated = noted(state, move, following, quiet, limits.repetition, marks)
        state = following
        if repeated >= limits.repetition or quiet >= limits.no_progress_plies or ply >= limits.plies:
            over, payoff, _ = outcome(state)
            return ply, payoff if over else 0.0


@compiled
def contest(
    start: State,
    limits: Limits,
    rule: Rule,
    seed: np.uint64,
    depth: int,
    judge: Weighing,
    first: Weighing,
    second: Weighing,
    arrays: Arrays,
    marks: Marks,
    record: Moves,
) -> tuple[int, int, float]:
    """Draw an opening at random and play from it; return the opening's plies, all plies, and the payoff of seat 0."""
    opening = draw_opening(start, rule, seed, judge, arrays, record)
    plies, payoff = play_on(start, limits, opening, depth, first, second, arrays, marks, record)
    return opening, plies, payoff


@dataclass(frozen=True, slots=True)
class Contest:
    """A game that was played."""

    score: float
    """Score of the first evaluation: 1, 1/2 or 0."""
    seat: int
    """Seat of the first evaluation."""
    opening: int
    """The plies that the seed drew."""
    moves: tuple[int, ...]
    """All moves, the opening's included, as the rules number them."""
    leaves: int
    """Positions that were scored at the end of searches, those for the opening included."""

    @property
    def counts(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The moves and the leaves of both players together, in the first place of each."""
        return (len(self.moves), 0), (self.leaves, 0)


class Table:
    """A table at which games are played, one after the other; each thread needs its own."""

    def __init__(self, game: Game, depth: int = DEPTH, plies: int = PLIES) -> None:
        """``depth``: search depth of the players, in plies; ``plies``: ply limit, after which a game is drawn.

        Raises ValueError for a game with dice, and for a depth beyond DEEPEST.
        """
        if game.chance:
            raise ValueError(f"{game.name} has dice, which fixed-depth alpha-beta knows nothing of")
        self._rule = _rule(game.opening)
        if not 1 <= depth <= DEEPEST or self._rule.depth > DEEPEST:
            raise ValueError(f"searches are 1 to {DEEPEST} plies deep")
        self._depth = depth
        self._limits = limits_of(draws_of(game, plies))
        self._start = game.pack(game.start())
        self._judge = weighing_of(named(game.evaluations, None))
        self._desk = new_arrays(game, max(depth, self._rule.depth))
        self._marks = room(self._limits)
        self._record = np.zeros(max(self._limits.plies, self._rule.plies) + 1, np.int64)

    def play(self, first: Evaluation, second: Evaluation, seed: int, seat: int = 0) -> Contest:
        """Play the game of a seed, the first evaluation on a seat; the result depends on the arguments alone."""
        minds = weighing_of(first), weighing_of(second)
        arrays, record = self._desk, self._record
        arrays.counts[:] = 0
        seated = minds[::-1] if seat else minds
        opening, plies, payoff = contest(
            self._start,
            self._limits,
            self._rule,
            np.uint64(seed),
            self._depth,
            self._judge,
            *seated,
            arrays,
            self._marks,
            record,
        )
        own = -payoff if seat else payoff
        score = 1.0 if own > 0 else 0.0 if own < 0 else 0.5
        return Contest(score, seat, opening, tuple(record[:plies].tolist()), int(arrays.counts[LEAVES]))


def draws_of(game: Game, plies: int = PLIES) -> Draws:
    """Return the draw rules of such games."""
    own = game.draws
    return Draws(own.repetition, own.no_progress_plies, plies if own.plies is None else min(plies, own.plies))


def _rule(rule: OpeningRule) -> Rule:
    return Rule(rule.plies, rule.depth, -1 if rule.margin is None else rule.margin)
