# SPDX-License-Identifier: GPL-3.0-or-later
"""Least squares find the costs that observations were made of, and the kept measurement fits its own costs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs, to_builtins

from lab.simulation import fitting
from lab.simulation.costs import Costs, Observation, load_measured
from lab.simulation.fitting import least_squares
from lab.simulation.loads import Load

COST = st.floats(1e-6, 1e-2)


@given(costs=st.lists(COST, min_size=3, max_size=3))
def test_planted_costs_are_found(costs: list[float]) -> None:
    amounts = [(1.0, 100.0, 20.0), (1.0, 300.0, 0.0), (1.0, 0.0, 500.0), (1.0, 200.0, 900.0), (1.0, 0.0, 0.0)]
    rows = [dict(zip("abc", amount, strict=True)) for amount in amounts]
    uses = [sum(cost * part for cost, part in zip(costs, amount, strict=True)) for amount in amounts]
    assert list(least_squares(rows, uses).values()) == pytest.approx(costs, rel=1e-6)


@given(noise=st.lists(st.floats(-0.3, 0.3), min_size=5, max_size=5))
def test_no_cost_is_negative(noise: list[float]) -> None:
    rows = [{"one": 1.0, "other": float(number)} for number in range(5)]
    uses = [max(0.0, 0.1 + 0.01 * number + shift) for number, shift in enumerate(noise)]
    assert min(least_squares(rows, uses).values()) >= 0


def test_what_was_never_done_costs_nothing() -> None:
    assert least_squares([{"done": 1.0, "never": 0.0}, {"done": 2.0, "never": 0.0}], [0.5, 1.0]) == {
        "done": pytest.approx(0.5),
        "never": 0.0,
    }


def test_the_kept_costs_are_those_of_the_kept_observations() -> None:
    measured = load_measured()
    again = fitting.fit(measured.observations, measured.bursts, measured.costs.rare)
    # solvers of linear equations differ in the last digits from processor to processor
    assert _numbers(measured.costs) == pytest.approx(_numbers(again), rel=1e-9)
    assert {each.load.nodes for each in measured.observations if not each.fitted} == {1, 2, 3}


def test_observations_count_that_were_about_as_quick_as_the_quickest_one() -> None:
    some = load_measured().observations[0]
    paced, saturated = Load(1, "near", 1, 1.0), Load(1, "near", 1, 100.0)

    def observed(load: Load, use: float) -> Observation:
        return structs.replace(some, load=load, others=0.0, nodes=[use], bus=0.0, database=0.0)

    observations = [observed(load, use) for load in (paced, saturated) for use in (0.13, 0.1, 0.109, 0.112)]
    assert [each.servers for each in fitting.calm(observations)] == [0.1, 0.109, 0.13, 0.1, 0.109, 0.112]


def _numbers(costs: Costs) -> dict[str, float]:
    """Return all costs by their names."""
    found: dict[str, float] = {}
    for name, value in to_builtins(costs).items():
        found |= {f"{name}.{part}": cost for part, cost in value.items()} if isinstance(value, dict) else {name: value}
    return found


def test_observations_count_that_are_about_as_calm_as_the_calmest_one() -> None:
    some = load_measured().observations[0]
    one, other = Load(1, "near", 1, 1.0), Load(1, "near", 2, 1.0)

    def observed(load: Load, others: float) -> Observation:
        return structs.replace(some, load=load, others=others)

    observations = [observed(one, -0.1), observed(other, 0.9), observed(one, fitting.CALM), observed(one, 0.5)]
    observations += [observed(other, 0.8), observed(other, 1.1)]
    counted = [(each.load, each.others) for each in fitting.calm(observations)]
    assert counted == [(one, -0.1), (one, fitting.CALM), (other, 0.8), (other, 0.9)]
