# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiled games are what the referee and a slow minimax say they are."""

import subprocess
import sys
from random import Random
from typing import Any

import pytest

from bots.evolution.contests import Contest, Table, draws_of
from bots.evolution.genome import SCHEMAS, Schema
from bots.evolution.operators import chance_for
from bots.evolution.population import founded
from engine.evaluation import Evaluation
from engine.game import Game, Position
from engine.games import find
from engine.match.machine import Match

PAIRS = 12


def players(schema: Schema, seed: int) -> tuple[Evaluation, Evaluation]:
    """Return two that are drawn at random."""
    first, second = founded(schema, 2, chance_for(seed)).members
    return schema.express(first.values), schema.express(second.values)


def refereed(game: Game, contest: Contest, plies: int) -> Match:
    """Return the match in which the same moves are made."""
    position, texts = game.look(game.start()), []
    for move in contest.moves:
        texts.append(game.format_move(position.state, move))
        position = game.play(position, move)
    match = Match(game, opening=texts[: contest.opening], draws=draws_of(game, plies))
    for text in texts[contest.opening :]:
        assert match.to_move is not None, "the referee had ended it before"
        match.play(match.to_move, text)
    return match


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_referee_comes_to_the_same_results(name: str) -> None:
    schema = SCHEMAS[name]
    game = find(schema.game)
    endings = set()
    for plies in (200, 30):
        table = Table(game, plies=plies)
        for seed in range(PAIRS):
            pair = players(schema, seed)
            contests = [table.play(*pair, seed, seat) for seat in (0, 1)]
            assert contests[0].moves[: contests[0].opening] == contests[1].moves[: contests[1].opening]
            for contest in contests:
                ending = refereed(game, contest, plies).ending
                assert ending is not None
                assert ending.scores is not None
                assert ending.scores[contest.seat] == contest.score
                endings.add(ending.termination)
    assert len(endings) >= 2, endings


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_moves_are_minimax_s(depth: int) -> None:
    schema = SCHEMAS["checkers/lecture"]
    game = find(schema.game)
    table = Table(game, depth, plies=60)
    chance = Random(depth)
    for seed in range(3):
        pair = players(schema, seed)
        contest = table.play(*pair, seed)
        position = game.look(game.start())
        for ply, move in enumerate(contest.moves):
            if ply >= contest.opening and chance.random() < 0.3:
                assert chosen(game, position, depth, pair[ply % 2]) == move
            position = game.play(position, move)


def test_moves_of_chess_are_minimax_s() -> None:
    schema = SCHEMAS["chess/men-and-mobility"]
    game = find(schema.game)
    pair = players(schema, 5)
    contest = Table(game, 2).play(*pair, 5)
    position = game.look(game.start())
    for ply, move in enumerate(contest.moves):
        if ply >= contest.opening and ply % 9 == 0:
            assert chosen(game, position, 2, pair[ply % 2]) == move
        position = game.play(position, move)
    end = game.parse_position("7k/6pp/8/8/8/8/6PP/4R2K w - - 0 1")
    assert game.format_move(end, chosen(game, game.look(end), 3, pair[0])) == "e1e8"


def chosen(game: Game, position: Position, depth: int, evaluation: Evaluation) -> int:
    """Return the first of the best moves, what wins most at once before others, by plain minimax in plain Python."""
    moves = sorted(position.moves, key=lambda move: -max(0, gain_of(position.state, move)))
    values = [-value(game, game.play(position, move), depth - 1, evaluation) for move in moves]
    return moves[values.index(max(values))]


def value(game: Game, position: Position, depth: int, evaluation: Evaluation) -> int:
    """Return what a position is worth to the seat to move."""
    if position.over:
        return round(position.payoffs[position.to_move] * (evaluation.win + evaluation.sooner * depth))
    if depth == 0:
        return game.score(position.state, evaluation)
    return max(-value(game, game.play(position, move), depth - 1, evaluation) for move in position.moves)


def gain_of(state: Any, move: int) -> int:
    """Return what a move wins at once."""
    from tests.engine.search.kernels import gained

    return int(gained(state, move))


def test_the_same_seed_plays_the_same_game_and_another_another() -> None:
    schema = SCHEMAS["checkers/lecture"]
    table, other = (Table(find(schema.game)) for _ in range(2))
    pair = players(schema, 1)
    games = [table.play(*pair, seed) for seed in range(8)]
    assert [other.play(*pair, seed) for seed in reversed(range(8))] == games[::-1]
    assert len({game.moves[: game.opening] for game in games}) == 8


def test_a_game_with_dice_is_refused() -> None:
    with pytest.raises(ValueError, match="has dice"):
        Table(find("einstein"))


def test_cached_code_plays_the_same_in_another_process() -> None:
    code = (
        "from bots.evolution.contests import Table; from engine.games import find;"
        "game = find('checkers'); one = game.evaluations['lecture'];"
        "print(Table(game).play(one, one, 3).moves)"
    )
    one = find("checkers").evaluations["lecture"]
    moves = Table(find("checkers")).play(one, one, 3).moves
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert other.stdout.strip() == str(moves)


def test_too_deep_searches_are_refused() -> None:
    with pytest.raises(ValueError, match="1 to 6 plies"):
        Table(find("checkers"), 7)
