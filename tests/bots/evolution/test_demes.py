# SPDX-License-Identifier: GPL-3.0-or-later
"""Immigrants."""

import pytest

from bots.evolution.demes import immigrated
from bots.evolution.genes import SCHEMAS
from bots.evolution.operators import chance_for
from bots.evolution.population import founded

LECTURE = SCHEMAS["checkers/lecture"]


def test_a_newcomer_takes_somebody_s_place_and_has_children_of_its_own() -> None:
    before = founded(LECTURE, 6, chance_for(1))
    after = immigrated(before, [("stranger", LECTURE.standard)], chance_for(2))
    (newcomer,) = set(after.members) - set(before.members)
    assert (newcomer.values, newcomer.origin, newcomer.name) == (LECTURE.standard, "immigrant", "stranger")
    assert (newcomer.number, after.next_number, len(after.members)) == (6, 7, 6)
    assert immigrated(before, [("stranger", LECTURE.standard)], chance_for(2)) == after


def test_who_does_not_fit_is_refused() -> None:
    before = founded(LECTURE, 2, chance_for(1))
    with pytest.raises(ValueError, match="3 newcomers do not fit"):
        immigrated(before, [("stranger", LECTURE.standard)] * 3, chance_for(1))
    with pytest.raises(ValueError, match="king is -1"):
        immigrated(before, [("stranger", (100_000, -1, 0, 0, 0))], chance_for(1))
