# SPDX-License-Identifier: GPL-3.0-or-later
"""The end of a match in words, and the squares that decided it."""

import pytest

from arena.registry import GameRegistry
from arena.settings import Settings
from arena.watching.positions import reached
from engine.games import find
from web.api.games import BoardAnswer, describe
from web.ending_words import UNDECIDED, Decided, deciding, how


@pytest.mark.parametrize(
    ("game", "result", "position", "words"),
    [
        ("chess", "0-1", "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "by checkmate"),
        ("chess", "1/2-1/2", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "by stalemate"),
        ("chess", "1/2-1/2", "7k/8/6K1/8/8/8/8/8 b - - 0 1", "by insufficient material"),
        ("chess", "1/2-1/2", "7k/8/6K1/8/8/8/8/5B1b b - - 0 1", "by insufficient material"),
        ("chess", "1/2-1/2", "7k/5KNN/8/8/8/8/8/8 b - - 0 1", "by stalemate"),
        ("tictactoe", "1-0", "xxx/oo./...", "with 3 in a row"),
        ("connect-four", "1-0", "3344556", "with 4 in a row"),
        ("tictactoe", "1/2-1/2", "xox/xox/oxo", "on a full board"),
        ("checkers", "1-0", "W:W:B12", "by capturing every piece"),
        ("checkers", "1-0", "W:W29:B25,22", "because the opponent has no legal move"),
        ("nim", "1-0", "1+1+2+2+4+5+5", "because the opponent has no legal move"),
        ("othello", "1-0", "X" * 40 + "O" * 24 + " X", "with 40 discs to 24"),
        ("othello", "1/2-1/2", "X" * 20 + "O" * 20 + "-" * 24 + " X", "with 20 discs to 20"),
        (
            "othello",
            "0-1",
            "X" * 20 + "O" * 30 + "-" * 14 + " X",
            "with 30 discs to 20 (44 to 20 with the empty squares)",
        ),
    ],
)
def test_an_end_by_the_rules_says_how(game: str, result: str, position: str, words: str) -> None:
    rules = find(game)
    board = describe(GameRegistry(Settings()), rules).board
    diagram = rules.diagram(rules.parse_position(position))
    assert how(game, board, result, "decided", diagram) == words
    assert how(game, board, result, "time", diagram) == "on time"


ENDS: list[tuple[str, str, str | None, list[str], Decided]] = [
    ("tictactoe", "1-0", "xx./oo./...", ["c3"], Decided((0, 1, 2))),
    ("tictactoe", "1/2-1/2", "xox/xox/o.o", ["b1"], UNDECIDED),
    ("tictactoe", "1-0", "xx./oxo/xoo", ["c3"], Decided((0, 1, 2, 4, 6))),
    ("connect-four", "1-0", "334455", ["6"], Decided((37, 38, 39, 40))),
    ("chess", "0-1", None, ["f2f3", "e7e5", "g2g4", "d8h4"], Decided(lost=[60])),
    ("chess", "1/2-1/2", "7k/8/6K1/5Q2/8/8/8/8 w - - 0 1", ["f5f7"], Decided(lost=[7])),
    ("chess", "1/2-1/2", "k7/8/8/8/8/8/6q1/7K w - - 0 1", ["h1g2"], UNDECIDED),
    ("checkers", "1-0", "B:W18:B15", ["15x22"], Decided(lost=[35], ghosts=[(35, "w")])),
    ("nim", "0-1", "3", ["3=1+2"], UNDECIDED),
]
"""Games, results, first positions, moves to the end, and what the end shows."""


def end(game: str, start: str | None, moves: list[str]) -> tuple[BoardAnswer, str, list[int], str]:
    """Play moves; return the board, the last diagram, the squares of the last move and the diagram before it."""
    rules = find(game)
    before = reached(rules, start, moves[:-1])
    after = reached(rules, start, moves)
    return describe(GameRegistry(Settings()), rules).board, after.diagram, after.squares, before.diagram


@pytest.mark.parametrize(("game", "result", "start", "moves", "decided"), ENDS)
def test_the_end_shows_the_squares_that_decided_it(
    game: str, result: str, start: str | None, moves: list[str], decided: Decided
) -> None:
    board, diagram, squares, before = end(game, start, moves)
    assert deciding(game, board, result, "decided", diagram, squares, before) == decided
    assert deciding(game, board, result, "time", diagram, squares, before) == UNDECIDED
