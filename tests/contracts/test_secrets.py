# SPDX-License-Identifier: GPL-3.0-or-later
"""What every game with hidden information promises, over every such game there is."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import CHANCE, Game
from engine.games import catalogue
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
        match.play(seat, chance.choice(match.legal_of(seat)))
    return match


@pytest.mark.parametrize(("game", "knowing"), list(all_twins()), ids=lambda value: getattr(value, "name", value))
def test_a_seat_and_the_public_cannot_tell_twins_apart(game: Game, knowing: int) -> None:
    one, other = twins(game, knowing).matches()
    assert alike(one, other, 1 - knowing)
    assert one.observe(knowing) != other.observe(knowing)
    assert one.legal_of(1 - knowing) == other.legal_of(1 - knowing), "legal moves follow from the observation"


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
