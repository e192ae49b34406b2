# SPDX-License-Identifier: GPL-3.0-or-later
"""What is read out of populations: the family tree, and the table of their games."""

import pytest
from msgspec.structs import replace

from arena.features.populations.analysis import (
    UNITS,
    CountedGeneration,
    Node,
    family,
    forebears,
    read,
    shares_over_time,
)
from arena.features.populations.reports import (
    BadReport,
    Census,
    GenerationReport,
    GeneSpec,
    MemberReport,
    PopulationSpec,
    Reading,
    check_generation,
)
from arena.features.populations.reports import ReadingPlayer as Player

SPEC = PopulationSpec("home", "checkers", "schema", "kendall-whitwell", 1, 2, [GeneSpec("x", 0, 10, 1)])


def member(number: int, born: int, *parents: int, name: str = "") -> MemberReport:
    """Return a member with a gene of its own."""
    origin = "immigrant" if name else "mutant" if parents else "random"
    return MemberReport(number, [number], born, origin, list(parents), name)


def generation(number: int, *members: MemberReport, reading: Reading | None = None) -> GenerationReport:
    """Return a generation whose best is the first that is named."""
    return GenerationReport(number, 0, [0.0], [0.0], list(members), members[0].number, reading=reading)


def test_a_family_tree_keeps_forks_and_immigrants() -> None:
    founders = [member(number, 0) for number in range(3)]
    stranger = member(5, 2, name="stranger")
    reports = [
        generation(0, *founders),
        generation(1, member(3, 1, 0), member(4, 1, 1), founders[2]),
        generation(2, member(6, 2, 3), stranger, founders[2]),
        generation(3, member(7, 3, 6), member(8, 3, 6), member(9, 3, 5)),
    ]
    assert family(reports) == [
        Node(number=0, born=0, origin="random", name="", parent=None, steps=0, lives=False),
        Node(number=5, born=2, origin="immigrant", name="stranger", parent=None, steps=0, lives=False),
        Node(number=6, born=2, origin="mutant", name="", parent=0, steps=2, lives=False),
        Node(number=7, born=3, origin="mutant", name="", parent=6, steps=1, lives=True),
        Node(number=8, born=3, origin="mutant", name="", parent=6, steps=1, lives=True),
        Node(number=9, born=3, origin="mutant", name="", parent=5, steps=1, lives=True),
    ]
    assert family([]) == []
    assert forebears(reports, {6, 9, 4}) == {7: 6, 8: 6, 9: 9}
    assert forebears([], {1}) == {}
    # what was before the first that is known is not made up
    assert [node.parent for node in family(reports[3:])] == [None] * 3


TABLE = Reading(
    [Player("standard"), Player("member 0", 0), Player("member 1", 1)], 4, [[0, 0, 3], [4, 0, 4], [0, 0, 0]]
)


def test_an_analysis_has_the_strongest_strategies_and_the_invaders() -> None:
    found = read(TABLE, 7)
    assert (found.generation, found.games) == (7, 4)
    assert [player.name for player in found.players] == ["member 0", "standard", "member 1"]
    best, standard, worst = found.players
    signs = [(player.rating > 0) - (player.rating < 0) for player in found.players]
    assert signs == [1, 0, -1]
    assert list(standard.interval) == [0, 0]
    assert best.interval[0] < best.rating < best.interval[1]
    assert best.alpha_rank == pytest.approx(1)
    assert best.nash == pytest.approx(1, abs=1e-3)
    assert len(best.replicator) == UNITS + 1
    assert best.replicator[0] == pytest.approx(0.5)
    assert best.replicator[-1] > 0.99
    assert (standard.replicator, standard.moran) == ([], None)
    assert best.moran is not None
    assert worst.moran is not None
    assert best.moran + worst.moran == pytest.approx(1)
    assert best.moran > 0.8


@pytest.mark.parametrize(
    ("reading", "why"),
    [
        (Reading(TABLE.players, 4, TABLE.wins[:2]), "3 rows and columns"),
        (
            Reading([*TABLE.players[:2], Player("member 9", 9)], 4, TABLE.wins),
            "player 9 of the games is not among the members",
        ),
        (Reading(TABLE.players, 3, TABLE.wins), "wins are not possible"),
        (Reading(TABLE.players, 4, [[1, 0, 3], [4, 0, 4], [0, 0, 0]]), "wins are not possible"),
        (Reading(TABLE.players, 4, [[0, -1, 3], [4, 0, 4], [0, 0, 0]]), "wins are not possible"),
    ],
)
def test_a_table_that_cannot_be_is_refused(reading: Reading, why: str) -> None:
    members = member(0, 0), member(1, 0)
    check_generation(SPEC, generation(0, *members, reading=TABLE), None)
    with pytest.raises(BadReport, match=why):
        check_generation(SPEC, generation(0, *members, reading=reading), None)


def counted(number: int, **shares: float) -> CountedGeneration:
    """Return a generation in which defectors invade all others, and nobody invades them."""
    payoffs = [[float(one == "defector") for _ in shares] for one in shares]
    return CountedGeneration(number, Census(list(shares), list(shares.values()), payoffs))


def test_shares_over_time_show_takeovers_and_extinctions() -> None:
    found = shares_over_time(
        [
            CountedGeneration(0),
            counted(3, cooperator=0.75, pavlov=0.25),
            counted(6, cooperator=0.5, defector=0.5),
            counted(9, defector=1.0),
            counted(12, defector=0.99, cooperator=0.01),
        ]
    )
    assert found is not None
    assert (found.numbers, found.names) == ([3, 6, 9, 12], ["cooperator", "pavlov", "defector"])
    assert found.shares == [[0.75, 0.25, 0], [0.5, 0, 0.5], [0, 0, 1], [0.01, 0, 0.99]]
    assert found.fixed is not None
    assert (found.fixed.name, found.fixed.generations) == ("defector", 9)
    assert found.extinct == [None, 6, None]
    # of a strategy that no member plays it is unknown
    assert [(one.name, one.invaders) for one in found.invasions] == [
        ("cooperator", ["defector"]),
        ("pavlov", None),
        ("defector", []),
    ]
    assert shares_over_time([CountedGeneration(0), counted(1, defector=1.0)]) is None


@pytest.mark.parametrize(
    ("census", "why"),
    [
        (Census(["a", "a"], [0.5, 0.5], [[0, 0], [0, 0]]), "two strategies of the census have the same name"),
        (Census(["a", "b"], [0.5, 0.4], [[0, 0], [0, 0]]), "2 shares above 0, in sum 1"),
        (Census(["a", "b"], [1, 0], [[0, 0], [0, 0]]), "2 shares above 0, in sum 1"),
        (Census(["a"], [1, 1], [[0]]), "1 shares above 0"),
        (Census(["a"], [1], [[0, 1]]), "1 rows and columns"),
        (Census(["a"], [1], [[float("nan")]]), "finite numbers"),
    ],
)
def test_a_census_that_cannot_be_is_refused(census: Census, why: str) -> None:
    report = replace(generation(0, member(0, 0), member(1, 0)), census=census)
    with pytest.raises(BadReport, match=why):
        check_generation(SPEC, report, None)
