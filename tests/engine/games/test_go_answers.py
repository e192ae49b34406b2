# SPDX-License-Identifier: GPL-3.0-or-later
"""What tree search knows of Go, against slow rules: answers to the last move in playouts, and priors of moves."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import Game, Moves, State, legal_moves
from engine.games import find
from engine.games.go.answers import EVEN, NOTHING
from engine.games.go.board import unpack
from engine.games.go.patterns import PATTERNS
from engine.hints.playouts import VirtualPlayouts, answer, prior_values
from engine.kernel import compiled
from engine.search import Limits
from engine.search.tree import TreeSearcher
from engine.walks.playout import playout
from tests.engine.games.go_oracle import Board, Point

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


def liberties(board: Board, point: Point) -> set[Point]:
    chain, _ = board.connected(point)
    return {each for stone in chain for each in board.beside(stone) if each not in board.stones}


def capturing(board: Board, points: set[Point]) -> set[Point]:
    """The points where chains are captured that have only one liberty."""
    return {each for point in points if len(found := liberties(board, point)) == 1 for each in found}


def saving(board: Board, point: Point, seat: int) -> set[Point]:
    """The points that save a chain."""
    if len(left := liberties(board, point)) != 1:
        return set()
    chain, _ = board.connected(point)
    others = {each for stone in chain for each in board.beside(stone) if board.stones.get(each) == 1 - seat}
    (last,) = left
    extended = Board(board.side, {**board.stones, last: seat})
    return capturing(board, others) | (left if len(liberties(extended, last)) > 1 else set())


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


def expected(board: Board, seat: int, last: Point, forbidden: Point | None) -> set[Point]:
    """The answers to the last move."""
    own = {each for each in board.beside(last) if board.stones.get(each) == seat}
    urgent = capturing(board, {last}).union(*(saving(board, each, seat) for each in own)) - {forbidden}
    if urgent:
        return urgent
    column, row = last
    ring = {(x, y) for x in range(column - 1, column + 2) for y in range(row - 1, row + 2)}
    inside = {each for each in ring if all(0 <= place < board.side for place in each)}
    return {
        each
        for each in inside - set(board.stones) - {forbidden}
        if any(fits(rows, pattern) for rows in squares(board, each, seat) for pattern in PATTERNS)
        and len(liberties(Board(board.side, {**board.stones, each: seat}), each)) > 1
    }


def read(game: Game, state: State) -> tuple[Board, int, Point | None]:
    """The slow board of a state, the seat to move, and the point of the ko."""
    black, white, seat, _, ko = unpack(state)
    side = game.board.rows
    points = {(column, row): (side + 1) * row + column for row in range(side) for column in range(side)}
    stones = {point: white >> bit & 1 for point, bit in points.items() if (black | white) >> bit & 1}
    return Board(side, stones), seat, next((point for point, bit in points.items() if bit == ko - 1), None)


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
    points = expected(board, seat, (column, row), ko) if row < side and not looked.over else set[Point]()
    assert set(found.tolist()) == ({(side + 1) * row + column for column, row in points} or {NOTHING})
    assert set(found.tolist()) <= {NOTHING, *looked.moves}


def test_answers_are_drawn_equally_often() -> None:
    state = SMALL.parse_position("9/9/9/9/9/9/1o7/x1x6/1xo6 w")
    found = np.empty(SHARES, np.int64)
    answers(SMALL.pack(state), SMALL.parse_move(SMALL.look(state), "D2"), found)
    counts = np.unique(found, return_counts=True)[1]
    assert counts.min() >= counts.max() - 1


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
