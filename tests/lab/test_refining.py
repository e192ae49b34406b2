# SPDX-License-Identifier: GPL-3.0-or-later
"""Refinement by games: a function of its plan that continues after a kill."""

from pathlib import Path

import msgspec
import pytest

from bots.evolution.evochess.genome import SEARCH, read, schema_for, standard
from bots.evolution.history import BEST, RUN, NotARun
from lab.refining import VERSION, WHAT, Plan, begun, followed, gains, genome_of, refined

CHECKERS = schema_for("checkers")
PLAN = Plan(VERSION, "checkers", 5, standard(CHECKERS), nodes=60, pairs=6, trial=1.0, lineage={"made": "by hand"})


def of(what: str) -> Plan:
    return msgspec.structs.replace(PLAN, what=what)


@pytest.mark.parametrize("what", WHAT)
def test_the_number_of_threads_does_not_change_a_refinement(what: str) -> None:
    plan = of(what)
    one, other = list(refined(plan)), list(refined(plan, threads=3))
    assert one == other
    assert [point.pairs for point in one] == [2, 4, 6]
    assert one[-1].values != begun(plan).values
    assert list(refined(msgspec.structs.replace(plan, seed=6))) != one
    assert list(refined(plan, one[0])) == one[1:]


def test_nothing_else_is_refined() -> None:
    begins = PLAN.genome
    for what, moves in (("search", (True, False)), ("weights", (False, True)), ("both", (True, True))):
        (*_, point) = refined(of(what))
        genome = genome_of(of(what), point.values)
        assert (genome.search != begins.search, genome.weights != begins.weights) == moves
        assert genome.program == begins.program


def test_numbers_stay_within_their_bounds() -> None:
    wild = msgspec.structs.replace(PLAN, step=10.0, pairs=10)
    for point in refined(wild):
        for place, gene in enumerate(SEARCH.genes):
            assert gene.low <= point.values[place] <= gene.high
        genome = genome_of(wild, point.mean)
        assert (genome.program, genome.weights) == (PLAN.genome.program, PLAN.genome.weights)


def test_steps_and_trials_become_smaller_by_spall_s_rules() -> None:
    plan = msgspec.structs.replace(PLAN, pairs=1_000, trial=0.3, step=0.1)
    assert gains(plan, 0) == (0.3, 0.1)
    trial, step = gains(plan, 1_000)
    assert trial == pytest.approx(0.3 / 1_001**0.101)
    assert step == pytest.approx(0.1 * (101 / 1_101) ** 0.602)


def test_the_result_is_the_mean_of_the_last_half() -> None:
    plan = msgspec.structs.replace(PLAN, pairs=8, batch=1)
    points = list(refined(plan))
    for place in range(len(SEARCH.genes)):
        late = [point.values[place] for point in points[4:]]
        assert points[-1].mean[place] == pytest.approx(sum(late) / 4)
    assert points[3].mean == points[3].values


def test_a_killed_refinement_goes_on_to_the_same_bit(tmp_path: Path) -> None:
    whole = list(followed(tmp_path / "whole", PLAN))
    for point in followed(tmp_path / "cut", PLAN):
        if point.pairs == 4:
            break
    with (tmp_path / "cut" / RUN).open("ab") as file:
        file.write(b'{"pairs":6,"val')
    assert list(followed(tmp_path / "cut", PLAN)) == whole[1:]
    assert (tmp_path / "cut" / RUN).read_bytes() == (tmp_path / "whole" / RUN).read_bytes()
    kept = read((tmp_path / "cut" / BEST).read_bytes())
    assert kept.genome == genome_of(PLAN, whole[-1].mean)
    assert kept.nodes == 60
    assert kept.lineage["made"] == "by hand"
    once = kept.lineage["refined"]
    assert isinstance(once, list)
    assert {"seed": 5, "pairs": 6, "of": 6, "what": "search"}.items() <= once[0].items()
    again = msgspec.structs.replace(PLAN, genome=kept.genome, lineage=dict(kept.lineage), seed=6)
    list(followed(tmp_path / "again", again))
    twice = read((tmp_path / "again" / BEST).read_bytes()).lineage["refined"]
    assert isinstance(twice, list)
    assert [one["seed"] for one in twice] == [5, 6]
    assert list(followed(tmp_path / "cut", PLAN)) == whole[-1:]


def test_other_and_invalid_plans_are_refused(tmp_path: Path) -> None:
    list(followed(tmp_path, PLAN))
    with pytest.raises(NotARun, match="seed differ"):
        list(followed(tmp_path, msgspec.structs.replace(PLAN, seed=6)))
    (tmp_path / RUN).write_bytes(b"{}\n")
    with pytest.raises(NotARun, match="no refinement"):
        list(followed(tmp_path, PLAN))
    for change, why in (
        ({"version": 9}, "version 9"),
        ({"nodes": 0}, "nodes must be"),
        ({"trial": 3.0}, "trial must be"),
        ({"what": "program"}, "'program'"),
        ({"game": "nim"}, "nim"),
    ):
        with pytest.raises((ValueError, KeyError), match=why):
            list(followed(tmp_path / "new", msgspec.structs.replace(PLAN, **change)))
    assert not (tmp_path / "new").exists()
