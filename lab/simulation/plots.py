# SPDX-License-Identifier: GPL-3.0-or-later
"""Plots of the report, in light and dark."""

from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from lab.simulation.comparing import Comparison
from lab.simulation.questions import BUSY, Answers, Size

SCHEMES = {
    "light": {"background": "#ffffff", "ink": "#1f2328", "faint": "#d0d7de"},
    "dark": {"background": "#0d1117", "ink": "#e6edf3", "faint": "#30363d"},
}
COLOURS = ("#3b82c4", "#d9822b", "#4a9d5b", "#b0619f")


def draw(folder: Path, answers: Answers) -> list[str]:
    """Write all plots into a folder, each in light and dark, and return their names."""
    folder.mkdir(exist_ok=True)
    plots: dict[str, Callable[[Any, Answers], None]] = {
        "predictions": _predictions,
        "nodes": _nodes,
        "bottleneck": _bottleneck,
        "death": _death,
    }
    for name, plot in plots.items():
        for scheme in SCHEMES:
            _write(folder / f"{name}-{scheme}.svg", scheme, plot, answers)
    return list(plots)


def _write(path: Path, scheme: str, plot: Callable[[Any, Answers], None], answers: Answers) -> None:
    import matplotlib
    from cycler import cycler
    from matplotlib.figure import Figure

    colours = SCHEMES[scheme]
    ink, faint = colours["ink"], colours["faint"]
    settings: Any = {
        # the same file for the same run
        "svg.hashsalt": "bot-arena",
        "svg.fonttype": "none",
        "font.size": 10,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "grid.color": faint,
        "axes.edgecolor": faint,
        "legend.frameon": False,
        "axes.prop_cycle": cycler(color=COLOURS),
        "figure.facecolor": colours["background"],
        "axes.facecolor": colours["background"],
        "savefig.facecolor": colours["background"],
    }
    settings |= dict.fromkeys(("text.color", "axes.labelcolor", "xtick.color", "ytick.color"), ink)
    with matplotlib.rc_context(settings):
        # 768 × 360 pixels, as the page says
        figure = Figure(figsize=(8, 3.75), layout="constrained")
        plot(figure, answers)
        figure.savefig(path, metadata={"Date": None})
    # matplotlib ends lines with spaces
    path.write_text("".join(f"{line.rstrip()}\n" for line in path.read_text("utf-8").splitlines()), "utf-8")


def _predictions(figure: Any, answers: Answers) -> None:
    """Draw predictions over measurements, on logarithmic scales."""
    groups = (("processors kept busy", "cores"), ("delays (ms)", "ms"), ("most moves a second", "moves/s"))
    for axes, (title, unit) in zip(figure.subplots(1, 3), groups, strict=True):
        found = [each for each in answers.comparisons if each.unit == unit]
        values = [median(values) for each in found for values in (each.measured, each.predicted)]
        low, high = 0.7 * min(values), 1.4 * max(values)
        axes.plot([low, high], [low, high], color="0.5", linewidth=1)
        axes.fill_between([low, high], [0.75 * low, 0.75 * high], [1.25 * low, 1.25 * high], color="0.5", alpha=0.2)
        for nodes in (1, 2, 3):
            shown: list[Comparison] = [each for each in found if each.nodes == nodes]
            measured = [median(each.measured) for each in shown]
            axes.plot(
                measured,
                [median(each.predicted) for each in shown],
                "o",
                markersize=4,
                label=f"{nodes} nodes" if nodes > 1 else "1 node",
            )
        axes.set(xscale="log", yscale="log", xlim=(low, high), ylim=(low, high), title=title, xlabel="measured")
        _label(axes.xaxis)
        _label(axes.yaxis)
        axes.tick_params(axis="x", labelrotation=45)
    figure.axes[0].set_ylabel("predicted")
    figure.axes[0].legend()


def _nodes(figure: Any, answers: Answers) -> None:
    """Draw the delay of turns and the use of nodes over their number."""
    late, use = figure.subplots(1, 2)
    for scenario, sizes in answers.sizes.items():
        nodes = [size.load.nodes for size in sizes]
        late.plot(nodes, [1e3 * size.late for size in sizes], "o-", markersize=4, label=scenario.title)
        _range(late, sizes, lambda each: 1e3 * each.relay[1])
        use.plot(nodes, [100 * size.busiest for size in sizes], "o-", markersize=4, label=scenario.title)
    late.set(yscale="log", xlabel="nodes", ylabel="ms", title="99 % of the turns come within")
    _label(late.yaxis)
    use.axhline(100 * BUSY, color="0.5", linewidth=1, linestyle="--")
    use.set(ylim=(0, 105), xlabel="nodes", ylabel="% of its processor", title="busiest node but the leader")
    use.legend()


def _range(axes: Any, sizes: list[Size], of: Callable[[Any], float]) -> None:
    """Draw the range over seeds."""
    nodes = [size.load.nodes for size in sizes]
    low = [min(map(of, size.outcomes)) for size in sizes]
    axes.fill_between(nodes, low, [max(map(of, size.outcomes)) for size in sizes], alpha=0.25, linewidth=0)


def _bottleneck(figure: Any, answers: Answers) -> None:
    """Draw how much of its processors each part uses."""
    machines = answers.machines
    for axes, (scenario, sizes) in zip(
        figure.subplots(1, len(answers.sizes), sharey=True), answers.sizes.items(), strict=True
    ):
        nodes = [size.load.nodes for size in sizes]
        parts: dict[str, Callable[[Size], float]] = {
            "leader": lambda size: size.leader,
            "other nodes": lambda size: size.busiest,
            f"database, {machines.database} cores": lambda size: (
                median(each.database for each in size.outcomes) / machines.database
            ),
            f"bus, {machines.bus} cores": lambda size: median(each.bus for each in size.outcomes) / machines.bus,
        }
        for name, part in parts.items():
            axes.plot(nodes, [100 * part(size) for size in sizes], "o-", markersize=4, label=name)
        axes.set(ylim=(0, 105), xlabel="nodes", title=scenario.title.replace(", ", ",\n"))
    figure.axes[0].set_ylabel("% of its processors")
    figure.axes[0].legend()


def _death(figure: Any, answers: Answers) -> None:
    """Draw the seconds after the death of a node."""
    standing, late = figure.subplots(1, 2)
    for seed, loss in enumerate(answers.losses):
        times = [at for at, _ in loss.death.standing]
        standing.plot(times, [number for _, number in loss.death.standing], linewidth=1.5, label=f"seed {seed}")
        late.plot([at + 0.5 for at, _ in loss.relay], [1e3 * delay for _, delay in loss.relay], linewidth=1.5)
    standing.set(ylim=(0, None), xlabel="seconds after the death", title="matches that cannot go on")
    standing.legend()
    late.set(yscale="log", xlabel="seconds after the death", ylabel="ms", title="99 % of the turns come within")
    _label(late.yaxis)


def _label(axis: Any) -> None:
    """Label a logarithmic axis with plain numbers at 1, 2 and 5."""
    from matplotlib.ticker import LogLocator, NullLocator

    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axis.set_major_formatter("{x:g}")
    axis.set_minor_locator(NullLocator())
