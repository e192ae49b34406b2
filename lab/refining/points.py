# SPDX-License-Identifier: GPL-3.0-or-later
"""Refining a genome's numbers by its own games: simultaneous perturbation stochastic approximation (J. Spall, 1992).

For every pair of games each number goes up or down by lot; who has these plays who has the opposite, both colours from
one of breeding's openings, and all numbers go a step towards the winner. Trials and steps become smaller by Spall's
rules (α = 0.602, γ = 0.101, A a tenth of all pairs), and what is declared in the end is the mean of where the last half
of the pairs led, as single steps are mostly luck. The program and the switches of the frame stay as they are.

What comes of it follows from the plan alone, whatever the number of threads.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import msgspec

from bots.evolution.dynamics.spsa import ALPHA, GAMMA, SETTLED
from bots.evolution.evochess.contests import AGREED, PLIES, Opening, bred_openings, play
from bots.evolution.evochess.genome import HABITS, SWITCHES, Genome, checked, express, schema_for
from bots.evolution.genes import Gene, Values
from bots.evolution.operators import chance_for
from bots.evolution.steered.player import Player
from engine.games import find

VERSION = 3
HABITUAL, WEIGHED, BOTH = WHAT = ("habits", "weights", "both")
"""What can be refined: the habits, the evaluation's weights, or all of them."""


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that a refinement follows from."""

    version: int
    game: str
    seed: int
    genome: Genome
    """Where it begins."""
    nodes: int = 3_000
    """Visited a move, on average."""
    pairs: int = 4_000
    """Of games, in all."""
    batch: int = 2
    """Pairs that are played from one point."""
    trial: float = 0.2
    """How far numbers go from the point at first, in parts of the width that each begins with."""
    step: float = 0.15
    """How far the point goes at first for a pair that is won twice, in parts of the trial."""
    what: str = HABITUAL
    """Which numbers are refined: of ``WHAT``."""
    plies: int = PLIES
    lineage: dict[str, object] = {}
    """Of the genome, for people and programs; nothing depends on it."""


class Point(msgspec.Struct, frozen=True):
    """Where a refinement stands after so many pairs; numbers are in their own units."""

    pairs: int
    values: Values
    mean: Values
    """Of the points of the last half of all pairs, so far; the point itself before."""
    moves: int = 0
    nodes: int = 0
    """Of all players."""


def checked_plan(plan: Plan) -> Plan:
    """Return a plan that can be followed. Raises ValueError and KeyError, with a message for people."""
    schema = schema_for(plan.game)
    checked(schema, plan.genome)
    if plan.version != VERSION:
        raise ValueError(f"the run is of version {plan.version}; this is version {VERSION}")
    for name, least, most in (
        ("nodes", 1, 10**9),
        ("pairs", 1, 10**9),
        ("batch", 1, 10_000),
        ("trial", 0.001, 1),
        ("step", 0, 10),
        ("plies", 10, 10_000),
    ):
        value = getattr(plan, name)
        if not least <= value <= most:
            raise ValueError(f"{name} must be from {least:g} to {most:g}, not {value:g}")
    if plan.what not in WHAT:
        raise ValueError(f"refined are {', '.join(WHAT)}, not {plan.what[:40]!r}")
    return plan


def begun(plan: Plan) -> Point:
    """Return where a refinement begins."""
    habits, weights = plan.genome.habits, plan.genome.weights
    values = {HABITUAL: habits, WEIGHED: weights, BOTH: (*habits, *weights)}[plan.what]
    return Point(0, values, values)


def refined(plan: Plan, point: Point | None = None, threads: int = 1) -> Iterator[Point]:
    """Yield the points after one, each after a batch of pairs. Raises ValueError and KeyError for no good plan."""
    checked_plan(plan)
    point, genes = point or begun(plan), genes_of(plan)
    with ThreadPoolExecutor(threads, thread_name_prefix="refining") as pool:
        while point.pairs < plan.pairs:
            trial, step = gains(plan, point.pairs)
            widths = [trial * (gene.first[1] - gene.first[0]) for gene in genes]
            numbers = range(point.pairs, min(point.pairs + plan.batch, plan.pairs))
            lots = [_lots(plan, number) for number in numbers]
            jobs = [pool.submit(_met, plan, point.values, widths, signs, opening) for signs, opening in lots]
            values, moves, nodes = point.values, point.moves, point.nodes
            for (signs, _), job in zip(lots, jobs, strict=True):
                lead, moved, visited = job.result()
                values = _moved(genes, values, widths, signs, step * lead)
                moves, nodes = moves + moved, nodes + visited
            point = Point(numbers.stop, values, _mean(plan, point, numbers.stop, values), moves, nodes)
            yield point


def gains(plan: Plan, pairs: int) -> tuple[float, float]:
    """Return how far trials go after so many pairs, and how far the point goes, in parts as those of the plan."""
    settled = SETTLED * plan.pairs
    return plan.trial / (1 + pairs) ** GAMMA, plan.step * ((settled + 1) / (settled + 1 + pairs)) ** ALPHA


def genome_of(plan: Plan, values: Values) -> Genome:
    """Return the genome that has these numbers."""
    fitted = tuple(gene.fitted(value) for gene, value in zip(genes_of(plan), values, strict=True))
    count = 0 if plan.what == WEIGHED else len(HABITS.genes)
    habits, weights = fitted[:count] or plan.genome.habits, fitted[count:] or plan.genome.weights
    return msgspec.structs.replace(plan.genome, habits=habits, weights=weights)


def genes_of(plan: Plan) -> tuple[Gene, ...]:
    """Return what is refined, in order."""
    weights = schema_for(plan.game).genes
    return {HABITUAL: HABITS.genes, WEIGHED: weights, BOTH: (*HABITS.genes, *weights)}[plan.what]


def _mean(plan: Plan, before: Point, pairs: int, values: Values) -> Values:
    """Return the mean of the points of the last half, after one more."""
    half = plan.pairs // 2
    if before.pairs <= half:
        return values
    share = (pairs - before.pairs) / (pairs - half)
    return tuple(old + share * (new - old) for old, new in zip(before.mean, values, strict=True))


def _lots(plan: Plan, number: int) -> tuple[list[int], Opening]:
    """Return what a pair is played by: where each number goes, 0 for those that stay, and the opening."""
    chance = chance_for(plan.seed, "refining", number)
    still = set() if plan.what == WEIGHED else set(SWITCHES)
    signs = [0 if gene.fixed or place in still else chance.choice((-1, 1)) for place, gene in enumerate(genes_of(plan))]
    return signs, chance.choice(bred_openings(find(plan.game)))


def _moved(genes: Sequence[Gene], values: Values, widths: Sequence[float], signs: Sequence[int], by: float) -> Values:
    """Return values that are so many times as far as a trial away, within their bounds."""
    return tuple(
        min(max(value + by * sign * width, gene.low), gene.high)
        for gene, value, sign, width in zip(genes, values, signs, widths, strict=True)
    )


def _met(
    plan: Plan, values: Values, widths: Sequence[float], signs: Sequence[int], opening: Opening
) -> tuple[float, int, int]:
    """Return by how much one side of a trial leads after two games, from -1 to 1; and the moves and nodes of both."""
    game, schema, genes = find(plan.game), schema_for(plan.game), genes_of(plan)
    one, other = (
        Player(game, express(schema, genome_of(plan, _moved(genes, values, widths, signs, side))), plan.nodes)
        for side in (1.0, -1.0)
    )
    games = [play(one, other, opening, seat, plies=plan.plies, ends=AGREED) for seat in (0, 1)]
    lead = sum(each.score for each in games) - 1
    return lead, sum(sum(each.moves) for each in games), sum(sum(each.nodes) for each in games)
