# SPDX-License-Identifier: GPL-3.0-or-later
"""The end of a match in words, and the squares that decided it."""

import random

import pytest

from arena.protocol.watching import Decision, Ending, Ghost
from arena.registry import GameRegistry
from arena.settings import Settings
from arena.watching.diagrams import decision_of
from arena.watching.positions import reached
from engine.games import catalogue, find
from engine.games.backgammon.board import DROPPED, NO_CUBE, ROLLING, Backgammon, make_cube, pack, phase_of
from web.api.games import BoardAnswer, describe, ended_by
from web.language import language_with, speaking
from web.wording import half, how


@pytest.mark.parametrize(
    ("game", "position", "words"),
    [
        ("chess", "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "by checkmate"),
        ("chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "by stalemate"),
        ("chess", "7k/8/6K1/8/8/8/8/8 b - - 0 1", "by insufficient material"),
        ("chess", "7k/8/6K1/8/8/8/8/5B1b b - - 0 1", "by insufficient material"),
        ("chess", "7k/5K1N/8/6N1/8/8/8/8 b - - 0 1", "by stalemate"),
        ("tictactoe", "xxx/oo./...", "with 3 in a row"),
        ("connect-four", "3344556", "with 4 in a row"),
        ("tictactoe", "xox/xox/oxo", "on a full board"),
        ("checkers", "W:W:B12", "by capturing every piece"),
        ("checkers", "W:W29:B25,22", "because the opponent has no legal move"),
        ("nim", "1+1+2+2+1", "because the opponent has no legal move"),
        ("einstein", "..d.1/...../...../...../2.... l -", "by reaching the opposite corner"),
        ("einstein", "...../...1./...../...../2.... l -", "by capturing every stone"),
        ("othello", "X" * 40 + "O" * 24 + " X", "with 40 discs to 24"),
        ("othello", "X" * 24 + "-" * 16 + "O" * 24 + " X", "with 24 discs to 24"),
        (
            "othello",
            "X" * 16 + "-" * 16 + "O" * 32 + " X",
            "with 32 discs to 16 (48 to 16 with the empty squares)",
        ),
    ],
)
def test_an_end_by_the_rules_says_how(game: str, position: str, words: str) -> None:
    rules = find(game)
    looked = rules.look(rules.parse_position(position))
    decision = decision_of(rules, looked, None)
    assert how(Ending("1-0", "decided", decision=decision)) == words
    assert how(Ending("1-0", "time")) == "on time"


ENDS: list[tuple[str, str | None, list[str], Decision]] = [
    ("tictactoe", "xx./oo./...", ["c3"], Decision("with {0} in a row", [3], won=[0, 1, 2])),
    ("tictactoe", "xox/xox/o.o", ["b1"], Decision("on a full board")),
    ("tictactoe", "xx./oxo/xoo", ["c3"], Decision("with {0} in a row", [3], won=[0, 1, 2, 4, 6])),
    ("connect-four", "334455", ["6"], Decision("with {0} in a row", [4], won=[37, 38, 39, 40])),
    ("chess", None, ["f2f3", "e7e5", "g2g4", "d8h4"], Decision("by checkmate", lost=[60])),
    ("chess", "7k/8/6K1/5Q2/8/8/8/8 w - - 0 1", ["f5f7"], Decision("by stalemate", lost=[7])),
    ("chess", "k7/8/8/8/8/8/6q1/7K w - - 0 1", ["h1g2"], Decision("by insufficient material")),
    (
        "checkers",
        "B:W18:B15",
        ["15x22"],
        Decision("by capturing every piece", lost=[35], ghosts=[Ghost(35, "w")]),
    ),
    ("nim", "3", ["3=1+2"], Decision("because the opponent has no legal move")),
    (
        "einstein",
        ".b.../...1./...../...../2.... d 1",
        ["d4-e5"],
        Decision("by reaching the opposite corner", won=[4]),
    ),
    (
        "einstein",
        "....b/...1./...../...../2.... d 1",
        ["d4xe5"],
        Decision("by capturing every stone", won=[4]),
    ),
]
"""Games, first positions, moves to the end, and what the end shows."""


def end(game: str, start: str | None, moves: list[str]) -> tuple[BoardAnswer, str, list[int], Decision]:
    """Play moves; return the board, the last diagram, the squares of the last move and what decided the match."""
    rules = find(game)
    after = reached(rules, start, moves)
    assert after.decision is not None
    return describe(GameRegistry(Settings()), rules).board, after.diagram, after.squares, after.decision


@pytest.mark.parametrize(("game", "start", "moves", "decision"), ENDS)
def test_the_end_shows_the_squares_that_decided_it(
    game: str, start: str | None, moves: list[str], decision: Decision
) -> None:
    assert end(game, start, moves)[-1] == decision
    assert reached(find(game), start, moves[:-1]).decision is None


@pytest.mark.parametrize(
    ("left", "cube", "words"),
    [
        ({0: 14, 1: 1}, NO_CUBE, "by bearing off all men"),
        ({6: 15}, NO_CUBE, "with a gammon, 2 points"),
        ({6: 14, 25: 1}, NO_CUBE, "with a backgammon, 3 points"),
        ({6: 15}, make_cube(4, 0, ROLLING), "with a gammon, 8 points"),
        ({6: 15}, make_cube(2, 0, DROPPED), "because the opponent dropped the double, 2 points"),
    ],
)
def test_backgammon_tells_gammons_and_points(left: dict[int, int], cube: int, words: str) -> None:
    game = find("backgammon/cube")
    dropped = phase_of(cube) == DROPPED
    men = [15 if point == 6 else 0 for point in range(26)] if dropped else [15, *[0] * 25]
    position = game.look(Backgammon(*pack(men), *pack([left.get(point, 0) for point in range(26)]), 0, 0, cube))
    points = max(position.payoffs)
    assert how(Ending("1-0", "decided", payoff=points, decision=decision_of(game, position, None))) == words


@pytest.mark.parametrize(
    ("result", "termination", "points", "words"),
    [
        ("1-0", "time", (480.0, 455.0), "on time, 480 to 455 points"),
        ("0-1", "time", (0.0, 2.5), "on time, 2.5 to 0 points"),
        ("1/2-1/2", "ply limit", (3.0, 3.0), "3 to 3 points"),
    ],
)
def test_a_game_that_is_not_zero_sum_tells_the_points_of_both(
    result: str, termination: str, points: tuple[float, float], words: str
) -> None:
    ending = Ending(result, termination, points=points)
    assert how(ending).endswith(words)
    with speaking(language_with("de")):
        assert how(ending).endswith(words.removeprefix("on time, ").replace("to", "zu").replace("points", "Punkte"))


@pytest.mark.parametrize(
    ("game", "position", "result", "payoff", "points", "words"),
    [
        ("rock-paper-scissors", "3 rrs sss", "1-0", 2.0, None, "by 2 points"),
        ("rock-paper-scissors", "3 rrs ssr", "1-0", 1.0, None, "by one point"),
        ("rock-paper-scissors", "1 r r", "1/2-1/2", 1.0, None, "with 0 points each"),
        ("dilemma", "2 CC CD", "0-1", 1.0, (3.0, 8.0), "with 8 to 3 points"),
        ("dilemma", "1 D D", "1/2-1/2", 1.0, (1.0, 1.0), "with one point each"),
    ],
)
def test_points_that_decide_are_shown_once(
    game: str, position: str, result: str, payoff: float, points: tuple[float, float] | None, words: str
) -> None:
    rules = find(game)
    decision = decision_of(rules, rules.look(rules.parse_position(position)), None)
    assert how(Ending(result, "decided", payoff=payoff, points=points, decision=decision)) == words


def test_one_chip_is_a_chip() -> None:
    poker = find("kuhn")
    chance, words = random.Random(1), dict[float, str]()
    while len(words) < 2:
        position = poker.look(poker.parse_position("1/1 0 -- - -"))
        while not position.over:
            position = poker.play(position, chance.choice(position.moves))
        decision = decision_of(poker, position, None)
        words[max(position.payoffs)] = how(Ending("1-0", "decided", payoff=max(position.payoffs), decision=decision))
    assert words == {1.0: "by one chip", 2.0: "by 2 chips"}


@pytest.mark.parametrize("name", catalogue())
def test_every_game_declares_the_words_of_its_ends(name: str) -> None:
    game, chance = find(name), random.Random(1)
    position, last, ply = game.look(game.start()), None, 0
    while not position.over and ply < 300:  # matches of some games have no end by chance
        last = position, chance.choice(position.moves)
        position, ply = game.play(*last), ply + 1
    if (decision := decision_of(game, position, last)) is not None:
        assert decision.words in game.endings.words
        assert all(0 <= square < len(game.diagram(position.state)) for square in (*decision.won, *decision.lost))
    assert game.endings.words
    assert game.board.counted[-1:] in ("", "s"), "a count of 1 is written without the s"
    assert ended_by(name, "1-0", "decided") == game.endings.win != "decided"
    assert ended_by(name, "1-0", "time") == "time"


def test_a_match_of_a_game_that_is_gone_ended_by_its_rules() -> None:
    assert ended_by("no-such-game", "1-0", "decided") == "decided"


@pytest.mark.parametrize(
    ("value", "text"),
    [(2.5, "2½"), (0.5, "½"), (-0.5, "−½"), (-2.5, "−2½"), (-3.0, "−3"), (0.0, "0"), (2.25, "2.25"), (-0.25, "−0.25")],
)
def test_points_of_payoffs_have_sign_and_fraction(value: float, text: str) -> None:
    assert half(value) == text
