# SPDX-License-Identifier: GPL-3.0-or-later
"""A knockout bracket: losers are eliminated. The best seeds can only be paired in the last rounds, and have the byes of
the first round.

Players are numbered from 0 in the order of their seeds.
"""

from collections.abc import Sequence

Pair = tuple[int, int | None]
"""Two players, or one with a bye."""


def rounds(players: int) -> int:
    """Return how many rounds lead to one winner. Raises ValueError for fewer than two players."""
    if players < 2:
        raise ValueError(f"a knockout needs two players, not {players}")
    return (players - 1).bit_length()


def first_round(players: int) -> list[Pair]:
    """Return the pairs of the first round, in the order of the bracket: winners of neighbours meet in the next.

    Raises ValueError for fewer than two players.
    """
    order = [0]
    for _ in range(rounds(players)):
        # each seed is joined by the one that completes the sum of its round
        order = [seed for one in order for seed in (one, 2 * len(order) - 1 - one)]
    return [
        (one, other if other < players else None)
        for one, other in (sorted(pair) for pair in zip(order[::2], order[1::2], strict=True))
    ]


def next_round(winners: Sequence[int]) -> list[Pair]:
    """Return the pairs of the winners of a round, which are in the order of the bracket; the better seed is first."""
    pairs = (sorted(pair) for pair in zip(winners[::2], winners[1::2], strict=True))
    return [(one, other) for one, other in pairs]
