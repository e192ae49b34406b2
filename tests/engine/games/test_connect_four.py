# SPDX-License-Identifier: GPL-3.0-or-later
"""Connect Four: rules beside OpenSpiel and beside a slow implementation of any size, positions and moves as texts."""

import random
from functools import cache

import pytest

from engine.game import Game, Position
from engine.games import find
from engine.walks.perft import perft
from tests.openspiel import play_in_lockstep

SIZES = ("connect-four", "connect-four/4x4", "connect-four/5x5", "connect-four/6x5", "connect-four/9x6")


def played(game: Game, columns: str) -> Position:
    """The position after a string of columns."""
    return game.look(game.parse_position(columns))


# ---------------------------------------------------------------- rules


def test_random_games_agree_with_openspiel() -> None:
    for seed in range(200):
        play_in_lockstep("connect-four", seed)


@pytest.mark.long
def test_many_random_games_agree_with_openspiel() -> None:
    for seed in range(20_000):
        play_in_lockstep("connect-four", seed)


def slow_winner(cells: dict[tuple[int, int], int]) -> int | None:
    """The seat with four in a row, on squares given by column and row."""
    for (column, row), seat in cells.items():
        for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
            if all(cells.get((column + right * step, row + up * step)) == seat for step in range(4)):
                return seat
    return None


@pytest.mark.parametrize("name", SIZES)
def test_random_games_agree_with_slow_rules_on_every_size(name: str) -> None:
    game = find(name)
    columns, rows = game.board.columns, game.board.rows
    chance = random.Random(3)
    for _ in range(30):
        position, cells = game.look(game.start()), dict[tuple[int, int], int]()
        while True:
            winner = slow_winner(cells)
            open_columns = [at for at in range(columns) if (at, rows - 1) not in cells]
            if winner is not None or not open_columns:
                break
            assert not position.over
            texts = game.move_texts(position)
            assert list(texts) == [str(at + 1) for at in open_columns]
            column = chance.choice(open_columns)
            height = sum(at == column for at, _ in cells)
            move = texts[str(column + 1)]
            assert game.squares(position.state, move) == ((rows - 1 - height) * columns + column,)
            cells[column, height] = len(cells) % 2
            position = game.play(position, move)
        assert position.over
        assert position.payoffs == {None: (0.0, 0.0), 0: (1.0, -1.0), 1: (-1.0, 1.0)}[winner]


@cache
def slow_leaves(name: str, columns: str, depth: int) -> int:
    """Leaves below a string of columns, by the slow rules."""
    size = find(name).board
    heights = dict.fromkeys(range(size.columns), 0)
    cells = dict[tuple[int, int], int]()
    for ply, letter in enumerate(columns):
        column = int(letter) - 1
        cells[column, heights[column]] = ply % 2
        heights[column] += 1
    if depth == 0:
        return 1
    if slow_winner(cells) is not None:
        return 0
    free = [column for column, height in heights.items() if height < size.rows]
    return sum(slow_leaves(name, f"{columns}{column + 1}", depth - 1) for column in free)


@pytest.mark.parametrize(
    ("name", "columns"), [("connect-four", "44444235"), ("connect-four/4x4", "1122"), ("connect-four/5x5", "")]
)
def test_leaf_counts_agree_with_slow_rules(name: str, columns: str) -> None:
    game = find(name)
    state = game.parse_position(columns) if columns else game.start()
    for depth in range(4):
        assert perft(game, state, depth) == slow_leaves(name, columns, depth)


# ---------------------------------------------------------------- texts


@pytest.mark.parametrize(
    ("text", "diagram"),
    [
        ("44", "7/7/7/7/...y.../...r..."),
        ("dD", "7/7/7/7/3y3/3R3"),
        ("1", "_______\n_______\n_______\n_______\n_______\nx______"),
        ("1727374", "7/7/7/......y/......y/rrrr..y"),
    ],
)
def test_columns_and_diagrams_are_the_same_position(text: str, diagram: str) -> None:
    game = find("connect-four")
    assert game.parse_position(text) == game.parse_position(diagram)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is not a position"),
        ("48", "must be 1 to 7"),
        ("4444444", "column 4 is full before move 7"),
        ("44h", "must be 1 to 7"),
        ("17273747", "the game is over after 7 moves"),
        ("7/7/7/7/7/8", "is not a position"),
        ("7/7/7/7/7", "is not a position"),
        ("7/7/7/7/7/......q", "is not a position"),
        ("7/7/7/7/r6/7", "empty square below"),
        ("7/7/7/7/7/rr5", "as many discs"),
        ("7/7/7/7/7/y6", "as many discs"),
        ("7/7/7/7/yyy4/rrrry2", "the side to move has four"),
        ("7/7/7/7/yyyyrrr/rrrryyy", "four"),
        ("7" * 100_000, "full"),
        ("x" * 100_000, "is not a position"),
    ],
)
def test_bad_positions_are_refused(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why) as caught:
        find("connect-four").parse_position(text)
    assert len(str(caught.value)) < 400


def test_a_game_that_ended_before_is_refused() -> None:
    """Two fours without a common last disc, of which one was there first."""
    with pytest.raises(ValueError, match="ended before"):
        find("connect-four").parse_position("7/7/7/y6/yyyrrrr/rrrryyy")


@pytest.mark.parametrize("text", ["4", "d", " D ", "d3", "4 "])
def test_moves_are_read_by_number_and_letter(text: str) -> None:
    game = find("connect-four")
    position = played(game, "44")
    assert game.format_move(position.state, game.parse_move(position, text)) == "4"


@pytest.mark.parametrize("text", ["0", "8", "h", "d1", "d4", "44", "-1", "", "R4"])
def test_other_moves_are_refused(text: str) -> None:
    game = find("connect-four")
    with pytest.raises(ValueError, match="not a legal move"):
        game.parse_move(played(game, "44"), text)


# ---------------------------------------------------------------- variants


def test_variants_are_boards_of_other_sizes() -> None:
    game = find("connect-four/6x5")
    assert (game.board.columns, game.board.rows, game.width) == (6, 5, 6)
    assert game.title == "Connect Four 6×5"


@pytest.mark.parametrize("suffix", ["7x6", "3x4", "4x3", "10x5", "8x8", "5x", "x5", "5x5x5", "٥x٥", ""])
def test_other_variants_do_not_exist(suffix: str) -> None:
    with pytest.raises(KeyError, match="connect-four"):
        find(f"connect-four/{suffix}")


@pytest.mark.parametrize("name", ["connect_four/5x5", "connect_four"])
def test_the_name_of_the_module_is_no_name_of_a_game(name: str) -> None:
    with pytest.raises(KeyError):
        find(name)
