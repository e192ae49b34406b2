# SPDX-License-Identifier: GPL-3.0-or-later
"""OBF: suites of positions are read, or refused with a reason."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.formats import Unreadable, obf
from engine.formats.obf import Endgame
from engine.games import find

START = "---------------------------OX------XO---------------------------"


def test_positions_scores_and_comments_are_read() -> None:
    lines = [
        "% a suite",
        "",
        f"{START} X; F5:+2; d3 : -4; % symmetric",
        START.replace("X", "*").replace("-", ".") + " *",
    ]
    assert list(obf.read(lines)) == [Endgame(f"{START} X", {"f5": 2, "d3": -4}), Endgame(f"{START} X")]
    assert [problem.value for problem in obf.read(lines)] == [2, None]


def test_a_pass_has_a_score() -> None:
    (problem,) = obf.read(["XXO" + "-" * 61 + " O; --:-64;"])
    assert problem.scores == {"pass": -64}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("X", "64 squares"),
        (f"{START} X; a1:+2", "'a1' is not a legal move"),
        (f"{START} X; f5", "is not a move with its score"),
        (f"{START} X;" + " f5:+2;" * 1000, "longer than 4,000"),
    ],
)
def test_unreadable_lines_are_refused_with_a_reason(line: str, words: str) -> None:
    refused: list[Unreadable] = []
    assert len(list(obf.read([f"{START} X", line], refused.append))) == 1
    (only,) = refused
    assert words in only.reason
    assert only.line == 2
    with pytest.raises(Unreadable):
        list(obf.read([line]))


@settings(deadline=None, max_examples=50)
@given(st.text("XO-*;:+% f5\n", max_size=90))
def test_any_text_is_read_or_refused(text: str) -> None:
    game = find("othello")
    for problem in obf.read(text.splitlines(), lambda unreadable: None):
        assert game.format_position(game.parse_position(problem.position)) == problem.position
