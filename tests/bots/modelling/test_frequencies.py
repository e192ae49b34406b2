# SPDX-License-Identifier: GPL-3.0-or-later
"""The tree of openings."""

import pytest

from bots.modelling.frequencies import DEEPEST, HALF_LIFE, Openings

MAIN, SIDE = ("e4", "e5", "Nf3"), ("e4", "c5")


def tree() -> Openings:
    openings = Openings()
    for number, (line, points) in enumerate([(MAIN, 1.0), (MAIN, 0.5), (SIDE, 0.0), (("d4",), None)]):
        openings.add(line, points, number)
    return openings


def test_sequences_of_one_game_are_not_used() -> None:
    openings = tree()
    assert openings.find(()) is openings.root
    assert openings.find(("e4", "e5")) is not None
    assert openings.find(("e4", "c5")) is None
    assert openings.find(("d4",)) is None
    assert openings.find(("a3",)) is None
    assert list(openings.root.known()) == ["e4"]
    assert [line for line, _ in openings.chunks()] == [("e4",), ("e4", "e5"), ("e4", "e5", "Nf3")]


def test_results_are_counted() -> None:
    node = tree().root.moves["e4"]
    assert (node.games, node.wins, node.draws, node.losses, node.last) == (3, 1, 1, 1, 2)
    assert node.score == 0.5
    assert tree().root.moves["d4"].score == 0.5


def test_older_games_weigh_less() -> None:
    openings = Openings()
    openings.add(("e4",), 1.0, 0)
    openings.add(("e4",), 1.0, HALF_LIFE)
    node = openings.root.moves["e4"]
    assert node.weight == pytest.approx(1.5)
    assert node.recent(2 * HALF_LIFE) == pytest.approx(0.75)


def test_late_moves_are_not_kept() -> None:
    openings = Openings()
    for number in range(2):
        openings.add(["Nf3"] * (DEEPEST + 10), 1.0, number)
    assert openings.find(["Nf3"] * DEEPEST) is not None
    assert openings.find(["Nf3"] * (DEEPEST + 1)) is None
