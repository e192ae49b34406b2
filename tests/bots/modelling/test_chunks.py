# SPDX-License-Identifier: GPL-3.0-or-later
"""Visual chunks: which are used, and the properties of those that a move completes or breaks."""

from typing import Any

import numpy as np
import pytest

from bots.modelling.chunks import (
    BROKEN,
    CHUNK,
    FOUND,
    LOST,
    MADE,
    RAW,
    REBUILT,
    RULES,
    SCORE,
    SHARE,
    SIZE,
    TIMELY,
    Chunk,
    Chunks,
    match,
)
from bots.modelling.file import items, men
from bots.modelling.patterns import CELLS, TEMPLATES

CHESS = TEMPLATES["chess"]
MIRRORS = np.stack([np.arange(CELLS), CHESS.mirror])
EMPTY = np.zeros(CELLS, np.int8)


def board(*names: str) -> Any:
    cells = np.zeros(CELLS, np.int8)
    for item in items(CHESS, list(names)):
        cells[item % CELLS] = item // CELLS
    return cells


def known(*chunks: tuple[str, int], games: int = 10, move: int = 5, points: float = 1.0) -> Chunks:
    """A seat's chunks, each with its games."""
    found = Chunks(CHESS)
    found.games = games
    for names, count in chunks:
        found.put(Chunk(items(CHESS, names.split()), count, points * count, move * count, 0))
    return found


def matched(chunks: Chunks, before: Any, *after: Any, earlier: Any = EMPTY, move: int = 5) -> Any:
    found = np.zeros((len(after), FOUND))
    match(chunks.index(), RULES, before, np.stack(after), len(after), earlier, MIRRORS, CHESS.heavy, move, found)
    return found


FIANCHETTO = "Bg2 Pf2 Pg3 Ph2"


def test_a_chunk_seen_in_one_game_only_is_never_used() -> None:
    pattern = [(7, items(CHESS, ["Pf2", "Pg3"]), 4)]
    chunks = Chunks(CHESS)
    chunks.add(pattern * 3, 1.0, 0)
    assert chunks.used() == []
    assert not matched(chunks, board("Pf2"), board("Pf2", "Pg3"))[:, :CHUNK].any()
    chunks.add(pattern, 0.0, 1)
    (used,) = chunks.used()
    assert (used.games, used.points, used.moves, used.last) == (2, 1.0, 8, 1)


def test_a_move_that_completes_a_chunk_is_a_candidate() -> None:
    before = board("Bf1", "Pf2", "Pg3", "Ph2")
    bishop, pawn = board("Bg2", "Pf2", "Pg3", "Ph2"), board("Bf1", "Pf2", "Pg4", "Ph2")
    found = matched(known((FIANCHETTO, 6)), before, bishop, pawn)
    assert found[0, SHARE] == found[0, TIMELY] == 0.6
    assert found[0, SIZE] == 4
    assert found[0, MADE] == 1
    assert found[0, SCORE] == 1
    # four men are one more than three, it is about the time, and all games were won
    assert found[0, RAW] == pytest.approx(0.6 + RULES.man + RULES.timely + RULES.winning)
    assert found[1, RAW] == 0
    assert found[1, CHUNK] == -1


def test_at_another_time_it_is_believed_in_less() -> None:
    before, after = board("Bf1", "Pf2", "Pg3", "Ph2"), board("Bg2", "Pf2", "Pg3", "Ph2")
    found = matched(known((FIANCHETTO, 6)), before, after, move=30)
    assert found[0, TIMELY] == 0
    assert found[0, RAW] == pytest.approx(0.6 + RULES.man - RULES.timely + RULES.winning)


def test_major_pieces_and_lost_games_count() -> None:
    before, after = board("Ra1", "Pd4"), board("Rd1", "Pd4")
    found = matched(known(("Rd1 Pd4", 5), points=0.0), before, after)
    assert found[0, RAW] == pytest.approx(0.5 - RULES.man + RULES.major + RULES.timely - RULES.winning)


def test_the_mirror_image_is_completed_too() -> None:
    before = board("Bc1", "Pa2", "Pb3", "Pc2")
    assert matched(known((FIANCHETTO, 6)), before, board("Bb2", "Pa2", "Pb3", "Pc2"))[0, MADE] == 1


def test_two_moves_from_completion_it_is_no_candidate() -> None:
    before = board("Bf1", "Pf2", "Pg2", "Ph2")
    assert matched(known((FIANCHETTO, 6)), before, board("Bf1", "Pf2", "Pg3", "Ph2"))[0, MADE] == 0


def test_a_move_that_breaks_a_chunk_is_reported() -> None:
    whole = board("Bg2", "Pf2", "Pg3", "Ph2")
    found = matched(known((FIANCHETTO, 6), ("Pg3 Ph2", 8)), whole, board("Be4", "Pf2", "Pg3", "Ph2"))
    assert found[0, BROKEN] == 1
    assert found[0, LOST] == 0.6


def test_a_chunk_that_the_player_just_broke_is_marked() -> None:
    whole = board("Bg2", "Pf2", "Pg3", "Ph2")
    found = matched(known((FIANCHETTO, 6)), board("Bf1", "Pf2", "Pg3", "Ph2"), whole, earlier=whole)
    assert found[0, REBUILT] == 1
    assert found[0, RAW] == 0


def test_men_are_written_and_read() -> None:
    chunk = items(CHESS, ["Kg1", "Rf1", "Ph2"])
    assert sorted(men(CHESS, chunk)) == ["Kg1", "Ph2", "Rf1"]
    with pytest.raises(ValueError, match="'Xg1' is not a piece"):
        items(CHESS, ["Xg1"])
    with pytest.raises(ValueError, match="'Kj1' is not a piece"):
        items(CHESS, ["Kj1"])
