# SPDX-License-Identifier: GPL-3.0-or-later
"""Comments on moves in the way of cutechess and fastchess."""

import pytest

from engine.formats import comments
from engine.match import Info
from engine.record import PlayedMove


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
    assert comments.read("11-15", comment) == played
    assert comments.write(played) == comment


@pytest.mark.parametrize(
    "comment",
    ["", "12 men left", "a good move", "0.45 0.3s", "+M5/12", "5 seconds", "+-", "9" * 400 + "s", "+" + "9" * 5000],
)
def test_other_text_tells_nothing(comment: str) -> None:
    assert comments.read("11-15", comment) == PlayedMove("11-15")


def test_what_follows_is_not_looked_at() -> None:
    assert comments.read("11-15", "+0.31/12 0.45s, n=12345, Black wins").elapsed == 450
