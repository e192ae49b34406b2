# SPDX-License-Identifier: GPL-3.0-or-later
"""The end of a match in words."""

import pytest

from arena.registry import GameRegistry
from arena.settings import Settings
from engine.games import find
from web.api.games import describe
from web.ending_words import how


@pytest.mark.parametrize(
    ("game", "result", "position", "words"),
    [
        ("chess", "0-1", "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "by checkmate"),
        ("chess", "1/2-1/2", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "by stalemate"),
        ("chess", "1/2-1/2", "7k/8/6K1/8/8/8/8/8 b - - 0 1", "by stalemate or insufficient material"),
        ("tictactoe", "1-0", "xxx/oo./...", "with three in a row"),
        ("tictactoe", "1/2-1/2", "xox/xox/oxo", "on a full board"),
        ("checkers", "1-0", "W:W:B12", "by capturing every piece"),
        ("checkers", "1-0", "W:W29:B25,22", "because the opponent has no legal move"),
        ("nim", "1-0", "1+1+2+2+4+5+5", "because the opponent has no legal move"),
    ],
)
def test_an_end_by_the_rules_says_how(game: str, result: str, position: str, words: str) -> None:
    rules = find(game)
    board = describe(GameRegistry(Settings()), rules).board
    diagram = rules.diagram(rules.parse_position(position))
    assert how(game, board, result, "decided", diagram) == words
    assert how(game, board, result, "time", diagram) == "on time"
