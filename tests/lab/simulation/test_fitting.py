# SPDX-License-Identifier: GPL-3.0-or-later
"""Least squares find the costs that observations were made of, and the kept measurement fits its own costs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.simulation import fitting
from lab.simulation.costs import load_measured
from lab.simulation.fitting import least_squares

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
    fitted = [each for each in measured.observations if each.fitted]
    assert measured.costs.node == fitting.fit_nodes(fitted)
    assert measured.costs.bus == fitting.fit_bus(fitted, measured.bursts)
    assert measured.costs.database == fitting.fit_database(fitted)
    assert measured.costs.clients == fitting.fit_clients(measured.observations)
    assert {each.load.nodes for each in measured.observations if not each.fitted} == {1, 2, 3}
