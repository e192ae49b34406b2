# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of the report has the figures of its runs, and plots in light and dark."""

import xml.etree.ElementTree as ET
from pathlib import Path

from lab.simulation import page
from lab.simulation.comparing import compare, simulated
from lab.simulation.costs import Measured, Observation, Takeover, load_measured, save_measured
from lab.simulation.loads import Load
from lab.simulation.node import Machines
from lab.simulation.questions import SCENARIOS, SPREAD, Answers, Size
from lab.simulation.runs import lose, run
from tests.lab.simulation.made_up import COSTS

ALONE = Machines(hop=0.000_25)


def observation(load: Load, *, fitted: bool) -> Observation:
    """What would be observed if the model were right."""
    outcome = run(COSTS, load, Machines(shared=2), 7, 2.0)
    return Observation(
        name="made up", load=load, fitted=fitted, moves=outcome.moves, viewed=outcome.viewed, groups=outcome.groups,
        frames=[outcome.frames / load.nodes] * load.nodes, nodes=outcome.nodes, bus=outcome.bus,
        database=outcome.database, players=outcome.clients, watchers=0.0, others=0.0, plies=70.0, relay=outcome.relay,
        watched=outcome.watched,
    )  # fmt: skip


def made() -> tuple[Measured, Answers]:
    predicted = [Load(2, "spread", 20, 2.0, 40, 20), Load(2, "spread", 5, 100.0)]
    observations = [observation(Load(2, "near", 20, 2.0), fitted=True)]
    observations += [observation(load, fitted=False) for load in predicted]
    measured = Measured(
        date="2026-01-02", commit="abc", python="3", cores=2, flush=0.001, costs=COSTS, observations=observations,
        bursts=[], takeovers=[Takeover(2, [5.1, 5.4])],
    )  # fmt: skip
    tried = {
        scenario: [Load(nodes, scenario.placement, 60, 1.0, 120, 60) for nodes in (2, 3)] for scenario in SCENARIOS
    }
    sizes = {
        scenario: [Size(load, [run(COSTS, load, ALONE, seed, 1.0) for seed in (0, 1)]) for load in each]
        for scenario, each in tried.items()
    }
    comparisons = [
        each for load in predicted for each in compare(measured, load, simulated(COSTS, load, measured.cores, 2.0))
    ]
    losses = [lose(COSTS, tried[SPREAD][1], ALONE, seed, 8.0) for seed in (0, 1)]
    return measured, Answers(comparisons, sizes, 3, losses, ALONE)


def test_the_page_and_its_plots(tmp_path: Path) -> None:
    measured, answers = made()
    text = page.write(measured, answers, tmp_path).read_text("utf-8")
    assert max(len(line) for line in text.splitlines() if not line.startswith(("|", "  <"))) <= 120
    for comparison in answers.comparisons:
        assert comparison.what in text
        assert comparison.holds, comparison  # measurements of the model are predicted by the model
    assert "Measured on 2026-01-02 at commit abc" in text
    plots = sorted((tmp_path / page.NAME).glob("*.svg"))
    assert len(plots) == 8
    for plot in plots:
        assert ET.parse(plot).getroot().tag.endswith("svg")
        assert f"{page.NAME}/{plot.name}" in text


def test_what_was_measured_is_read_as_it_was_written(tmp_path: Path) -> None:
    measured, _ = made()
    save_measured(measured, tmp_path / "measured.json")
    assert load_measured(tmp_path / "measured.json") == measured
