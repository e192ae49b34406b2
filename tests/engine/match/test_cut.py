# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches of several rounds that a ply limit ends, and the longest matches that it must not end."""

import random

import pytest

from engine.games import catalogue, find
from engine.games.dilemma import PAYOFFS
from engine.match.dice import roll
from engine.match.ending import Adjudication, DrawRule, Ending, Termination
from engine.match.events import Info
from engine.match.machine import Match
from engine.rules import Draws

ROUNDS = [("C", "D"), ("D", "D"), ("C", "C"), ("C", "D")]


@pytest.mark.parametrize("own", [True, False], ids=["adjudicated", "by the rules of the match"])
@pytest.mark.parametrize("rounds", [1, 3, 4])
def test_a_match_that_is_cut_counts_the_rounds_so_far(rounds: int, own: bool) -> None:
    plies = 2 * rounds
    if own:
        match = Match(find("dilemma"), adjudication=Adjudication(plies=plies))
    else:
        match = Match(find("dilemma"), draws=Draws(plies=plies))
    for first, second in ROUNDS[:rounds]:
        assert match.ending is None
        match.play(0, first)
        match.play(1, second)
    cells = [PAYOFFS["CD".index(first)]["CD".index(second)] for first, second in ROUNDS[:rounds]]
    points = sum(cell[0] for cell in cells), sum(cell[1] for cell in cells)
    termination = Termination.ADJUDICATION if own else Termination.PLY_LIMIT
    detail = f"the limit of {plies} plies" if own else ""
    assert match.ending == Ending("0-1", termination, detail, points=points)
    again = Match.replay(match.game, events=match.events, adjudication=match.adjudication, draws=match.draws)
    assert again.ending == match.ending


def test_the_winner_of_a_zero_sum_match_that_is_cut_gets_the_points_so_far() -> None:
    match = Match(find("rock-paper-scissors"), adjudication=Adjudication(plies=6))
    for first, second in (("rock", "scissors"), ("paper", "rock"), ("rock", "rock")):
        match.play(0, first)
        match.play(1, second)
    assert match.ending == Ending("1-0", Termination.ADJUDICATION, "the limit of 6 plies", payoff=2)


def test_a_cut_match_without_points_is_a_draw() -> None:
    match = Match(find("tictactoe"), adjudication=Adjudication(plies=1))
    match.play(0, match.legal[0])
    assert match.ending == Ending("1/2-1/2", Termination.ADJUDICATION, "the limit of 1 plies")


def test_no_reported_scores_make_a_draw_of_points() -> None:
    match = Match(find("dilemma"), adjudication=Adjudication(draw=DrawRule(1, 1)))
    for seat in (0, 1):
        match.play(seat, "C", info=Info(score=0))
    assert match.ending is None


BOUNDED = [name for name, game in catalogue().items() if game.most_plies is not None] + ["dilemma/noise-5"]


def test_games_of_rounds_are_bounded() -> None:
    assert {"dilemma", "kuhn", "leduc", "matrix", "rock-paper-scissors"} <= set(BOUNDED)


@pytest.mark.parametrize("name", BOUNDED)
def test_no_match_is_longer_than_its_game_says(name: str) -> None:
    game, chance = find(name), random.Random(name)
    assert game.most_plies is not None
    position, left, plies = game.look(game.start()), [], 0
    while not position.over:
        left.append(game.most_plies(position.state))
        rolled = position.to_move < 0
        position = game.play(position, roll(game, position, 1, plies) if rolled else chance.choice(position.moves))
        plies += 1
    assert all(bound >= plies - ply for ply, bound in enumerate(left))
