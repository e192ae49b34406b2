# SPDX-License-Identifier: GPL-3.0-or-later
"""A gauntlet: a few heads play all others, and the others do not play each other.

Players are numbered from 0, the heads first; the first player of a pair moves first.
"""


def gauntlet(players: int, heads: int = 1, cycles: int = 1) -> list[list[tuple[int, int]]]:
    """Return the rounds in which each head meets each of the others once in every cycle, colours reversed in every
    second one.

    Nobody plays twice in a round. Raises ValueError when there is nobody to meet.
    """
    others = players - heads
    if heads < 1 or others < 1:
        raise ValueError(f"a gauntlet of {players} players cannot have {heads} heads")
    if cycles < 1:
        raise ValueError(f"a gauntlet has at least one cycle, not {cycles}")
    rounds = []
    for cycle in range(cycles):
        for turn in range(max(heads, others)):
            pairs = []
            for seat in range(min(heads, others)):
                shifted = (seat + turn) % max(heads, others)
                head, other = (seat, heads + shifted) if heads <= others else (shifted, heads + seat)
                pairs.append((other, head) if (turn + seat + cycle) % 2 else (head, other))
            rounds.append(pairs)
    return rounds
