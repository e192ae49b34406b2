# SPDX-License-Identifier: GPL-3.0-or-later
"""The bots ``pimc`` and ``ismcts`` play by their observation alone, in every game that offers states that fit."""

from dataclasses import replace
from random import Random

import pytest

from bots.bot import Reply, Turn
from bots.built_in.kinds import Enters, hidden, whist
from bots.built_in.kinds.hidden import Hidden
from engine.game import Game, Position
from engine.games import catalogue, find
from engine.hidden import ALGORITHMS, HiddenReport, HiddenSearcher
from engine.match.machine import Match
from engine.search import Limits

algorithms = pytest.mark.parametrize("algorithm", ALGORITHMS)
WHIST = find("german-whist")


def dealt(game: Game, seed: int, moves: int) -> Match:
    """Return a match after random moves."""
    match, chance = Match(game, seed=seed), Random(seed)
    for _ in range(moves):
        (seat,) = match.asked
        match.play(seat, chance.choice(match.legal_of(seat)))
    return match


def told(match: Match) -> Turn:
    """Return what the bot of the seat to move receives."""
    (seat,) = match.asked
    return Turn(
        match=1,
        game=match.game.name,
        seat=seat,
        ply=match.ply,
        position=match.observe(seat).position,
        legal_moves=match.legal_of(seat),
        last_move=match.last_seen_by(seat),
    )


def without_time(report: HiddenReport) -> HiddenReport:
    """Return a report without its duration and without the state in which its moves are written."""
    return replace(report, seconds=0.0, state=None)


def test_they_play_all_games_with_states_that_fit_an_observation() -> None:
    for bot in hidden.BOTS:
        played = {name for name in catalogue() if bot.plays(name)}
        assert {"kuhn", "leduc", "holdem/limit", "dark-chess", "phantom-go/9x9", "german-whist"} <= played
        assert not {"chess", "backgammon", "dilemma", "battleship", "bridge/double-dummy"} & played


def test_a_cold_start_waits_for_none_of_them() -> None:
    assert {bot.enters for bot in (*hidden.BOTS, *whist.BOTS)} == {Enters.LAST}
    assert not any(bot.usual for bot in hidden.BOTS)


@algorithms
@pytest.mark.parametrize("name", ["battleship", "dilemma", "chess"])
def test_other_games_are_refused(name: str, algorithm: str) -> None:
    with pytest.raises(ValueError, match=f"{algorithm} is for games that hide information and are played in turns"):
        HiddenSearcher(find(name), algorithm)


@algorithms
def test_the_reply_depends_on_the_observation_alone(algorithm: str) -> None:
    """In states that a seat cannot tell apart it gets the same, and the same question has the same answer."""
    assert WHIST.secrets is not None
    match = dealt(WHIST, 2, 9)
    turn = told(match)
    assert "?" in turn.position
    others = [WHIST.possible(turn.position, turn.seat, Random(seed)) for seed in range(3)]
    assert len({tuple(map(int, each)) for each in (match.position.state, *others)}) == 4
    assert all(WHIST.secrets.observe(each, turn.seat).position == turn.position for each in others)
    searchers = [HiddenSearcher(WHIST, algorithm) for _ in range(2)]
    one, other = (
        each.search(turn.position, turn.seat, Limits(nodes=6000), seed=5, legal=turn.legal_moves) for each in searchers
    )
    assert without_time(one) == without_time(other)
    assert one.worlds > 1


@pytest.mark.parametrize("bot", hidden.BOTS, ids=lambda bot: bot.name)
def test_a_bot_replies_with_a_legal_move(bot: Hidden) -> None:
    turn = told(dealt(WHIST, 2, 9))
    reply = replace(bot, seconds=0.01).make().move(turn)
    assert isinstance(reply, Reply)
    assert reply.move in (turn.legal_moves or ())


@algorithms
def test_the_last_tricks_are_played_as_a_full_search_of_them_says(algorithm: str) -> None:
    """In the second half only one state fits: both searches find the value that plain minimax finds."""
    searcher = HiddenSearcher(WHIST, algorithm)
    for seed in range(6):
        match = dealt(WHIST, seed, 45)
        turn = told(match)
        report = searcher.search(turn.position, turn.seat, Limits(), seed=seed)
        position = match.position
        values = {move: minimax(WHIST, WHIST.play(position, move), turn.seat) for move in position.moves}
        assert report.move is not None
        assert values[report.move] == max(values.values())
        assert {each.move: each.value / 1000 for each in report.moves} == values


@algorithms
def test_a_sure_win_of_a_hidden_position_is_found(algorithm: str) -> None:
    """Whatever else is on the board, a king that is seen can be captured."""
    game = find("dark-chess")
    match = Match(game, start="4k3/8/8/8/8/8/4R3/4K3 w - - 0 1")
    report = HiddenSearcher(game, algorithm).search(told(match).position, 0, Limits(playouts=2000), seed=1)
    assert report.move is not None
    assert game.format_move(report.state, report.move) == "e2e8"


def minimax(game: Game, position: Position, seat: int) -> float:
    """Return the payoff of a seat with best play."""
    if position.over:
        return float(position.payoffs[seat])
    values = [minimax(game, game.play(position, move), seat) for move in position.moves]
    return max(values) if position.to_move == seat else min(values)


def test_an_observation_of_the_other_seat_is_refused() -> None:
    match = dealt(WHIST, 3, 4)
    seen = match.observe(1 - match.asked[0]).position
    with pytest.raises(ValueError, match="is not the move of the seat"):
        HiddenSearcher(WHIST).search(seen, None, Limits())
    with pytest.raises(ValueError, match="is not an observation"):
        HiddenSearcher(WHIST).search("nothing", None, Limits())
