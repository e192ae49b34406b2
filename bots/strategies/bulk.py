# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches and round robins of strategies of the iterated Prisoner's Dilemma, played whole in compiled code.

Each match is a function of its seed. ``choice`` returns one action of a strategy, for bots; a match of bots, replayed
with ``choice``, has the same actions.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bots.strategies.catalogue import Strategy
from bots.strategies.kernels import choose
from bots.strategies.view import REGISTERS, UNKNOWN, View
from engine.games.dilemma import PAYOFFS, ROUNDS
from engine.kernel import compiled, part
from engine.native.buffers import borrowed
from engine.splitmix import GOLDEN, fraction, scramble

DILEMMA = np.array([cell[0] for row in PAYOFFS for cell in row])
"""Own payoff of a round by 2 · own action + the other's."""

PARAMETERS = 8
"""Maximum number of parameters of a strategy."""

Actions = NDArray[np.int8]
Numbers = NDArray[np.float64]


@part
def _match(
    kernels: NDArray[np.int64],
    numbers: Numbers,
    pair: tuple[int, int],
    rounds: int,
    known: int,
    noise: float,
    payoffs: Numbers,
    seed: np.uint64,
    actions: NDArray[np.int8],
    memory: Numbers,
    score: Numbers,
) -> None:
    """Play one match; write the payoffs of both seats, then their numbers of cooperations, into ``score``."""
    first, second = pair
    one, other = borrowed(actions[0]), borrowed(actions[1])
    memory[:] = 0
    one_seed, other_seed, noise_seed = scramble(seed + np.uint64(1)), scramble(seed + np.uint64(2)), scramble(seed)
    one_defections = other_defections = 0
    one_total = other_total = 0.0
    one_numbers, other_numbers = borrowed(numbers[first]), borrowed(numbers[second])
    one_memory, other_memory = borrowed(memory[0]), borrowed(memory[1])
    for turn in range(rounds):
        a = choose(
            kernels[first],
            View(one, other, turn, one_defections, other_defections, known, payoffs, one_numbers, one_memory, one_seed),
        )
        b = choose(
            kernels[second],
            View(
                other,
                one,
                turn,
                other_defections,
                one_defections,
                known,
                payoffs,
                other_numbers,
                other_memory,
                other_seed,
            ),
        )
        if noise > 0:
            noise_seed += GOLDEN
            if fraction(scramble(noise_seed)) < noise:
                a = 1 - a
            noise_seed += GOLDEN
            if fraction(scramble(noise_seed)) < noise:
                b = 1 - b
        one[turn], other[turn] = a, b
        one_defections += a
        other_defections += b
        one_total += payoffs[2 * a + b]
        other_total += payoffs[2 * b + a]
    score[0], score[1] = one_total, other_total
    score[2], score[3] = rounds - one_defections, rounds - other_defections


@compiled
def _play(kernels, numbers, pair, rounds, known, noise, payoffs, seed, actions, memory, score):  # type: ignore[no-untyped-def]  # numba infers the types
    _match(kernels, numbers, pair, rounds, known, noise, borrowed(payoffs), seed, actions, memory, score)


@compiled
def _round_robin(  # type: ignore[no-untyped-def]  # numba infers the types
    kernels, numbers, rounds, known, noise, payoffs, seed, actions, memory, points, cooperation
):
    """Play each strategy against each, itself included, once for each matrix of ``points``."""
    score = np.empty(4)
    payoffs = borrowed(payoffs)
    number = np.uint64(0)
    for repetition in range(len(points)):
        for first in range(len(kernels)):
            for second in range(first, len(kernels)):
                number += np.uint64(1)
                own = scramble(seed + number * GOLDEN)
                pair = (first, second)
                _match(kernels, numbers, pair, rounds, known, noise, payoffs, own, actions, memory, score)
                points[repetition, first, second] = score[0]
                cooperation[repetition, first, second] = score[2]
                if first == second:
                    # both seats are the same player
                    points[repetition, first, second] = (score[0] + score[1]) / 2
                    cooperation[repetition, first, second] = (score[2] + score[3]) / 2
                else:
                    points[repetition, second, first] = score[1]
                    cooperation[repetition, second, first] = score[3]


@compiled
def _choice(kernel, numbers, own, other, rounds, payoffs, memory, seed):  # type: ignore[no-untyped-def]  # numba infers the types
    """Replay a match from one side; return the next action."""
    own, other = borrowed(own), borrowed(other)
    payoffs, numbers, memory = borrowed(payoffs), borrowed(numbers), borrowed(memory)
    own_defections = other_defections = action = 0
    for turn in range(len(own) + 1):
        action = choose(
            kernel,
            View(own, other, turn, own_defections, other_defections, rounds, payoffs, numbers, memory, seed),
        )
        if turn < len(own):
            own_defections += own[turn]
            other_defections += other[turn]
    return action


@dataclass(frozen=True)
class RoundRobin:
    """The result of a round robin. The rows are the strategies, the columns their opponents, themselves included."""

    points: NDArray[np.float64]
    """Payoff of a match by repetition, strategy and opponent."""
    cooperation: NDArray[np.float64]
    """Number of cooperations, likewise."""

    @property
    def payoffs(self) -> NDArray[np.float64]:
        """The mean payoff of a match by strategy and opponent."""
        return np.asarray(self.points.mean(axis=0))

    def scores(self, *, self_play: bool = True) -> NDArray[np.float64]:
        """Return the mean payoff of a match by repetition and strategy."""
        if self_play:
            return np.asarray(self.points.mean(axis=2))
        count = self.points.shape[1]
        own = np.diagonal(self.points, axis1=1, axis2=2)
        return np.asarray((self.points.sum(axis=2) - own) / (count - 1))


def _table(strategies: Sequence[Strategy]) -> tuple[NDArray[np.int64], Numbers]:
    numbers = np.zeros((len(strategies), PARAMETERS))
    for place, strategy in enumerate(strategies):
        numbers[place, : len(strategy.numbers)] = strategy.numbers
    return np.array([strategy.kernel for strategy in strategies], np.int64), numbers


def round_robin(
    strategies: Sequence[Strategy],
    *,
    rounds: int = ROUNDS,
    repetitions: int = 5,
    noise: float = 0.0,
    seed: int = 0,
    length_known: bool = True,
    payoffs: Numbers = DILEMMA,
) -> RoundRobin:
    """Play all pairs of strategies, each strategy against itself included.

    ``noise``: probability that the opposite of a choice is played; ``length_known``: whether the strategies know the
    number of rounds. Raises ValueError for numbers out of range.
    """
    if rounds < 1 or repetitions < 1 or not strategies:
        raise ValueError("a round robin needs a strategy, a round and a repetition")
    if not 0 <= noise <= 1:
        raise ValueError(f"noise must be a probability (got {noise:g})")
    count = len(strategies)
    points, cooperation = np.empty((2, repetitions, count, count))
    actions, memory = np.zeros((2, rounds), np.int8), np.zeros((2, REGISTERS))
    known = rounds if length_known else UNKNOWN
    _round_robin(
        *_table(strategies), rounds, known, noise, payoffs, np.uint64(seed), actions, memory, points, cooperation
    )
    return RoundRobin(points, cooperation)


def play(
    first: Strategy, second: Strategy, *, rounds: int = ROUNDS, noise: float = 0.0, seed: int = 0
) -> tuple[list[int], list[int]]:
    """Return the actions of both seats of a match, 0 for C and 1 for D."""
    actions, memory, score = np.zeros((2, rounds), np.int8), np.zeros((2, REGISTERS)), np.empty(4)
    _play(*_table((first, second)), (0, 1), rounds, rounds, noise, DILEMMA, np.uint64(seed), actions, memory, score)
    return actions[0].tolist(), actions[1].tolist()


def seed_of(seed: int, seat: int) -> int:
    """Return the seed of a seat's choices in ``play`` with a seed."""
    return int(_scrambled(np.uint64(seed), np.uint64(seat + 1)))


@compiled
def _scrambled(seed, seat):  # type: ignore[no-untyped-def]  # numba infers the types
    return scramble(seed + seat)


def choice(
    strategy: Strategy, own: Sequence[int], other: Sequence[int], *, rounds: int | None, seed: int, payoffs: Numbers
) -> int:
    """Return the next action of a strategy, 0 for C and 1 for D, after these actions of both seats.

    ``rounds``: number of rounds of the match, None: unknown.
    """
    kernels, numbers = _table((strategy,))
    return int(
        _choice(
            kernels[0],
            numbers[0],
            np.array(own, np.int8),
            np.array(other, np.int8),
            UNKNOWN if rounds is None else rounds,
            payoffs,
            np.zeros(REGISTERS),
            np.uint64(seed),
        )
    )
