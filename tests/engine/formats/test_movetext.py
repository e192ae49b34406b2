# SPDX-License-Identifier: GPL-3.0-or-later
"""Comments on moves in the format of cutechess and fastchess."""

import pytest

from engine.formats.movetext import LONGEST_LINE, read_comment, write_comment
from engine.match.events import Info
from engine.match.record import PlayedMove


@pytest.mark.parametrize(
    ("comment", "score", "depth", "elapsed"),
    [
        ("+0.31/12 0.45s", 0.31, 12, 450),
        ("-1.00/3 12s", -1.0, 3, 12_000),
        ("+0.31 0.001s", 0.31, None, 1),
        ("0.45s", None, None, 450),
        ("+0.31/12", 0.31, 12, None),
    ],
)
def test_score_depth_and_time(comment: str, score: float | None, depth: int | None, elapsed: int | None) -> None:
    info = None if score is None else Info(score=score, depth=depth)
    played = PlayedMove("11-15", elapsed, None, info)
    assert read_comment("11-15", comment) == played
    assert write_comment(played) == comment


@pytest.mark.parametrize(
    "comment",
    ["", "12 men left", "a good move", "0.45 0.3s", "+M5/12", "5 seconds", "+-", "9" * 400 + "s", "+" + "9" * 5000],
)
def test_other_text_is_ignored(comment: str) -> None:
    assert read_comment("11-15", comment) == PlayedMove("11-15")


@pytest.mark.parametrize(
    ("comment", "elapsed", "info"),
    [
        ('+0.31/12 0.45s, n=12345, pv="e2e4 e7e5"', 450, Info(0.31, 12, 12_345, ("e2e4", "e7e5"))),
        ("0.45s, n=0", 450, Info(nodes=0)),
        ('n=7, pv="11-15"', None, Info(nodes=7, pv=("11-15",))),
    ],
)
def test_nodes_and_line(comment: str, elapsed: int | None, info: Info) -> None:
    played = PlayedMove("e2e4", elapsed, None, info)
    assert write_comment(played) == comment
    assert read_comment("e2e4", comment) == played
    assert read_comment("e2e4", comment.replace(" ", "\n")) == played, "a comment may be broken into lines"


def test_a_long_line_is_cut_and_an_unwritable_line_is_omitted() -> None:
    assert write_comment(PlayedMove("a", info=Info(pv=("a1b1",) * 99))).count("a1b1") == LONGEST_LINE
    assert write_comment(PlayedMove("a", info=Info(nodes=3, pv=("take 1", "}")))) == "n=3"


def test_other_text_after_known_fields_is_ignored() -> None:
    found = read_comment("11-15", f"+0.31/12 0.45s, n=12345, Black wins, n={'9' * 20}, sn=3, pv=e2e4")
    assert found == PlayedMove("11-15", 450, None, Info(0.31, 12, 12_345))
