# SPDX-License-Identifier: GPL-3.0-or-later
"""Games that forbid repetition: the match and the path of the searches leave such moves out."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from arena.protocol.messages import Turn
from bots.built_in.course import FollowedMatch
from bots.evolution.rivals import Rival
from engine.game import Position
from engine.match.ending import Ending, Termination
from engine.match.machine import Match
from engine.match.superko import following_keys, look, without_repetitions
from engine.rules import FORBIDDEN, Draws
from engine.search import Limits, Searcher
from engine.search.switches import Switch
from engine.search.tree import TREE_ALGORITHMS, TreeSearcher
from engine.walks.playout import limits_of, playout
from tests.compiling import FRAME_OF_PLAY, marks
from tests.engine.match.circling import GAME, TEXTS

EVALUATION = next(iter(GAME.evaluations.values()))
DEEPEST = 7


def allowed(position: Position, earlier: frozenset[int]) -> list[Position]:
    """The slow rule: the positions after the moves that lead nowhere where the tokens lay before."""
    after = [GAME.play(position, move) for move in position.moves]
    own = position.repetition_key
    return [each for each in after if each.repetition_key == own or each.repetition_key not in earlier]


def value(position: Position, earlier: frozenset[int], depth: int) -> int:
    """Minimax that knows the whole way from the start."""
    if position.over:
        return round(position.payoffs[position.to_move] * (EVALUATION.win + EVALUATION.sooner * depth))
    if depth == 0:
        return GAME.score(position.state, EVALUATION)
    earlier |= {position.repetition_key}
    return max((-value(each, earlier, depth - 1) for each in allowed(position, earlier)), default=0)


choices = st.lists(st.integers(0, 2), max_size=14)


def led(numbers: list[int]) -> Match:
    """Play legal moves by number until there is none."""
    match = Match(GAME)
    for number in numbers:
        if match.ending is None:
            match.play(match.position.to_move, match.legal[number % len(match.legal)])
    return match


def past(match: Match) -> list[Position]:
    """The positions before the newest."""
    positions = [GAME.look(GAME.start())]
    for moved in match.moves:
        positions.append(GAME.play(positions[-1], GAME.parse_move(positions[-1], moved.move)))
    return positions[:-1]


@given(numbers=choices)
@settings(max_examples=60, deadline=None)
def test_the_match_offers_the_moves_that_repeat_nothing(numbers: list[int]) -> None:
    match = led(numbers)
    earlier = frozenset(each.repetition_key for each in past(match))
    position = GAME.look(match.position.state)
    expected = [each.state for each in allowed(position, earlier)] if not position.over else []
    assert [GAME.play(match.position, move).state for move in match.position.moves] == expected
    if not match.ending:
        for move in set(position.moves) - set(match.position.moves):
            with pytest.raises(ValueError, match="not a legal move"):
                GAME.parse_move(match.position, TEXTS[move])


def test_a_forbidden_move_loses() -> None:
    match = Match(GAME)
    match.play(0, "on")
    match.play(1, "on")
    match.play(0, "back")
    assert match.legal == ["on"]
    ending = match.play(1, "back")[-1]
    assert match.ending == Ending("1-0", Termination.ILLEGAL_MOVE, "'back' repeats an earlier position (superko)")
    assert Match.replay(GAME, events=match.events).ending == match.ending
    assert ending in match.events


def test_a_move_that_changes_nothing_is_allowed() -> None:
    match = Match(GAME, start="2 4 0")
    match.play(0, "stay")
    assert match.position.repetition_key == GAME.look(GAME.parse_position("2 4 1")).repetition_key
    assert match.ending is None


def test_without_a_move_the_match_is_drawn() -> None:
    endings = {led([number % 2, *([number // 2 % 3] * 60)]).ending for number in range(6)}
    assert Ending("1/2-1/2", Termination.REPETITION) in endings


def test_the_rule_can_be_replaced() -> None:
    match = Match(GAME, draws=Draws(plies=3))
    for text in ("on", "on", "back"):
        match.play(match.position.to_move, text)
    assert match.ending == Ending("1/2-1/2", Termination.PLY_LIMIT)


@given(numbers=choices, depth=st.integers(1, DEEPEST))
@settings(max_examples=40, deadline=None)
@pytest.mark.parametrize(
    "name", ["minimax", "alphabeta", "ordering", pytest.param("selective", marks=marks(GAME.name))]
)
def test_searches_find_the_value_of_the_slow_rule(name: str, numbers: list[int], depth: int) -> None:
    match = led(numbers)
    if match.ending is not None:
        return
    searcher = SEARCHERS[name]
    searcher.clear()
    history = [each.repetition_key for each in past(match)]
    found = searcher.search(match.position.state, Limits(depth=depth), history=history)
    assert found.value == value(match.position, frozenset(history), depth)
    assert found.move in match.position.moves


SEARCHERS = {
    "minimax": Searcher(GAME, "minimax", repetition=True),
    "alphabeta": Searcher(GAME, "alphabeta", repetition=True),
    "ordering": Searcher(GAME, "ordering", repetition=True),
    "selective": Searcher(GAME, switches=Switch.CUTS | Switch.SEE | Switch.REPETITION | Switch.NULL_WINDOWS),
}


@given(numbers=choices)
@settings(max_examples=30, deadline=None)
@pytest.mark.parametrize("algorithm", ["minimax", "advanced", pytest.param(FRAME_OF_PLAY, marks=marks(GAME.name))])
def test_no_search_chooses_a_forbidden_move(algorithm: str, numbers: list[int]) -> None:
    match = led(numbers)
    if match.ending is not None:
        return
    history = [each.repetition_key for each in past(match)]
    found = Searcher(GAME, algorithm, table_bits=8).search(match.position.state, Limits(depth=3), history=history)
    assert found.move in match.position.moves


TREES = {algorithm: TreeSearcher(GAME, algorithm, capacity=4096) for algorithm in TREE_ALGORITHMS}


@given(numbers=choices)
@settings(max_examples=30, deadline=None)
@pytest.mark.parametrize("algorithm", TREE_ALGORITHMS)
def test_no_tree_search_chooses_a_forbidden_move(algorithm: str, numbers: list[int]) -> None:
    match = led(numbers)
    if match.ending is not None:
        return
    earlier = [each.repetition_key for each in past(match)]
    found = TREES[algorithm].search(match.position.state, Limits(playouts=200), history=earlier)
    assert {each.move for each in found.moves} == set(match.position.moves)
    assert found.move in match.position.moves
    keys, position = {*earlier, match.position.repetition_key}, match.position
    for move in found.pv:
        following = GAME.play(position, move)
        assert (
            following.repetition_key == position.repetition_key or following.repetition_key not in keys or position.over
        )
        keys.add(following.repetition_key)
        position = following


@given(numbers=choices)
@settings(max_examples=30, deadline=None)
def test_rivals_choose_no_forbidden_move(numbers: list[int]) -> None:
    match = led(numbers)
    if match.ending is None:
        history = [each.repetition_key for each in past(match)]
        assert Rival(GAME, 3).choose(match.position, history).move in match.position.moves


def test_without_a_legal_move_a_search_returns_a_draw() -> None:
    position = GAME.look(GAME.start())
    found = Searcher(GAME, "advanced").search(position.state, Limits(depth=3), history=following_keys(GAME, position))
    assert (found.value, found.move) == (0, None)


def test_bots_follow_a_match_by_what_may_not_recur() -> None:
    match = led([0, 1, 1])
    course = FollowedMatch(GAME)
    course.position = GAME.look(GAME.start())
    for moved in match.moves:
        course.follow(moved.move)
    assert list(course.history) == [each.repetition_key for each in past(match)]
    assert without_repetitions(GAME, course.position, course.history) == match.position


def test_without_the_match_bots_know_which_moves_repeat() -> None:
    match = led([1, 1, 0])
    turn = Turn(1, GAME.name, 3, GAME.format_position(match.position.state), 1, legal_moves=match.legal)
    course = FollowedMatch(GAME)
    position = course.arrive(turn)
    assert set(match.position.moves) < set(position.moves)
    assert look(GAME, position.state, course.history).moves == match.position.moves
    other = FollowedMatch(GAME)
    other.arrive(structs.replace(turn, legal_moves=None))
    assert other.history == ()


def test_playouts_do_not_check_repetition() -> None:
    assert limits_of(Draws(repetition=FORBIDDEN)) == limits_of(Draws())
    lengths = {len(playout(GAME, 1, number)[0]) for number in range(40)}
    assert max(lengths) > 14
