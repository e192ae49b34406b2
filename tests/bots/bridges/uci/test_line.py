# SPDX-License-Identifier: GPL-3.0-or-later
"""The game as a chess program tells it, all of it each time."""

import random

from bots.bridges.uci.commands import Place, PlayedLine
from engine.games import find

CHESS = find("chess")
SHUFFLE = ("g8f6", "g1f3", "f6g8", "f3g1")


def test_only_new_moves_are_made_and_the_position_is_the_same() -> None:
    rng = random.Random(5)
    whole: tuple[str, ...] = ()
    line = PlayedLine(CHESS)
    for _ in range(60):
        texts = CHESS.move_texts(line.position)
        if not texts:
            break
        whole = (*whole, rng.choice(list(texts)))
        assert line.place(Place(None, whole)) is None
        anew = PlayedLine(CHESS)
        assert anew.place(Place(None, whole)) is None
        assert anew.position == line.position
        assert anew.history == line.history
        if rng.random() < 0.2:
            whole = whole[: rng.randrange(len(whole))]
            assert line.place(Place(None, whole)) is None


def test_the_history_begins_after_the_last_move_that_cannot_be_undone() -> None:
    line = PlayedLine(CHESS)
    assert line.place(Place(None, ("e2e4", *SHUFFLE, *SHUFFLE[:2]))) is None
    history = line.history
    assert len(history) == 6
    assert history[0] == history[4]
    assert line.place(Place(None, ("e2e4", *SHUFFLE, "d7d5"))) is None
    assert len(line.history) == 0


def test_an_illegal_move_is_reported_and_the_moves_before_it_stay() -> None:
    line = PlayedLine(CHESS)
    assert line.place(Place(None, ("e2e4", "e2e4", "e7e5"))) == "move 2: 'e2e4' is not a legal move here"
    assert line.moves == ("e2e4",)
    assert line.position.to_move == 1
    before = line.position
    assert "is not a position" in (line.place(Place("8/8", ())) or "")
    assert line.position == before
    assert line.place(Place("7k/8/8/8/8/8/8/KR6 b - - 0 1", ("h8h7",))) is None
    assert CHESS.format_position(line.position.state).startswith("8/7k/8/8/8/8/8/KR6 w")
    assert line.place(Place()) is None
    assert line.position == CHESS.look(CHESS.start())
