# SPDX-License-Identifier: GPL-3.0-or-later
"""What tree search knows of Go, against slow rules: answers to the last move in playouts, and priors of moves."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import Moves, State, legal_moves
from engine.games import find
from engine.games.go.answers import NOTHING
from engine.games.go.patterns import PATTERNS
from engine.games.go.priors import EVEN
from engine.hints.playouts import VirtualPlayouts, answer, prior_values
from engine.kernel import compiled
from engine.search import Limits
from engine.search.tree import TreeSearcher
from engine.walks.playout import playout
from tests.engine.games.go_oracle import Board, Point
from tests.engine.games.go_tactics import capturing, kills, liberties, placed, read, saving, snares, vital

SMALL = find("go/9x9")
SHARES = 840
"""Divisible by every number of answers up to 8."""


@compiled
def answers(state: State, last: int, out: Moves) -> None:
    """Write an answer for each of evenly distributed random numbers."""
    row = np.empty(400, np.int64)
    for index in range(len(out)):
        chance: Any = np.uint64(index) * np.uint64(2**32) // np.uint64(len(out))
        out[index] = answer(state, last, chance, row)


@compiled
def values(state: State, last: int, moves: Moves, out: VirtualPlayouts) -> int:
    """List the moves and their priors; return their number, 0 without priors."""
    count = legal_moves(state, moves)
    return count if prior_values(state, last, moves, count, out) else 0


# ---------------------------------------------------------------- slow rules


def squares(board: Board, point: Point, seat: int) -> Iterator[list[str]]:
    """The points around a point from eight sides and with both colours: rows of ``X``, ``O``, ``.`` and ``#``."""
    column, row = point
    for letters in ("XO", "OX"):

        def letter(place: Point, letters: str = letters) -> str:
            inside = all(0 <= each < board.side for each in place)
            return "#" if not inside else letters[board.stones[place]] if place in board.stones else "."

        for across, up in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            offsets = [[(across * x, up * y) for x in (-1, 0, 1)] for y in (1, 0, -1)]
            yield ["".join(letter((column + x, row + y)) for x, y in line) for line in offsets]
            yield ["".join(letter((column + y, row + x)) for x, y in line) for line in offsets]


def fits(rows: list[str], pattern: str) -> bool:
    """Whether a square has a pattern."""
    meant = {"x": ".O", "o": ".X", "?": ".XO#"}
    cells = zip("".join(rows), pattern.replace(" ", ""), strict=True)
    return all(cell in meant.get(kind, kind) for cell, kind in cells)


def patterned(board: Board, seat: int, last: Point) -> set[Point]:
    """The points around the last move where a pattern holds, and a stone has two liberties."""
    column, row = last
    ring = {(x, y) for x in range(column - 1, column + 2) for y in range(row - 1, row + 2)}
    inside = {each for each in ring if all(0 <= place < board.side for place in each)}
    return {
        each
        for each in inside - set(board.stones)
        if any(fits(rows, pattern) for rows in squares(board, each, seat) for pattern in PATTERNS)
        and len(liberties(placed(board, each, seat), each)) > 1
    }


def vital_points(board: Board, seat: int, last: Point) -> set[Point]:
    """The vital points of eyes of the other side beside the last move."""
    found = set[Point]()
    for each in board.beside(last):
        if each not in board.stones:
            area, border = board.connected(each)
            found |= vital(area) if border == {1 - seat} else set()
    return found


def answered(board: Board, seat: int, last: Point) -> Iterator[set[Point]]:
    """Yield the answers to the last move, the most urgent first."""
    own = {each for each in board.beside(last) if board.stones.get(each) == seat}
    yield capturing(board, {last}).union(*(saving(board, each) for each in own))
    yield snares(board, last)
    yield vital_points(board, seat, last)
    yield patterned(board, seat, last)


def careful(board: Board, seat: int, forbidden: Point | None) -> set[Point]:
    """Moves without own eyes, and without useless moves into atari."""
    found = set[Point]()
    for point, after in board.moves(seat, []).items():
        column, row = point
        near = [(column + x, row + y) for x in (-1, 1) for y in (-1, 1)]
        diagonal = [each for each in near if all(0 <= place < board.side for place in each)]
        against = sum(board.stones.get(each) == 1 - seat for each in diagonal) + (len(diagonal) < 4)
        enclosed = all(board.stones.get(each) == seat for each in board.beside(point))
        if point == forbidden or (enclosed and against < 2):
            continue
        chain, _ = after.connected(point)
        alone = len(after.stones) == len(board.stones) + 1
        if not alone or len(liberties(after, point)) > 1 or kills(chain):
            found.add(point)
    return found


# ---------------------------------------------------------------- answers


@pytest.mark.parametrize("name", ["go/9x9", "go/13x13", "go/19x19"])
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), share=st.floats(0.05, 0.95))
def test_answers_agree_with_slow_rules(name: str, seed: int, share: float) -> None:
    game = find(name)
    moves, _ = playout(game, seed, light=True)
    looked = game.look(game.start())
    for last in moves[: 1 + int(share * len(moves))]:
        looked = game.play(looked, last)
    side, found = game.board.rows, np.empty(SHARES, np.int64)
    answers(game.pack(looked.state), last, found)
    board, seat, ko = read(game, looked.state)
    row, column = divmod(last, side + 1)
    if looked.over:
        assert set(found.tolist()) == {NOTHING}
        return

    def bits(points: set[Point]) -> set[int]:
        return {(side + 1) * row + column for column, row in points}

    steps = list(answered(board, seat, (column, row))) if row < side else []
    steps.append(capturing(board, {each for each, owner in board.stones.items() if owner != seat}))
    if answers_found := next((left for points in steps if (left := points - {ko})), set()):
        assert set(found.tolist()) == bits(answers_found)
    else:
        assert set(found.tolist()) == (bits(careful(board, seat, ko)) or {(side + 1) * side})
    assert set(found.tolist()) <= set(looked.moves)


def test_answers_are_drawn_equally_often() -> None:
    state = SMALL.parse_position("9/9/9/9/9/9/1o7/x1x6/1xo6 w")
    found = np.empty(SHARES, np.int64)
    answers(SMALL.pack(state), SMALL.parse_move(SMALL.look(state), "D2"), found)
    counts = np.unique(found, return_counts=True)[1]
    assert counts.min() >= counts.max() - 1


@pytest.mark.parametrize(
    ("rows", "last", "only"),
    [
        # a ladder catches D4; a chain in atari is extended only if no ladder catches it
        ("9/9/9/9/3x5/2xo5/2x6/{}/9 b", "D4", "E4"),
        ("9/9/9/9/3o5/2oxo4/2o6/{}/9 b", "E4", "D3"),
    ],
)
def test_answers_read_ladders(rows: str, last: str, only: str) -> None:
    found = np.empty(SHARES, np.int64)
    # without and with a stone that breaks the ladder
    for second, works in (("9", only == "E4"), ("5o3" if only == "E4" else "5x3", only == "D3")):
        state = SMALL.parse_position(rows.format(second))
        answers(SMALL.pack(state), SMALL.parse_move(SMALL.look(SMALL.start()), last), found)
        assert (set(found.tolist()) == {SMALL.parse_move(SMALL.look(state), only)}) == works


@pytest.mark.parametrize(
    ("rows", "last", "only"),
    [("ooo6/3o5", "D1", "B1"), ("oooo5/1o1o5", "D1", None), ("oo7/2o6", "C1", None), ("1ooo5/o3o4", "E1", "C1")],
)
def test_answers_play_vital_points_of_eyes(rows: str, last: str, only: str | None) -> None:
    state, found = SMALL.parse_position(f"9/9/9/9/9/9/9/{rows} b"), np.empty(SHARES, np.int64)
    answers(SMALL.pack(state), SMALL.parse_move(SMALL.look(SMALL.start()), last), found)
    names = {SMALL.format_move(state, move) for move in set(found.tolist())}
    assert (names == {only}) if only else len(names) > 1


# ---------------------------------------------------------------- priors


@pytest.mark.parametrize(
    ("rows", "last", "better", "worse"),
    [
        # captures, and saves; an own eye, a move into atari
        ("9/9/9/9/9/9/9/1x7/xo7 b", None, "C1", "A9"),
        ("9/9/9/9/3x5/2xo5/3x5/9/9 b", None, "E4", "A1"),
        ("9/9/9/9/3x5/2xo5/3x5/9/9 w", None, "E4", "A1"),
        ("1x7/x8/9/9/9/9/9/9/9 b", None, "E5", "A9"),
        ("9/9/9/9/9/9/9/o8/9 b", None, "E5", "A1"),
        # the ladder that works
        ("9/9/9/9/3x5/2xo5/2x6/9/9 b", None, "E4", "D3"),
        # near the last move, away from the edge, and last of all a pass
        ("9/9/9/9/4x4/9/9/9/9 w", "E5", "E6", "H8"),
        ("9/9/9/9/9/9/9/9/9 b", None, "C3", "A9"),
        ("9/9/9/9/9/9/9/9/9 b", None, "E5", "pass"),
    ],
)
def test_priors_prefer_better_moves(rows: str, last: str | None, better: str, worse: str) -> None:
    looked = SMALL.look(SMALL.parse_position(rows))
    moves, out = np.empty(SMALL.width, np.int64), np.zeros((SMALL.width, 2))
    before = -1 if last is None else SMALL.parse_move(SMALL.look(SMALL.start()), last)
    count = values(SMALL.pack(looked.state), before, moves, out)
    assert count == len(looked.moves)
    assert np.all(out[:count, 1] <= out[:count, 0])
    assert out[:count, 0].min() >= EVEN
    means = {SMALL.format_move(looked.state, int(moves[i])): out[i, 1] / out[i, 0] for i in range(count)}
    assert means[better] > means.get(worse, 0)


# ---------------------------------------------------------------- searches


@pytest.mark.parametrize("switches", ["", "-heuristic", "-answers", "-answers,-heuristic"])
def test_tree_search_captures_a_large_chain(switches: str) -> None:
    state = SMALL.parse_position("ooooooooo/oooo1oooo/xxxx1xxxx/xxxxxxxxx/9/9/9/9/9 b")
    report = TreeSearcher(SMALL, "rave", switches=switches).search(state, Limits(playouts=2000), seed=3)
    assert report.win_probability > 0.8
    assert sum(each.visits for each in report.moves) == report.playouts


def test_the_seed_determines_an_informed_search() -> None:
    one, other = (
        TreeSearcher(SMALL, "rave").search(SMALL.start(), Limits(playouts=500), seed=2).moves for _ in range(2)
    )
    assert one == other
    light = TreeSearcher(SMALL, "rave", switches="-answers").search(SMALL.start(), Limits(playouts=500), seed=2)
    assert light.moves != one
