# SPDX-License-Identifier: GPL-3.0-or-later
"""The page docs/reports/cluster-size.md: what was measured, what the model predicts, and what speaks against it."""

import textwrap
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from msgspec import structs

from lab.simulation import fitting
from lab.simulation.comparing import TOLERANCE, Comparison
from lab.simulation.costs import Costs, Measured
from lab.simulation.loads import Load
from lab.simulation.measuring import commit
from lab.simulation.plots import draw
from lab.simulation.questions import AFTER, BUSY, LATE, SEEDS, SPREAD, Answers, Size
from lab.simulation.writing import GATHERING

REPORTS = Path(__file__).parents[2] / "docs" / "reports"
NAME = "cluster-size"
"""Of the page, and of the folder with its plots."""

NODE_COSTS = {
    "standing": "a second without any load",
    "door": "a move's three messages on bots' sockets: the move, its acknowledgement, the next turn",
    "referee": "a move in a match that the node referees",
    "group": "a group of commands that the node commits",
    "frame": "a frame to or from the bus",
    "message": "a message in such a frame",
    "burst": "a burst of moves that it shows to spectators: those of one group, or of one frame",
    "shown": "a move that the node shows to spectators",
    "echoed": "the same, if another node referees the match",
    "viewer": "each spectator who receives the move",
}


def write(measured: Measured, answers: Answers, folder: Path = REPORTS) -> Path:
    """Write the page and its plots into a folder, and return where the page is."""
    lines = "\n".join(_lines(measured, answers))  # first: it names the commit, as long as nothing is changed
    draw(folder / NAME, answers)
    page = folder / f"{NAME}.md"
    page.write_text(lines, encoding="utf-8")
    return page


def _lines(measured: Measured, answers: Answers) -> Iterable[str]:
    today = datetime.now(UTC).date().isoformat()
    counted = fitting.calm(measured.observations)
    dropped = len(measured.observations) - len(counted)
    yield from ("# Size of a cluster, by simulation", "")
    yield from _paragraph(
        """How many nodes do 10,000 matches with 100,000 spectators need? Which part reaches its limit first? What
        happens in the minute after a node dies? A discrete-event model of the [cluster](../how-to/cluster.md) answers
        these questions. Its costs were measured on real clusters of one, two and three nodes."""
    )
    yield from ("```sh", "make simulate ARGS=measure   # runs real clusters, and stores the measured costs")
    yield from ("make simulate ARGS=report    # simulates large ones, and writes this page", "```", "")
    yield from _paragraph(
        f"""Measured on {measured.date} at commit {measured.commit}, with Python {measured.python} and {measured.cores}
        cores for all programs together, those that make the load too. Programs that have nothing to do with it kept
        {_spread([each.others for each in counted], ".2f")} cores busy meanwhile: median (range). {dropped} of
        {len(measured.observations)} observations do not count: it was {fitting.CALM:g} cores more than during the
        calmest one of the same load, or the servers used more than
        {100 * (fitting.SLOWER - 1):.0f} % more processor time than
        during the quickest one. Simulated on {today} at commit {commit()}."""
    )
    yield from ("## Answers", "", *_answers(answers), "")
    yield from ("## Costs", "", *_costs(measured))
    yield from ("## Predictions beside measurements", "", *_predictions(answers))
    yield from ("## Number of nodes", "", *_sizes(answers))
    yield from ("## Death of a node", "", *_death(measured, answers))
    yield from ("## What speaks against it", "")
    for limit in LIMITS:
        yield from _paragraph(f"- {limit}")
    yield ""


def _paragraph(text: str) -> list[str]:
    """Return a paragraph, or an item of a list, in lines of at most 120 characters, and an empty line if it is none."""
    indent = "  " if text.startswith("- ") else ""
    lines = textwrap.wrap(" ".join(text.split()), 120, subsequent_indent=indent, break_long_words=False)
    return lines if indent else [*lines, ""]


def _picture(name: str, alternative: str) -> list[str]:
    return [
        "<picture>",
        f'  <source media="(prefers-color-scheme: dark)" srcset="{NAME}/{name}-dark.svg">',
        f'  <img src="{NAME}/{name}-light.svg" alt="{alternative}" width="768" height="360">',
        "</picture>",
        "",
    ]


def _spread(values: Sequence[float], form: str) -> str:
    """Return a median, with the range if there is one."""
    low, middle, high = (format(value, form) for value in (min(values), median(values), max(values)))
    return middle if low == high else f"{middle} ({low} to {high})"


# ---------------------------------------------------------------- sections


def _answers(answers: Answers) -> Iterable[str]:
    for scenario, sizes in answers.sizes.items():
        found = next((size for size in sizes if size.enough), None)
        if found is None:
            most = sizes[-1].load.nodes
            yield from _paragraph(f"- {_upper(scenario.title)}: more than {most} nodes, the most that were tried.")
        else:
            yield from _paragraph(
                f"""- {_upper(scenario.title)}: {found.load.nodes} nodes. 99 % of the turns come within
                {1e3 * found.late:.0f} ms, and the busiest node but the leader uses
                {100 * found.busiest:.0f} % of its processor, the leader {100 * found.leader:.0f} %."""
            )
    small = answers.sizes[SPREAD][0]
    deaths = [loss.death for loss in answers.losses]
    last = max(max(death.moved.values(), default=0.0) for death in deaths)
    yield from _paragraph(
        f"""- The first bottleneck is {_bottleneck(answers)}. With {small.load.nodes} nodes the cluster relays
        {median(each.moves for each in small.outcomes):,.0f} of the {small.load.moves:,.0f} moves a second."""
    )
    yield from _paragraph(
        f"""- If one of {answers.chosen} nodes dies, its {_spread([death.matches for death in deaths], ".0f")} matches
        stand still until others take them over. The last one that moves again does so after {last:.1f} s.
        {_reservation(answers)}"""
    )


def _reservation(answers: Answers) -> str:
    """Return what makes the answer about the death of a node doubtful, or nothing."""
    never = max(loss.never for loss in answers.losses)
    borne = any(
        size.enough for each, sizes in answers.sizes.items() for size in sizes
        if (each.placement, size.load.nodes) == (SPREAD.placement, answers.chosen)
    )  # fmt: skip
    told = "" if borne else f"{answers.chosen} nodes cannot carry this load: they would be slow without a death, too. "
    return f"{told}At the end of one run {never} matches had not moved again." if never else told


def _listed(values: Sequence[float]) -> str:
    return ", ".join(f"{value:.0f}" for value in values)


def _upper(text: str) -> str:
    return text[0].upper() + text[1:]


def _bottleneck(answers: Answers) -> str:
    """Return what is used most where the load is just borne."""
    sizes = answers.sizes[SPREAD]
    size = next((each for each in sizes if each.enough), sizes[-1])
    machines = answers.machines
    uses = {
        "the leader's processor": size.leader,
        "the nodes' processors": size.busiest,
        "the database": median(each.database for each in size.outcomes) / machines.database,
        "the bus": median(each.bus for each in size.outcomes) / machines.bus,
    }
    first, second, *_ = sorted(uses, key=lambda name: -uses[name])
    return f"{first} ({100 * uses[first]:.0f} % used), followed by {second} ({100 * uses[second]:.0f} %)"


def _costs(measured: Measured) -> Iterable[str]:
    costs = measured.costs
    fitted = [each for each in fitting.calm(measured.observations) if each.fitted]
    pairs = [
        (use, told)
        for each in fitted
        for use, told in zip(each.nodes, fitting.predicted(costs.node, each), strict=True)
        if use > fitting.FLOOR
    ]
    off = sorted(abs(told / use - 1) for use, told in pairs)
    yield from _paragraph(
        f"""Least squares over {len(fitted)} observations ({len(pairs)} uses of nodes above {100 * fitting.FLOOR:.0f} %
        of a core) of {len({each.load for each in fitted})} loads. The costs explain the use of a node with an error of
        {100 * median(off):.0f} % (median), and of {100 * off[int(0.9 * len(off))]:.0f} % at most in nine of ten cases.
        Microseconds of processor time:"""
    )
    yield from ("| program | for | µs |", "|---|---|---|")
    for name, value in structs.asdict(costs.node).items():
        yield f"| node | {NODE_COSTS[name]} | {1e6 * value:,.0f} |"
    for program, what, value in _others(costs):
        yield f"| {program} | {what} | {1e6 * value:,.{0 if value > 1e-5 else 1}f} |"
    yield ""
    yield from _paragraph(
        f"""A match has {costs.plies:.0f} moves; the cost of a move has its share of the match's begin and end. These
        loads cannot tell a cost of 0 from its neighbours."""
    )


def _others(costs: Costs) -> list[tuple[str, str, float]]:
    bus, database, clients, rare = costs.bus, costs.database, costs.clients, costs.rare
    return [
        ("NATS", "a second, for each node", bus.standing),
        ("NATS", "a frame to a node", bus.frame),
        ("NATS", "the first of several frames that one node sends at once, in addition", bus.wake),
        ("PostgreSQL", "a second, for each node", database.standing),
        ("PostgreSQL", "a group of commands", database.group),
        ("PostgreSQL", "a move in it", database.move),
        ("clients", "a move", clients.move),
        ("clients", "a move that a spectator receives", clients.viewer),
        ("node", "a bot that connects", rare.enter),
        ("each other node", "the same bot", rare.introduce),
        ("PostgreSQL", "the same bot", rare.enter_database),
        ("node", "a spectator who connects and follows a match", rare.watch),
        ("node", "a match that it takes over", rare.resume),
        ("PostgreSQL", "the same match", rare.resume_database),
        ("node", "a match in a list of live matches that it reads", rare.listed),
        ("PostgreSQL", "the same", rare.listed_database),
        ("node", "the transaction of a group of one command: a part of the cost of a group", rare.transaction),
    ]


def _predictions(answers: Answers) -> Iterable[str]:
    comparisons = answers.comparisons
    held = sum(each.holds for each in comparisons)
    yield from _paragraph(
        f"""None of these loads was used for the costs. In the measurement all programs share the cores of one machine,
        the clients too, and so they do in this part of the model. Bots and spectators are spread over all nodes.
        Measured: median (range of the repetitions). Predicted: median (range of the seeds). {held} of
        {len(comparisons)} predictions are within {100 * TOLERANCE:.0f} %; the others are bold."""
    )
    yield from ("| nodes | load | quantity | measured | predicted | difference |", "|---|---|---|---|---|---|")
    for each in comparisons:
        form = {"cores": ".3f", "ms": ".1f", "moves/s": ",.0f"}[each.unit]
        difference = f"{100 * each.error:+.0f} %"
        yield (
            f"| {each.nodes} | {_load(each)} | {each.what}{', ms' if each.unit == 'ms' else ''} |"
            f" {_spread(each.measured, form)} | {_spread(each.predicted, form)} |"
            f" {difference if each.holds else f'**{difference}**'} |"
        )
    yield ""
    yield from _picture("predictions", "Predictions over measurements")


def _load(comparison: Comparison) -> str:
    load: Load = comparison.load
    if comparison.saturated:
        return f"{load.matches} matches without pauses"
    told = f"{load.moves:.0f} moves/s in {load.matches} matches"
    return f"{told}, {load.spectators} spectators" if load.spectators else told


def _sizes(answers: Answers) -> Iterable[str]:
    machines = answers.machines
    load = answers.sizes[SPREAD][0].load
    yield from _paragraph(
        f"""{load.matches:,} matches with a move a second each and {load.spectators:,} spectators,
        {load.spectators // load.matches} for each match. Each node has one core. The database has {machines.database}
        cores, and its disk has a commit after {1e3 * machines.flush:.1f} ms, as measured here. The bus has
        {machines.bus} cores. A message takes {1e3 * machines.hop:.2f} ms from one machine to another. Enough: 99 % of
        the turns come within {1e3 * LATE:.0f} ms, and no node but the leader uses more than {100 * BUSY:.0f} % of its
        processor. Medians of {SEEDS} seeds (range)."""
    )
    yield "| placement | nodes | moves/s | leader | busiest other node | database | bus | 99 % of turns, ms | enough |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for scenario, sizes in answers.sizes.items():
        for size in sizes:
            yield _size_row(scenario.title, size, answers)
    yield ""
    yield from _picture("nodes", "Delay of turns and use of the nodes by number of nodes")
    yield from _picture("bottleneck", "Use of leader, other nodes, database and bus")
    yield from _paragraph(
        """If a load balancer sends each bot and each spectator to any node, most turns cross the bus, and each move is
        shown by almost as many nodes as it has spectators. A balancer that sends both bots and the spectators of a
        match to one node saves these costs."""
    )


def _size_row(title: str, size: Size, answers: Answers) -> str:
    outcomes, machines = size.outcomes, answers.machines
    database, bus = (median(getattr(each, name) for each in outcomes) for name in ("database", "bus"))
    late = _spread([1e3 * each.relay[1] for each in outcomes], ",.0f")
    cells: tuple[object, ...] = (
        title, size.load.nodes, f"{median(each.moves for each in outcomes):,.0f}", f"{100 * size.leader:.0f} %",
        f"{100 * size.busiest:.0f} %", f"{100 * database / machines.database:.0f} %",
        f"{100 * bus / machines.bus:.0f} %", late, "yes" if size.enough else "no",
    )  # fmt: skip
    return f"| {' | '.join(map(str, cells))} |"


def _death(measured: Measured, answers: Answers) -> Iterable[str]:
    deaths = [loss.death for loss in answers.losses]
    moved = [sorted(death.moved.values()) for death in deaths]
    real = [seconds for takeover in measured.takeovers for seconds in takeover.resumed]
    yield from _paragraph(
        f"""One of {answers.chosen} nodes is killed, which does not lead. Its bots come back within 0.2 s and its
        spectators within 1.5 s, to any other node. {len(deaths)} seeds, of {_listed(AFTER)} s. Median (range):"""
    )
    yield from ("| after the death of a node | |", "|---|---|")
    late = [[1e3 * delay for _, delay in loss.relay] for loss in answers.losses]
    rows: list[tuple[str, list[float], str]] = [
        ("matches that it refereed", [death.matches for death in deaths], ",.0f"),
        ("bots that were connected to it", [death.bots for death in deaths], ",.0f"),
        ("spectators that were connected to it", [death.spectators for death in deaths], ",.0f"),
        ("seconds until its lease is taken", [death.taken for death in deaths], ".1f"),
        ("seconds until the leader has given its last match away", [death.given for death in deaths], ".1f"),
        ("seconds until the next move of a match: median", [median(each) for each in moved if each], ".1f"),
        ("seconds until the next move of a match: last match", [each[-1] for each in moved if each], ".1f"),
        ("matches that never moved again", [float(loss.never) for loss in answers.losses], ".0f"),
        (
            "seconds until its last spectator follows again",
            [max(death.watched, default=0.0) for death in deaths],
            ".1f",
        ),
        ("99 % of the turns come within, ms: in the second before the death", [each[2] for each in late], ",.0f"),
        ("99 % of the turns come within, ms: in the worst second", [max(each) for each in late], ",.0f"),
        ("99 % of the turns come within, ms: in the last second", [each[-1] for each in late], ",.0f"),
    ]
    for what, values, form in rows:
        yield f"| {what} | {_spread(values, form)} |"
    yield ""
    yield from _picture("death", "Matches that cannot go on, and delay of turns")
    yield from _paragraph(
        f"""Measured: {len(measured.takeovers)} times one of three nodes was killed that refereed
        {_spread([float(each.matches) for each in measured.takeovers], ".0f")} matches. Their next moves came after
        {_spread(real, ".1f")} s."""
    )


LIMITS = (
    """The model has no other programs, and the machine of the measurement had (see above). They make moves wait for a
    processor. Then delays are longer, groups are larger, and a move takes less processor time than predicted. Only a
    measurement of a quiet machine tells how good the predictions of delays are.""",
    """The costs are of loopback on one machine. On a real network each message costs the kernel more, TLS is not
    measured, and a message may be lost.""",
    """The load of the question is about a hundred times what was measured. Costs that grow faster than the load are not
    in the model, unless they were measured by themselves: lists of live matches, and what each node learns of each
    bot.""",
    """All moves are of checkers with random play, and bots send no search info. Other games cost the referee more or
    less.""",
    """PostgreSQL is one machine. The model has its processors and the flush of its log, but no checkpoints, no vacuum,
    no locks, and no growth of tables. The measurement has `fsync` off; the model adds the flush.""",
    """Pages of the site, the ladder, tournaments and built-in bots take nothing here. They are the leader's work.""",
    """A node does its jobs one after the other, in the order in which they came, but for the thread that writes, which
    goes on at the next chance. Python's threads share the processor in another way, which matters for the delays of a
    busy node.""",
    f"""A writer pauses for {1e3 * GATHERING:.0f} ms between two commits. At the measured loads about half of the moves
    wait for that, so a median delay is either about 1 ms or some milliseconds: a small difference in the load decides.
    The differences of medians above are of this kind.""",
    """The share of the referee's work before the commit is a guess (one half). Measured is the sum.""",
    """A node accepts 1,000 bots and 5,000 spectators by default (`--max-connections`, `--max-spectators`). With fewer
    than 20 nodes both settings must be raised.""",
)
