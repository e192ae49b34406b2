# SPDX-License-Identifier: GPL-3.0-or-later
"""What every game with hidden information promises, over every such game there is."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.watching.diagrams import DrawnMoves, draw_part
from engine.game import CHANCE, Game
from engine.games import catalogue
from engine.match.events import Info
from engine.match.machine import Match
from engine.secrets import HIDDEN
from engine.viewpoint import Viewpoint
from tests.engine.match.guessing import GAME as GUESSING
from tests.secrecy import alike, all_twins, games_with_secrets, twins

few = settings(max_examples=8, deadline=None)
seeds = st.integers(0, 2**32)
with_secrets = pytest.mark.parametrize("game", games_with_secrets(), ids=lambda game: game.name)
imperfect = pytest.mark.parametrize(
    "game",
    [GUESSING, *(game for game in catalogue().values() if not game.perfect_information)],
    ids=lambda game: game.name,
)


def played(game: Game, seed: int) -> Match:
    """Return a random match, which may have ended."""
    chance, match = Random(seed), Match(game, seed=seed)
    for _ in range(chance.randrange(200)):
        if match.ending:
            break
        seat = chance.choice(match.asked)
        text = chance.choice(match.legal_of(seat))
        match.play(seat, text, info=Info(score=chance.random(), depth=seat + 1, pv=(text, text)))
    return match


def view_of(match: Match, seat: int) -> DrawnMoves:
    """Return what a seat saw of a match, as the arena draws it."""
    return draw_part(Viewpoint.of(match.game, seat), match.start, match.opening, match.moves, 0, match.ply)


@pytest.mark.parametrize(("game", "knowing"), list(all_twins()), ids=lambda value: getattr(value, "name", value))
def test_a_seat_and_the_public_cannot_tell_twins_apart(game: Game, knowing: int) -> None:
    one, other = twins(game, knowing).matches()
    assert alike(one, other, 1 - knowing)
    assert one.observe(knowing) != other.observe(knowing)
    assert one.legal_of(1 - knowing) == other.legal_of(1 - knowing), "legal moves follow from the observation"
    assert view_of(one, 1 - knowing) == view_of(other, 1 - knowing), "nor after the end, in the view of the seat"
    assert view_of(one, knowing) != view_of(other, knowing)


@imperfect
@given(seed=seeds)
@few
def test_the_view_of_a_seat_has_what_it_saw_after_each_ply(game: Game, seed: int) -> None:
    """Each ply has the observation that the seat's bot receives, and the text of the move that it receives."""
    match = played(game, seed)
    seats = 0, 1
    views = [view_of(match, seat) for seat in seats]
    first = Match(game, seed=None).position
    before = first
    for seat in seats:
        seen = Viewpoint.of(game, seat).observe(first.state)
        assert (views[seat].observation, views[seat].initial) == (seen.position, seen.diagram)
        assert [move.move for move in views[seat].moves] == match.seen_by(seat)
    for index, moved in enumerate(match.moves):
        after = game.play(before, game.parse_move(before, moved.move))
        for seat in seats:
            drawn = views[seat].moves[index]
            # a choice of both at the same time is announced when both have made it
            waits = game.secrets is None and before.simultaneous and seat == 1
            seen = Viewpoint.of(game, seat).observe((before if waits else after).state)
            assert (drawn.observation, drawn.diagram) == (seen.position, seen.diagram)
            assert (drawn.aside is None) == (seen.aside is None)
            assert (drawn.info is None) == (seat != moved.seat), "a seat knows its own search only"
            assert drawn.line == []
        before = after
    assert before.state == match.position.state


@with_secrets
@given(seed=seeds)
@few
def test_the_mover_sees_its_move_and_all_see_the_drawing_of_the_board(game: Game, seed: int) -> None:
    match = played(game, seed)
    size = game.board.rows * game.board.columns
    texts = {viewer: match.seen_by(viewer) for viewer in (0, 1, None)}
    for index, moved in enumerate(match.moves):
        if moved.seat != CHANCE:
            assert texts[moved.seat][index] == moved.move
        assert all(texts[viewer][index] in (moved.move, HIDDEN) or texts[viewer][index] for viewer in texts)
    for viewer in (0, 1, None):
        shown = Viewpoint.of(game, viewer).observe(match.position.state)
        assert len(shown.diagram) == size
        assert set(shown.diagram) <= {".", *game.board.pieces}
        assert shown.position.isprintable()


@with_secrets
@given(seed=seeds)
@few
def test_a_determinised_state_looks_the_same_to_its_seat(game: Game, seed: int) -> None:
    assert game.secrets is not None
    if game.secrets.determinise is None:
        return
    match = played(game, seed)
    for seat in match.asked:
        seen = match.observe(seat)
        state = game.secrets.determinise(seen.position, seat, Random(seed))
        assert game.secrets.observe(state, seat) == seen


@imperfect
@given(seed=seeds)
@few
def test_seat_1_has_the_same_choice_whatever_seat_0_chooses(game: Game, seed: int) -> None:
    match = played(game, seed)
    position = match.position
    if not position.simultaneous:
        return
    assert game.simultaneous
    assert position.to_move == 0
    after = [game.play(position, move) for move in position.moves[:20]]
    assert {each.to_move for each in after} == {1}
    assert len({tuple(game.move_texts(each)) for each in after}) == 1
    assert not any(each.over or each.simultaneous for each in after)
    if game.secrets is not None:
        assert len({game.secrets.observe(each.state, 1).position for each in after}) == 1
