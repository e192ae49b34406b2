# SPDX-License-Identifier: GPL-3.0-or-later
"""Expected payoffs of memory-one strategies against each other, exactly: a Markov chain over the actions of a round."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bots.strategies.bulk import DILEMMA
from engine.games.dilemma import ROUNDS

Numbers = NDArray[np.float64]


def expected_payoffs(
    strategies: Sequence[Sequence[float]], *, rounds: int = ROUNDS, noise: float = 0.0, payoffs: Numbers = DILEMMA
) -> Numbers:
    """Return the expected payoff of a round by strategy and opponent, each itself included.

    A strategy is its probabilities of cooperation in the first round, and after CC, CD, DC and DD; the own action comes
    first. ``noise``: probability that the opposite of a choice is played.
    """
    numbers = np.asarray(strategies, float)
    cooperation = noise + (1 - 2 * noise) * numbers
    first, after = cooperation[:, 0], cooperation[:, 1:]
    # the opponent's view of CD is DC
    mirrored = after[:, [0, 2, 1, 3]]
    own, other = after[:, None, :], mirrored[None, :, :]
    # probabilities of CC, CD, DC, DD after each of the four, by strategy and opponent
    steps = np.stack([own * other, own * (1 - other), (1 - own) * other, (1 - own) * (1 - other)], axis=-1)
    one, two = first[:, None], first[None, :]
    now = np.stack([one * two, one * (1 - two), (1 - one) * two, (1 - one) * (1 - two)], axis=-1)
    total = np.zeros_like(now)
    for _ in range(rounds):
        total += now
        # no products of BLAS, which differ between machines
        now = (now[..., None] * steps).sum(axis=-2)
    return np.asarray((total * payoffs).sum(axis=-1) / rounds)
