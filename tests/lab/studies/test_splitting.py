# SPDX-License-Identifier: GPL-3.0-or-later
"""Training before, tests behind, and no event on both sides."""

import pytest
from msgspec.structs import replace

from lab.studies.study import split, year
from tests.bots.modelling.habitual import games, played


def test_the_year() -> None:
    record = played(1)
    assert year(record) == 1950
    assert year(replace(record, started="1926-05")) == 1926
    assert year(replace(record, started=None, event="US National 1946")) == 1946
    assert year(replace(record, started=None, event="Match, round 12345")) is None


def test_events_are_never_split() -> None:
    # five games an event: the boundary that leaves twelve before it comes behind the third event
    parts = split(games(30), 12, 100)
    assert len(parts.train) == 12
    assert len(parts.test) == 15
    assert not {record.event for record in parts.train} & {record.event for record in parts.test}
    # the training games are those right before the boundary
    assert [record.event for record in parts.train][:3] == ["Event 0"] * 2 + ["Event 1"]


def test_samples_of_all_sizes_are_tested_on_the_same_games() -> None:
    few, many = (split(games(30), size, 5, (4, 12)) for size in (4, 12))
    assert few.test == many.test
    assert few.train == many.train[-4:]


def test_games_are_put_in_order_of_years() -> None:
    records = games(30)
    assert split(records[::-1], 12, 100).test[0].started == "1951"
    # one without a date stands with the game before it
    undated = [*records[:3], replace(records[3], started=None), *records[4:]]
    moves = [[record.moves for record in split(one, 12, 100).train] for one in (undated, records)]
    assert moves[0] == moves[1]


def test_too_few_games() -> None:
    with pytest.raises(ValueError, match="10 games are too few to learn from 12"):
        split(games(10), 12, 5)
    with pytest.raises(ValueError, match="too few"):
        split(games(10), 10, 5)
