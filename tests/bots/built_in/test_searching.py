# SPDX-License-Identifier: GPL-3.0-or-later
"""The bots that search keep to their limits and to the clock, and tell what they found."""

import threading
import time
from typing import Any

import pytest

from arena.protocol.messages import Match, Over, PlayedMove, Player, Turn
from bots.bot import DECIDED, Reply
from bots.built_in.kinds.searching import BOTS, Searching, SearchingBot
from engine import games
from engine.search import SearchResult


def turn(game: str, position: str | None = None, **more: object) -> Turn:
    """The question for a move."""
    found = games.find(game)
    state = found.start() if position is None else found.parse_position(position)
    here = found.look(state)
    asked: dict[str, object] = {"match": 1, "ply": 10, "seat": here.to_move, **more}
    return Turn(game=game, position=found.format_position(state), **asked)  # type: ignore[arg-type]  # as the test says


def searching(name: str) -> Searching:
    """The settings of a built-in bot that searches."""
    return next(bot for bot in BOTS if bot.name == name)


def reply(bot: SearchingBot, asked: Turn) -> Reply:
    """The bot's answer."""
    return bot.move(asked)


def test_a_win_is_seen_and_reported() -> None:
    found = reply(SearchingBot(searching("minimax-2")), turn("tictactoe", "xx./oo./..."))
    assert found.move == "c3"
    assert found.score == DECIDED
    assert found.pv == ("c3",)
    lost = reply(SearchingBot(searching("alphabeta-4")), turn("nim", "7"))
    assert lost.score == -DECIDED


@pytest.mark.parametrize(
    ("name", "depth"), [("minimax-2", 2), ("minimax-3", 3), ("alphabeta-4", 4), ("alphabeta-6", 6)]
)
def test_named_depths_are_kept(name: str, depth: int) -> None:
    found = reply(SearchingBot(searching(name)), turn("tictactoe"))
    assert found.depth == depth
    assert found.nodes
    assert len(found.pv) <= depth


def test_the_score_is_in_points_of_a_man() -> None:
    unit = reply(SearchingBot(searching("alphabeta-4")), turn("tictactoe", "x../.../..o"))
    assert unit.score is not None
    assert abs(unit.score) < 10


def test_nodes_bound_a_search_however_wide_the_game() -> None:
    hurried = Searching("hurried", "", "minimax", depth=8, nodes=2_000)
    found = reply(SearchingBot(hurried), turn("nim"))
    assert found.nodes is not None
    assert found.nodes <= 2_000
    assert found.depth is not None
    assert 1 <= found.depth < 8


@pytest.mark.parametrize(("left", "increment"), [(60_000, 0), (2_000, 100), (300, 0), (40, 0), (0, 0)])
def test_the_clock_is_heeded(left: int, increment: int) -> None:
    thinker = SearchingBot(Searching("thinker", "", "advanced", seconds=0.3))
    asked = turn("nim", "40", clocks=(left, 60_000), increment=increment)
    thinker.move(turn("nim", "6"))
    began = time.thread_time()
    thinker.move(asked)
    assert time.thread_time() - began < 0.3 + 0.25, "the search itself ends within its limit"
    share = thinker._limits(asked).seconds
    assert share is not None
    assert 0 < share <= max(0.01, min(0.3, left / 1000))


@pytest.mark.parametrize(
    ("algorithm", "game", "position"),
    [("minimax", "nim", "60"), ("alphabeta", "nim", "60"), ("play", "checkers", None)],
)
def test_a_fixed_depth_or_number_of_nodes_heeds_the_clock_too(algorithm: str, game: str, position: str | None) -> None:
    nodes = 10**10
    thinker = SearchingBot(Searching("thinker", "", algorithm, depth=60, nodes=nodes))
    found = reply(thinker, turn(game, position, clocks=(400, 400)))
    assert found.nodes is not None
    assert found.nodes < nodes, "a twentieth of a second was left for it"


def test_equal_moves_are_chosen_by_match_and_ply() -> None:
    def choose(match: int) -> str:
        return reply(SearchingBot(searching("minimax-2")), turn("checkers", match=match)).move

    assert choose(1) == choose(1)
    assert len({choose(match) for match in range(20)}) > 1


def test_a_search_that_nobody_waits_for_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    thinker = SearchingBot(Searching("thinker", "", "advanced", seconds=3600.0))
    thinker.move(turn("nim", "6"))
    searcher, searches = thinker._searcher(games.find("nim")), threading.Event()
    search = searcher.search

    def noted(*positional: Any, **named: Any) -> SearchResult:
        searches.set()
        return search(*positional, **named)

    monkeypatch.setattr(searcher, "search", noted)
    thinking = threading.Thread(target=thinker.move, args=[turn("nim", "60")])
    thinking.start()
    assert searches.wait(600)
    thinker.stop(1)
    thinking.join(600)
    assert not thinking.is_alive()
    thinker.match_over(Over(1, "1-0", 1.0, "resignation"))
    assert reply(thinker, turn("nim", "6")).move


def test_the_leading_side_avoids_a_third_repetition() -> None:
    game, start = games.find("checkers"), "B:WK32:BK1,K9"
    moves = ["9-14", "32-28", "14-18", "28-32", "18-14", "32-28", "14-9", "28-32"]
    repeats = "9-14"
    position = game.look(game.parse_position(start))
    for move in moves:
        position = game.play(position, game.parse_move(position, move))
    text, players = game.format_position(position.state), (Player("us", "1"), Player("them", "1"))

    def choices(*, told: bool) -> set[str]:
        chosen = set()
        for number in range(1, 30):
            bot = SearchingBot(Searching("shallow", "", "advanced", depth=2, extends=True))
            if told:
                made = [PlayedMove(move) for move in moves]
                bot.match_started(Match(number, game.name, 0, players, True, None, start, [], made, text, 8, 0, None))
            chosen.add(reply(bot, turn(game.name, text, match=number, ply=8, last_move=moves[-1])).move)
        return chosen

    assert repeats in choices(told=False)
    assert repeats not in choices(told=True)
