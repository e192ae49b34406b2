# SPDX-License-Identifier: GPL-3.0-or-later
"""What habits leave out costs no node, harms little, and is nothing where nobody asks for it."""

from dataclasses import replace

import pytest

from bots.evolution.evochess.genome import HABITS, express, schema_for, standard
from bots.evolution.steered import player
from bots.evolution.steered.player import Player
from bots.evolution.steered.steering import (
    CAPTURES_FIRST,
    NOTHING,
    PLAIN,
    Daring,
    Steering,
    alpha_beta,
    default_evaluation,
    negascout,
)
from engine.game import Game, Position
from engine.games import find
from tests.bots.evolution.test_steered import BOLD
from tests.engine.search.oracle import random_position

CHESS = find("chess")
RIVALS = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": ((3222, 0, "d2d4"), (4126, 15, "d2d4")),
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": ((1930, 120, "b4f4"), (896, 120, "b4f4")),
    "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 1": ((12116, 0, "e1g1"), (7173, 20, "d1e2")),
}
"""Positions, and the nodes, value and move of f-negascout-4 and alpha-beta-3, as they were before there were habits."""
HABIT: dict[str, Daring] = {
    "standing": Daring(standing=0.5),
    "hope": Daring(hope=0.5, hope_a_ply=0.5),
    "few": Daring(few=3.0),
    "risk": Daring(risk=0.5),
    "trust": Daring(trust=0.5),
    "despair": Daring(despair=0.5),
    "late": Daring(late=0.7, settled=2.0),
}


def positions(count: int = 8) -> list[Position]:
    """Return positions of chess in which not much is over."""
    found = (random_position(CHESS, seed) for seed in range(100))
    return [position for position in found if len(position.moves) > 5][:count]


def habitual(game: Game, depth: int | None, **habits: object) -> Steering:
    """Return who searches plainly but for some habits."""
    plain = Steering(PLAIN, CAPTURES_FIRST, default_evaluation(game), depth=depth)
    return replace(plain, **habits)  # type: ignore[arg-type]  # names and types are the test's own


@pytest.mark.parametrize("fen", RIVALS)
def test_the_rivals_search_as_they_did_before_there_were_habits(fen: str) -> None:
    position = CHESS.look(CHESS.parse_position(fen))
    for steering, told in zip((negascout(CHESS, 4), alpha_beta(CHESS, 3)), RIVALS[fen], strict=True):
        thought = Player(CHESS, steering).choose(position)
        assert (thought.nodes, thought.value, CHESS.format_move(position.state, thought.move)) == told


def test_what_people_would_begin_with_dares_nothing() -> None:
    for name in ("chess", "checkers"):
        schema = schema_for(name)
        steering = express(schema, standard(schema))
        assert steering == habitual(find(name), None, evaluation=steering.evaluation)
        assert steering.dares == NOTHING
        assert not NOTHING.bold
    assert len(HABITS.genes) == len(CAPTURES_FIRST) + 7 + len(NOTHING)


@pytest.mark.parametrize("habit", HABIT)
def test_each_habit_saves_nodes_and_keeps_most_of_the_value(habit: str) -> None:
    plain, daring, apart = 0, 0, []
    for position in positions():
        one = Player(CHESS, habitual(CHESS, 4)).choose(position)
        other = Player(CHESS, habitual(CHESS, 4, dares=HABIT[habit])).choose(position)
        plain, daring = plain + one.nodes, daring + other.nodes
        apart.append(abs(one.value - other.value))
    assert daring < 0.97 * plain
    assert sorted(apart)[len(apart) // 2] <= 100  # a man, of the middle one


def test_passing_is_looked_at_less_deep() -> None:
    nodes = [
        sum(
            Player(CHESS, habitual(CHESS, 4, passes=True, dares=Daring(lighter=lighter))).choose(position).nodes
            for position in positions()
        )
        for lighter in (0.0, 2.0)
    ]
    assert nodes[1] < nodes[0]


@pytest.mark.parametrize("name", ["chess", "checkers"])
def test_following_recalling_and_narrow_windows_change_no_value(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player, "DEEPEST", 4)
    game = find(name)
    for seed in range(6):
        position = random_position(game, seed)
        plain = Player(game, habitual(game, None), 10**7).choose(position)
        for habits in (
            {"follows": True},
            {"recalls": True},
            {"dares": Daring(narrow=0.1)},
            {"follows": True, "recalls": True, "dares": Daring(narrow=0.3)},
        ):
            other = Player(game, habitual(game, None, **habits), 10**7).choose(position)
            assert (other.value, other.depth) == (plain.value, plain.depth), (seed, habits)


def test_a_line_is_followed_in_fewer_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player, "DEEPEST", 4)
    nodes = [
        sum(
            Player(CHESS, habitual(CHESS, None, follows=follows), 10**7).choose(position).nodes
            for position in positions()
        )
        for follows in (False, True)
    ]
    assert nodes[1] < nodes[0]


def test_who_dares_finds_mate_and_is_not_mated_by_what_was_left_out() -> None:
    bold = habitual(CHESS, None, passes=True, follows=True, recalls=True, dares=BOLD)
    win = default_evaluation(CHESS).win
    mate = CHESS.look(CHESS.parse_position("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1"))
    assert Player(CHESS, bold, 200_000).choose(mate).value == win - 3
    # after most of Black's moves White mates on the eighth rank
    held = CHESS.look(CHESS.parse_position("6k1/r4ppp/8/8/7R/8/5PPP/6K1 w - - 0 1"))
    assert abs(Player(CHESS, bold, 5_000).choose(held).value) < win // 2


def test_shortfall_is_what_score_and_gain_lack() -> None:
    short = ("if", "<", 0.0, "shortfall", -1.0, "horizon")
    long = ("if", "<", 0.0, "-", "alpha", "+", "score", "gain", -1.0, "horizon")
    for position in positions():
        one, other = (Player(CHESS, habitual(CHESS, 3, program=program)).choose(position) for program in (short, long))
        assert (one.value, one.move) == (other.value, other.move)
        assert abs(one.nodes - other.nodes) <= 0.01 * one.nodes  # differences of men are rounded otherwise


def test_all_that_a_move_may_cost_is_spent() -> None:
    """What one move saves a later one spends, so that little is left at the end of a game."""
    one = Player(CHESS, habitual(CHESS, None), 1_000)
    position = CHESS.look(CHESS.start())
    for _ in range(30):
        position = CHESS.play(position, one.choose(position).move)
    assert 0.9 * 1_000 * one.moves <= one.nodes <= 1_000 * one.moves
