# SPDX-License-Identifier: GPL-3.0-or-later
"""Tic-tac-toe compared with lists of letters, and the lecture's worked example."""

from typing import Any

import pytest

from engine.game import features
from engine.games import find
from engine.kernel import compiled
from engine.walks.perft import perft

GAME = find("tictactoe")
ROWS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


@compiled
def seen(state: Any) -> Any:
    return features(state)


def winner(cells: str) -> str:
    return next((cells[a] for a, b, c in ROWS if cells[a] == cells[b] == cells[c] != "."), "")


def every_position(cells: str = "." * 9) -> set[str]:
    """All positions that can come up."""
    found, open_ones = {cells}, [cells]
    while open_ones:
        cells = open_ones.pop()
        mark = "xo"[cells.count("x") - cells.count("o")]
        following = [cells[:at] + mark + cells[at + 1 :] for at in range(9) if cells[at] == "." and not winner(cells)]
        open_ones += [after for after in following if after not in found]
        found.update(following)
    return found


def text_of(cells: str) -> str:
    return "/".join((cells[:3], cells[3:6], cells[6:]))


def test_every_position_agrees_with_a_list_of_letters() -> None:
    positions = every_position()
    assert len(positions) == 5478
    for cells in positions:
        position = GAME.look(GAME.parse_position(text_of(cells)))
        won = winner(cells)
        assert position.over == bool(won or "." not in cells)
        assert position.to_move == cells.count("x") - cells.count("o")
        if position.over:
            assert position.payoffs == {"x": (1, -1), "o": (-1, 1), "": (0, 0)}[won]
        else:
            assert position.moves == tuple(at for at in range(9) if cells[at] == ".")
        assert GAME.diagram(position.state) == cells
        open_lines = sum(all(cells[at] != "o" for at in row) - all(cells[at] != "x" for at in row) for row in ROWS)
        assert seen(position.state) == (-open_lines if position.to_move else open_lines,)


def test_the_number_of_games_is_the_known_one() -> None:
    assert [perft(GAME, GAME.start(), depth) for depth in range(7)] == [1, 9, 72, 504, 3024, 15120, 54720]


def value_for_x(cells: str) -> int:
    state = GAME.parse_position(text_of(cells))
    value = int(seen(state)[0])
    return -value if GAME.look(state).to_move else value


def test_one_ply_from_the_empty_board_the_centre_is_best() -> None:
    values = [value_for_x("." * at + "x" + "." * (8 - at)) for at in range(9)]
    assert values == [3, 2, 3, 2, 4, 2, 3, 2, 3]


def test_two_plies_from_the_empty_board_the_centre_is_best() -> None:
    def answered(at: int) -> int:
        cells = "." * at + "x" + "." * (8 - at)
        return min(value_for_x(cells[:to] + "o" + cells[to + 1 :]) for to in range(9) if cells[to] == ".")

    assert [answered(at) for at in range(9)] == [-1, -2, -1, -2, 1, -2, -1, -2, -1]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "not a position"),
        ("xo/", "not a position"),
        ("xx./.../...", "one x more"),
        ("o../.../...", "one x more"),
        ("xxx/ooo/...", "three"),
    ],
)
def test_invalid_positions_are_refused_with_the_reason(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        GAME.parse_position(text)


def test_squares_are_named_as_on_a_chessboard() -> None:
    position = GAME.look(GAME.start())
    assert GAME.parse_move(position, " B2 ") == 4
    assert GAME.format_position(GAME.play(position, GAME.parse_move(position, "a3")).state) == "x../.../..."
