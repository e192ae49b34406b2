# SPDX-License-Identifier: GPL-3.0-or-later
"""The order of rolls and cards that the documentation tells, by which others verify the deals of a match."""

import pytest

from engine.games import find

SUITS_LAST = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
SUITS_FIRST = [suit + rank for suit in "CDHS" for rank in "23456789TJQKA"]


@pytest.mark.parametrize(
    ("game", "position", "faces", "frequencies"),
    [
        ("kuhn", None, ["JQ", "JK", "QJ", "QK", "KJ", "KQ"], [1] * 6),
        ("leduc", None, ["JJ", "JQ", "JK", "QJ", "QQ", "QK", "KJ", "KQ", "KK"], [2, 4, 4, 4, 2, 4, 4, 4, 2]),
        ("leduc", "1/100 0 JK- cc -", ["J", "Q", "K"], [1, 2, 1]),
        ("holdem/limit", None, SUITS_LAST, [1] * 52),
        ("bridge/double-dummy", None, ["clubs", "diamonds", "hearts", "spades", "notrump"], [1] * 5),
        ("bridge/double-dummy", "N:- - - - 1NT S", SUITS_FIRST, [1] * 52),
        ("dilemma/noise-10", "3 10% !CD", ["C", "D"], [90, 10]),
        ("dilemma/noise-10", "3 10% C - !CD", ["C", "D"], [10, 90]),
        ("einstein", None, ["1", "2", "3", "4", "5", "6"], [1] * 6),
    ],
)
def test_faces_have_the_documented_order(
    game: str, position: str | None, faces: list[str], frequencies: list[int]
) -> None:
    rules = find(game)
    at = rules.look(rules.start() if position is None else rules.parse_position(position))
    assert list(rules.move_texts(at)) == faces
    assert list(rules.odds(at)) == frequencies
