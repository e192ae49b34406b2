# SPDX-License-Identifier: GPL-3.0-or-later
"""The bots of Monte Carlo tree search keep to their limits, follow the match, and tell what they found."""

from dataclasses import replace

import pytest

from arena.protocol.messages import CANDIDATES
from bots.bot import DECIDED
from bots.built_in import kinds
from bots.built_in.kinds.tree import BOTS, TreeSearching, TreeSearchingBot
from bots.contest import Contest, EntrantTerms, NoEntrant
from engine import games
from tests.bots.built_in.test_searching import turn

UCT, MCTS = BOTS


def test_a_win_is_seen_and_reported() -> None:
    found = TreeSearchingBot(UCT).move(turn("tictactoe", "xx./oo./..."))
    assert (found.move, found.score, list(found.pv)) == ("c3", DECIDED, ["c3"])
    assert TreeSearchingBot(UCT).move(turn("nim", "7")).score == -DECIDED


def test_the_best_moves_have_visits_and_win_probabilities() -> None:
    game = games.find("tictactoe")
    found = TreeSearchingBot(replace(UCT, switches="-solver")).move(turn("tictactoe"))
    assert found.info is not None
    told = found.info.candidates
    assert len(told) == CANDIDATES
    assert told[0].move == found.move
    assert [each.visits for each in told] == sorted((each.visits for each in told), reverse=True)
    assert 0 < sum(each.visits for each in told) <= 1_000
    assert {each.move for each in told} < game.move_texts(game.look(game.start())).keys()
    assert all(0 <= each.win <= 1 for each in told)


def test_the_clock_limits_the_search() -> None:
    found = TreeSearchingBot(MCTS).move(turn("nim", clocks=(200, 200)))
    assert found.move in games.find("nim").move_texts(games.find("nim").look(games.find("nim").start()))
    assert found.nodes


def test_the_tree_is_kept_from_move_to_move() -> None:
    bot = TreeSearchingBot(replace(UCT, switches="-solver"))
    first = bot.move(turn("nim", ply=0))
    searcher = bot._searchers["nim"]
    game = games.find("nim")
    position = game.look(game.start())
    position = game.play(position, game.parse_move(position, first.move))
    reply = position.moves[0]
    after = game.play(position, reply)
    bot.move(turn("nim", game.format_position(after.state), ply=2, last_move=game.format_move(position.state, reply)))
    assert bot._searchers["nim"] is searcher
    assert searcher._tree.visits[0] > 1_000


def test_an_arena_runs_them_only_on_request() -> None:
    usual = {bot.name for _, bot in kinds.of_process("built-in")}
    assert not usual & {"uct-1k", "mcts"}
    assert {bot.name for _, bot in kinds.of_process("built-in", ["mcts"])} == usual | {"mcts"}


async def test_a_match_sets_algorithm_and_playouts() -> None:
    contest = Contest(
        "nim", "mcts", "uct-1k", playouts=70, first_terms=EntrantTerms.parse(["algorithm=rave", "playouts=50"])
    )
    bots = [entrant.make() for entrant in await contest.entrants()]
    settings = [bot._settings for bot in bots if isinstance(bot, TreeSearchingBot)]
    assert [(each.algorithm, each.playouts, each.seconds) for each in settings] == [
        ("rave", 50, None),
        ("uct", 70, None),
    ]
    assert isinstance(kinds.catalogue()["mcts"], TreeSearching)


@pytest.mark.parametrize(
    ("bot", "words", "why"),
    [
        (
            "minimax-2",
            ["playouts=5"],
            "playouts and algorithm are for bots of Monte Carlo tree search, not for minimax-2",
        ),
        ("minimax-2", ["algorithm=uct"], "playouts and algorithm are for bots of"),
        ("mcts", ["depth=5"], "mcts has no limit of depth"),
    ],
)
async def test_limits_that_do_not_fit_are_refused(bot: str, words: list[str], why: str) -> None:
    with pytest.raises(NoEntrant, match=why):
        await Contest("nim", bot, "random", first_terms=EntrantTerms.parse(words)).entrants()


@pytest.mark.parametrize("words", [["playouts=0"], ["playouts=many"], ["algorithm=best"], ["playouts"]])
def test_words_that_mean_nothing_are_refused(words: list[str]) -> None:
    with pytest.raises(ValueError, match=r"playouts|tree search"):
        EntrantTerms.parse(words)
