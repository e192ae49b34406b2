# SPDX-License-Identifier: GPL-3.0-or-later
"""Finding a player by a pattern."""

import pytest
from msgspec.structs import replace

from bots.modelling.sources import PlayerName, most_frequent, variants
from engine.match.record import Player
from tests.bots.modelling.habitual import NAME, games


@pytest.mark.parametrize(
    ("pattern", "name", "found"),
    [
        ("tal", "Tal, Mihail", True),
        ("tal", "Natal, Jose", False),
        ("tinsley", "MF Tinsley", True),
        ("tinsley m", "M Tinsley", True),
        ("fischer r", "Fischer, Robert James", True),
        ("fischer r", "Fischer, Karl", False),
        ("*tinsley", "MF Tinsley", True),
        ("*tinsley", "Tinsley M", False),
        ("m? tinsley", "MF Tinsley", True),
        ("ivkov|tal", "Tal, Mihail", True),
        ("muller", "Müller, Hans", True),
        ("BOTVINNIK", "Botvinnik,M", True),
    ],
)
def test_patterns(pattern: str, name: str, found: bool) -> None:
    assert PlayerName(pattern).matches(name) is found


def test_an_empty_name_is_refused() -> None:
    with pytest.raises(ValueError, match="is not a name"):
        PlayerName(" , |")


def test_the_seat() -> None:
    white, black = games(2)
    assert [PlayerName("habit").seat(record) for record in (white, black)] == [0, 1]
    assert PlayerName("nobody").seat(white) is None
    assert PlayerName("habit|other").seat(white) is None


def test_spellings_are_counted() -> None:
    records = games(4)
    records[0] = replace(records[0], players=(Player("A. Habit"), Player("Other")))
    assert variants(records, PlayerName("habit")) == {NAME: 3, "A. Habit": 1}
    assert most_frequent(records) == NAME
    with pytest.raises(ValueError, match="no games"):
        most_frequent([])
