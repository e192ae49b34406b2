# SPDX-License-Identifier: GPL-3.0-or-later
"""Refining a genome's numbers by games against itself (SPSA), and a refinement on disk.

Simultaneous perturbation stochastic approximation (J. Spall, 1992): for every pair of games each number moves up or
down at random. A player with these numbers plays a player with the opposite moves, both colours, from one of the
openings of breeding, and all numbers move a step towards the winner. Trials and steps become smaller by Spall's rules
(α = 0.602, γ = 0.101, A is a tenth of all pairs). The result is the mean of the points of the last half of the pairs,
because single steps are mostly noise. The program stays as it is.

The result depends on the plan alone, not on the number of threads.

On disk a refinement is JSON lines: its plan, then every point after its games. A last line that a kill has cut off is
dropped, and its games are played again, to the same bit. The genome of the newest point is saved beside it.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec

from bots.evolution.dynamics.spsa import ALPHA, GAMMA, SETTLED
from bots.evolution.evochess.contests import AGREED, PLIES, Opening, bred_openings, play
from bots.evolution.evochess.genome import SEARCH, Genome, checked, express, schema_for, write
from bots.evolution.evochess.player import Player
from bots.evolution.genome import Gene, Values
from bots.evolution.history import BEST, RUN, NotARun, check_version, replace_file
from bots.evolution.operators import chance_for
from engine.games import find

VERSION = 5
SEARCHED, WEIGHED, BOTH = WHAT = ("search", "weights", "both")
"""What can be refined: the search parameters, the evaluation's weights, or both."""


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings that determine a refinement."""

    version: int
    """Version of the format."""
    game: str
    """Name of the game."""
    seed: int
    """Seed of the refinement."""
    genome: Genome
    """The first genome."""
    nodes: int = 3_000
    """Average number of nodes per move."""
    pairs: int = 4_000
    """Number of pairs of games."""
    batch: int = 2
    """Pairs of games from one point."""
    trial: float = 0.2
    """Distance of the first trials, relative to the width of each gene's first range."""
    step: float = 0.15
    """The first step for a pair that is won twice, relative to the trial."""
    what: str = SEARCHED
    """The refined numbers: "search", "weights" or "both"."""
    plies: int = PLIES
    """Number of plies after which a game is a draw."""
    lineage: dict[str, object] = {}
    """Of the genome, for people and programs; no code depends on it."""


class Point(msgspec.Struct, frozen=True):
    """The state of a refinement after some pairs; numbers are in their own units."""

    pairs: int
    """Number of pairs of games so far."""
    values: Values
    """The point."""
    mean: Values
    """Mean of the points since half of the pairs; the point itself before."""
    moves: int = 0
    """Number of moves of these games."""
    nodes: int = 0
    """Of both players."""


def checked_plan(plan: Plan) -> Plan:
    """Return a validated plan. Raises ValueError and KeyError, with a message for people."""
    schema = schema_for(plan.game)
    checked(schema, plan.genome)
    if plan.version != VERSION:
        raise ValueError(f"the run is of version {plan.version}; this program reads version {VERSION}")
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
    """Return the first point."""
    search, weights = plan.genome.search, plan.genome.weights
    values = {SEARCHED: search, WEIGHED: weights, BOTH: (*search, *weights)}[plan.what]
    return Point(0, values, values)


def refined(plan: Plan, point: Point | None = None, threads: int = 1) -> Iterator[Point]:
    """Yield the following points, each after a batch of pairs. Raises ValueError and KeyError for an invalid plan."""
    checked_plan(plan)
    point, genes = point or begun(plan), genes_of(plan)
    with ThreadPoolExecutor(threads, thread_name_prefix="refining") as pool:
        while point.pairs < plan.pairs:
            trial, step = gains(plan, point.pairs)
            widths = [trial * (gene.first[1] - gene.first[0]) for gene in genes]
            numbers = range(point.pairs, min(point.pairs + plan.batch, plan.pairs))
            drawn = [_drawn(plan, number) for number in numbers]
            jobs = [pool.submit(_played, plan, point.values, widths, signs, opening) for signs, opening in drawn]
            values, moves, nodes = point.values, point.moves, point.nodes
            for (signs, _), job in zip(drawn, jobs, strict=True):
                lead, moved, visited = job.result()
                values = _moved(genes, values, widths, signs, step * lead)
                moves, nodes = moves + moved, nodes + visited
            point = Point(numbers.stop, values, _mean(plan, point, numbers.stop, values), moves, nodes)
            yield point


def gains(plan: Plan, pairs: int) -> tuple[float, float]:
    """Return the sizes of trials and steps after some pairs, in the units of the plan."""
    settled = SETTLED * plan.pairs
    return plan.trial / (1 + pairs) ** GAMMA, plan.step * ((settled + 1) / (settled + 1 + pairs)) ** ALPHA


def genome_of(plan: Plan, values: Values) -> Genome:
    """Return the genome with these numbers."""
    fitted = tuple(gene.fitted(value) for gene, value in zip(genes_of(plan), values, strict=True))
    count = 0 if plan.what == WEIGHED else len(SEARCH.genes)
    search, weights = fitted[:count] or plan.genome.search, fitted[count:] or plan.genome.weights
    return msgspec.structs.replace(plan.genome, search=search, weights=weights)


def genes_of(plan: Plan) -> tuple[Gene, ...]:
    """Return the refined genes in order."""
    weights = schema_for(plan.game).genes
    return {SEARCHED: SEARCH.genes, WEIGHED: weights, BOTH: (*SEARCH.genes, *weights)}[plan.what]


def _mean(plan: Plan, before: Point, pairs: int, values: Values) -> Values:
    """Return the mean of the points since half of the pairs, with one more."""
    half = plan.pairs // 2
    if before.pairs <= half:
        return values
    share = (pairs - before.pairs) / (pairs - half)
    return tuple(old + share * (new - old) for old, new in zip(before.mean, values, strict=True))


def _drawn(plan: Plan, number: int) -> tuple[list[int], Opening]:
    """Return the random choices of a pair: the direction of each number, 0 for fixed ones, and the opening."""
    chance = chance_for(plan.seed, "refining", number)
    signs = [0 if gene.fixed else chance.choice((-1, 1)) for gene in genes_of(plan)]
    return signs, chance.choice(bred_openings(find(plan.game)))


def _moved(genes: Sequence[Gene], values: Values, widths: Sequence[float], signs: Sequence[int], by: float) -> Values:
    """Return values moved by a multiple of a trial, within their bounds."""
    return tuple(
        min(max(value + by * sign * width, gene.low), gene.high)
        for gene, value, sign, width in zip(genes, values, signs, widths, strict=True)
    )


def _played(
    plan: Plan, values: Values, widths: Sequence[float], signs: Sequence[int], opening: Opening
) -> tuple[float, int, int]:
    """Return the lead of one side of a trial after two games, from -1 to 1, and the moves and nodes of both."""
    game, schema, genes = find(plan.game), schema_for(plan.game), genes_of(plan)
    one, other = (
        Player(game, express(schema, genome_of(plan, _moved(genes, values, widths, signs, side))), plan.nodes)
        for side in (1.0, -1.0)
    )
    games = [play(one, other, opening, seat, plies=plan.plies, ends=AGREED) for seat in (0, 1)]
    lead = sum(each.score for each in games) - 1
    return lead, sum(sum(each.moves) for each in games), sum(sum(each.nodes) for each in games)


def read(folder: Path) -> tuple[Plan, Point | None, int]:
    """Return the plan of a folder, its newest point, and how many bytes of the file are whole lines.

    Raises NotARun, with a message for people, and OSError.
    """
    path = folder / RUN
    with path.open("rb") as file:
        lines = [line for line in file if line.endswith(b"\n")]
    if not lines:
        raise NotARun(f"{path} holds no refinement, or one that was cut short")
    check_version(path, lines[0], VERSION)
    try:
        plan = checked_plan(msgspec.json.decode(lines[0], type=Plan))
        point = msgspec.json.decode(lines[-1], type=Point) if len(lines) > 1 else None
        if point:
            genome_of(plan, point.mean)
    except (msgspec.DecodeError, KeyError, ValueError) as error:
        raise NotARun(f"{path} holds no refinement that can be read: {error.args[0]}") from None
    return plan, point, sum(map(len, lines))


def followed(folder: Path, plan: Plan, threads: int = 1) -> Iterator[Point]:
    """Yield the newest point of a folder, if there is one, then new ones as they are saved.

    Raises NotARun when the folder holds another run, ValueError and KeyError for a plan that cannot be followed, and
    OSError.
    """
    checked_plan(plan)
    folder.mkdir(parents=True, exist_ok=True)
    path, point = folder / RUN, None
    if path.exists() and path.stat().st_size:
        begun, point, end = read(folder)
        if begun != plan:
            names = [name for name in Plan.__struct_fields__ if getattr(begun, name) != getattr(plan, name)]
            raise NotARun(f"{path} holds another refinement: {', '.join(names)} differ")
        with path.open("ab") as file:
            file.truncate(end)
        if point:
            yield point
    else:
        path.write_bytes(msgspec.json.encode(plan) + b"\n")
    for after in refined(plan, point, threads):
        with path.open("ab") as file:
            file.write(msgspec.json.encode(after) + b"\n")
        replace_file(folder / BEST, best_file(plan, after).encode())
        yield after


def best_file(plan: Plan, point: Point) -> str:
    """Return the genome of a point as a file; its lineage is that of the first genome and the refinement."""
    latest = {
        "by": "spsa",
        "what": plan.what,
        "seed": plan.seed,
        "pairs": point.pairs,
        "of": plan.pairs,
        "batch": plan.batch,
        "trial": plan.trial,
        "step": plan.step,
    }
    before = plan.lineage.get("refined")
    every = [*(before if isinstance(before, list) else []), latest]
    lineage = {**plan.lineage, "nodes": plan.nodes, "refined": every}
    return write(schema_for(plan.game), genome_of(plan, point.mean), plan.nodes, lineage)
