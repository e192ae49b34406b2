# SPDX-License-Identifier: GPL-3.0-or-later
"""Population dynamics of strategies whose mutual payoffs are known: shares over time, fixation and invasions.

All read a square matrix: the payoff of the row's strategy against the column's. The dynamics are those of
``bots.evolution.dynamics``, which breeds by them; what both need is here.

- Ecological (R. Axelrod, The Evolution of Cooperation, 1984): the next share is in proportion to share times mean
  payoff. Payoffs must not be negative.
- Replicator (P. D. Taylor and L. B. Jonker, 1978): shares follow dx/dt = x times (own mean payoff - that of all), in
  steps that multiply each share by e^(step times payoff).
- Moran (P. A. P. Moran, 1958; frequency-dependent: M. A. Nowak and others, 2004): in a population of a fixed size a
  parent, chosen by its mean payoff against the others, has a child, which replaces a random member. A generation has as
  many births as the population has members.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, fsum

Matrix = Sequence[Sequence[float]]

DYNAMICS = ("ecological", "replicator", "moran")

STEP = 0.05
"""Time of a generation of the replicator, in units of 1 / (largest - smallest payoff)."""
FIXED = 0.99
"""Share at which a strategy has taken over an infinite population."""
GONE = 0.001
"""Share below which a strategy has died out in an infinite population."""
USUAL_GENERATIONS = {"ecological": 500, "replicator": 500, "moran": 200}
MOST_GENERATIONS = 10_000
USUAL_MEMBERS = 100
MOST_MEMBERS = 1_000


@dataclass(frozen=True, slots=True)
class Course:
    """Shares of strategies over time."""

    shares: list[list[float]]
    """A row for each generation, the first one included: the share of each strategy, in sum 1."""
    fixed: tuple[int, int] | None
    """The strategy that took over and the generation in which it did; None: none has."""
    extinct: list[int | None]
    """The first generation from which on each strategy is gone; None: it is there at the end."""


def mean_results(players: int, games: Sequence[tuple[int, int, float, float]]) -> list[list[float | None]]:
    """Return the mean result of each player against each; None where they did not meet.

    A game: both players, and what each got. A player that met itself has the mean of both seats there.
    """
    cells: list[list[list[float]]] = [[[] for _ in range(players)] for _ in range(players)]
    for first, second, one, other in games:
        cells[first][second].append(one)
        cells[second][first].append(other)
    return [[fsum(cell) / len(cell) if cell else None for cell in row] for row in cells]


# ---------------------------------------------------------------- a generation


def proportional(rates: Sequence[float]) -> list[float]:
    """Return mean payoffs as factors of growth. Raises ValueError for negative ones, and if all are 0."""
    if min(rates) < 0 or max(rates) == 0:
        raise ValueError(f"proportional growth needs payoffs of 0 or more, not only 0 (got {min(rates):g})")
    return list(rates)


def replicating(rates: Sequence[float], step: float, spread: float) -> list[float]:
    """Return the factors of growth of the replicator; ``spread``: the largest minus the smallest payoff."""
    most = max(rates)
    return [exp(step * (rate - most) / (spread or 1.0)) for rate in rates]


def mean_payoffs(payoffs: Matrix, shares: Sequence[float]) -> list[float]:
    """Return the mean payoff of each strategy against an infinite population with these shares."""
    return [fsum(payoff * share for payoff, share in zip(row, shares, strict=True)) for row in payoffs]


def _generation(payoffs: Matrix, counts: list[int], chance: random.Random) -> None:
    """As many births and deaths as there are members. A member does not play against itself."""
    size, places = sum(counts), range(len(counts))
    sums = [fsum(payoff * count for payoff, count in zip(row, counts, strict=True)) for row in payoffs]
    for _ in range(size):
        present = [place for place in places if counts[place]]
        if len(present) == 1:
            return
        # rounding may leave a little below 0
        weights = [counts[own] * max(sums[own] - payoffs[own][own], 0.0) for own in present]
        now = [counts[own] for own in present]
        [parent] = chance.choices(present, weights if any(weights) else now)
        [victim] = chance.choices(present, now)
        counts[parent] += 1
        counts[victim] -= 1
        for place in places:
            sums[place] += payoffs[place][parent] - payoffs[place][victim]


# ---------------------------------------------------------------- a course


def course(
    payoffs: Matrix,
    dynamics: str,
    generations: int | None = None,
    *,
    members: int = USUAL_MEMBERS,
    step: float = STEP,
    start: Sequence[float] | None = None,
    seed: int = 0,
) -> Course:
    """Return the shares over generations, by default from equal ones.

    ``members``: size of the population of the Moran process; the first generation has the members that come nearest
    to the shares. Raises ValueError for payoffs that the dynamics do not allow, and for wrong numbers.
    """
    count = len(payoffs)
    generations = USUAL_GENERATIONS[dynamics] if generations is None else generations
    if not 1 <= generations <= MOST_GENERATIONS:
        raise ValueError(f"the number of generations must be 1 to {MOST_GENERATIONS:,} (got {generations})")
    if count < 2:
        raise ValueError(f"dynamics need 2 strategies or more (got {count})")
    begun = [1 / count] * count if start is None else [share / fsum(start) for share in start]
    if dynamics == "moran":
        proportional([min(map(min, payoffs)), max(map(max, payoffs))])
        if not max(2, count) <= members <= MOST_MEMBERS:
            raise ValueError(f"{count} strategies need {max(2, count)} to {MOST_MEMBERS:,} members (got {members})")
        rows = _moran(payoffs, begun, generations, members, seed)
        return Course(rows, taken(rows, 1.0), extinct(rows, 0.0))
    spread = max(map(max, payoffs)) - min(map(min, payoffs))
    rows = [begun]
    for _ in range(generations):
        rates = mean_payoffs(payoffs, rows[-1])
        factors = proportional(rates) if dynamics == "ecological" else replicating(rates, step, spread)
        grown = [share * factor for share, factor in zip(rows[-1], factors, strict=True)]
        rows.append([share / fsum(grown) for share in grown])
    return Course(rows, taken(rows, FIXED), extinct(rows, GONE))


def _moran(payoffs: Matrix, begun: Sequence[float], generations: int, members: int, seed: int) -> list[list[float]]:
    chance = random.Random(f"moran {seed}")
    counts = [int(share * members) for share in begun]
    # the members that are left over go to the largest remainders
    nearest = sorted(range(len(begun)), key=lambda place: counts[place] - begun[place] * members)
    for place in nearest[: members - sum(counts)]:
        counts[place] += 1
    rows = [[count / members for count in counts]]
    for _ in range(generations):
        _generation(payoffs, counts, chance)
        rows.append([count / members for count in counts])
    return rows


def taken(rows: Sequence[Sequence[float]], least: float) -> tuple[int, int] | None:
    """Return the strategy that has ``least`` of the last generation, and since when without a break; None: none has."""
    winner = max(range(len(rows[-1])), key=lambda place: rows[-1][place])
    since = len(rows)
    while since and rows[since - 1][winner] >= least:
        since -= 1
    return None if since == len(rows) else (winner, since)


def extinct(rows: Sequence[Sequence[float]], most: float) -> list[int | None]:
    """Return for each strategy since when its share is at most ``most``; None: it is larger at the end."""
    found: list[int | None] = []
    for place in range(len(rows[0])):
        since = len(rows)
        while since and rows[since - 1][place] <= most:
            since -= 1
        found.append(None if since == len(rows) else since)
    return found


# ---------------------------------------------------------------- invasions


def invaders(payoffs: Matrix) -> list[list[int]]:
    """Return for each strategy those that can invade an infinite population in which all others play it.

    By J. Maynard Smith and G. R. Price (1973): a rare strategy invades if it gets more against the residents than they
    get against each other, or as much, and more against its own kind than residents get against it. A strategy without
    invaders is stable against the others.
    """
    found = []
    for resident in range(len(payoffs)):
        own = payoffs[resident][resident]
        found.append(
            [
                other
                for other in range(len(payoffs))
                if other != resident
                and (payoffs[other][resident], payoffs[other][other]) > (own, payoffs[resident][other])
            ]
        )
    return found
