# SPDX-License-Identifier: GPL-3.0-or-later
"""What every game promises, over every game there is: a new file in engine/games is tested by being there."""

import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple, TypeVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.evaluation import WIN
from engine.game import CHANCE, MOST_ODDS, Game, Position, count_moves, irreversible, key, legal_moves, step
from engine.games import catalogue, find
from engine.hints.alphabeta import SLOTS, gain, slot
from engine.kernel import compiled
from engine.rules import FORBIDDEN

GAMES = [
    *catalogue().values(),
    *map(find, ("nim/60", "connect-four/4x4", "connect-four/9x6", "othello/6x6", "go/13x13", "backgammon/cube")),
]
PLIES = 2000
"""A random game that takes longer has no end."""
WIDE = 1000
"""Games with more moves than this are looked at in samples."""
FORBIDDING = 3
"""Games that forbid repetition may take this many times as long."""

Item = TypeVar("Item")

over_games = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
seeds = st.integers(min_value=0, max_value=2**32)
few = settings(max_examples=8, deadline=None)


class Playout(NamedTuple):
    """A random game: its positions, and the moves between them."""

    positions: list[Position]
    moves: list[int]


@cache
def playout(name: str, seed: int) -> Playout:
    """Play random moves until the game is over or drawn by its history."""
    game = find(name)
    chance = np.random.default_rng(seed)
    positions: list[Position] = [game.look(game.start())]
    moves: list[int] = []
    seen = Counter([positions[0].key])
    quiet = 0
    while not positions[-1].over and not drawn(game, len(moves), quiet, seen[positions[-1].key]):
        assert len(moves) < (FORBIDDING * PLIES if game.draws.repetition == FORBIDDEN else PLIES)
        moves.append(int(chance.choice(positions[-1].moves)))
        positions.append(game.play(positions[-1], moves[-1]))
        seen[positions[-1].key] += 1
        quiet = 0 if positions[-1].irreversible else quiet + 1
    return Playout(positions, moves)


def few_of(game: Game, items: Sequence[Item], most: int) -> Sequence[Item]:
    """Return all items; of games that are long or have many moves at most ``most``, evenly spread."""
    large = game.draws.repetition == FORBIDDEN or game.width > WIDE
    return items[:: -(-len(items) // most) or 1] if large else items


def movers(game: Game) -> tuple[int, ...]:
    """Who may be to move."""
    return (0, 1, CHANCE) if game.chance else (0, 1)


def drawn(game: Game, plies: int, quiet: int, times: int) -> bool:
    draws = game.draws
    repetition = None if draws.repetition == FORBIDDEN else draws.repetition
    counted = ((draws.plies, plies), (draws.no_progress_plies, quiet), (repetition, times))
    return any(limit is not None and count >= limit for limit, count in counted)


@compiled
def kernels(state: Any, move: int, out: Any, again: Any) -> Any:
    """What the kernels say of a state and a move that ``Game`` does not tell."""
    count = count_moves(state, out)
    listed = legal_moves(state, again)
    before = key(state)
    after = key(step(state, move))
    return (
        count,
        listed,
        before,
        after,
        irreversible(state, move),
        gain(state, move),
        slot(state, move),
    )


# ---------------------------------------------------------------- what it says of itself


@over_games
def test_it_is_found_by_its_name_and_says_what_it_is(game: Game) -> None:
    assert re.fullmatch(r"[a-z0-9-]+(/[a-z0-9-]+)?", game.name)
    assert find(game.name) is game
    assert game.title
    assert game.description.endswith(".")
    assert all(paragraph.endswith(".") for paragraph in game.rules.split("\n\n") if game.rules)
    assert game.link == "" or game.link.startswith("https://")
    assert len(set(game.seats)) == 2


@over_games
def test_its_board_can_be_drawn(game: Game) -> None:
    board = game.board
    assert board.rows > 0
    assert board.columns > 0
    assert all(len(letter) == 1 and letter != "." for letter in board.pieces)
    kinds = {(piece.shape, piece.seat, piece.count, piece.mark) for piece in board.pieces.values()}
    assert len(kinds) == len(board.pieces)
    assert len(board.texts) in (0, board.rows * board.columns)


@over_games
def test_its_evaluations_are_named(game: Game) -> None:
    assert game.evaluations
    for name, evaluation in game.evaluations.items():
        assert name == evaluation.name
        assert evaluation.description
        assert len(evaluation.terms.names) in (0, len(evaluation.weights))


@over_games
def test_its_openings_leave_something_to_play(game: Game) -> None:
    assert len(playout(game.name, 0).moves) > game.opening.plies


@over_games
def test_it_begins_where_it_says(game: Game) -> None:
    position = game.look(game.start())
    assert not position.over
    assert position.to_move in (0, CHANCE)
    assert game.look(game.start()) == position


# ---------------------------------------------------------------- texts


@over_games
@few
@given(seed=seeds)
def test_positions_read_back(game: Game, seed: int) -> None:
    for position in few_of(game, playout(game.name, seed).positions, 100):
        text = game.format_position(position.state)
        state = game.parse_position(text)
        assert game.look(state).state == position.state
        assert game.format_position(state) == text


@over_games
@few
@given(seed=seeds)
def test_moves_read_back(game: Game, seed: int) -> None:
    for position in few_of(game, playout(game.name, seed).positions, 80):
        texts = game.move_texts(position)
        assert len(texts) == len(position.moves) == len(set(position.moves)) <= game.width
        assert all(move >= 0 for move in position.moves)
        for text, move in few_of(game, list(texts.items()), 25):
            assert text == text.strip() != ""
            assert text.isprintable()
            assert game.parse_move(position, text) == move


@over_games
@few
@given(text=st.text(max_size=30) | st.text("0123456789+-=x/:.,BWKabc ", max_size=30))
def test_any_text_is_read_or_refused(game: Game, text: str) -> None:
    position = game.look(game.start())
    with suppress(ValueError):
        assert game.parse_move(position, text) in position.moves
    with suppress(ValueError):
        assert game.look(game.parse_position(text)).to_move in movers(game)


@over_games
def test_an_illegal_move_is_not_played(game: Game) -> None:
    position = game.look(game.start())
    with pytest.raises(ValueError, match="legal"):
        game.play(position, max(position.moves) + 1)
    with pytest.raises(ValueError, match="legal"):
        game.parse_move(position, "no such move")


# ---------------------------------------------------------------- pictures


@over_games
@few
@given(seed=seeds)
def test_diagrams_fit_the_board(game: Game, seed: int) -> None:
    size = game.board.rows * game.board.columns
    for position in few_of(game, playout(game.name, seed).positions, 40):
        diagram = game.diagram(position.state)
        assert len(diagram) == size
        assert set(diagram) <= {".", *game.board.pieces}
        for text, move in game.move_texts(position).items():
            squares = game.squares(position.state, move)
            # moves in words, such as a pass or "raise 12", have no squares, nor have rolls of dice and deals of cards,
            # nor choices of actions, which are drawn as strips of rounds
            style = game.board.style
            apart = style == "rounds" or (position.to_move == CHANCE and style in ("points", "cards"))
            assert bool(squares) != ((text.partition(" ")[0].isalpha() and text.islower()) or apart)
            assert all(0 <= square < size for square in squares)


# ---------------------------------------------------------------- rules


@over_games
@few
@given(seed=seeds)
def test_games_end_and_what_one_wins_the_other_loses(game: Game, seed: int) -> None:
    for position in playout(game.name, seed).positions:
        assert position.to_move in movers(game)
        assert position.over == (not position.moves)
        if position.over:
            assert sum(position.payoffs) == 0 or not game.zero_sum
            assert all(-game.stakes <= payoff <= game.stakes for payoff in position.payoffs)


@over_games
@few
@given(seed=seeds)
def test_giving_up_costs_no_less_than_the_next_move_can_cost(game: Game, seed: int) -> None:
    positions = playout(game.name, seed).positions
    for position in positions:
        assert all(0 < game.given_up(position, seat) <= game.stakes for seat in (0, 1))
    if positions[-1].over:
        assert all(-payoff <= game.given_up(positions[-2], seat) for seat, payoff in enumerate(positions[-1].payoffs))


@over_games
def test_dice_decide_where_the_game_says_that_they_do(game: Game) -> None:
    rolls = [position for position in playout(game.name, 0).positions if position.to_move == CHANCE]
    assert bool(rolls) == game.chance
    for position in rolls:
        odds = game.odds(position)
        assert len(odds) == len(position.moves)
        assert position.over or (min(odds) > 0 and sum(odds) <= MOST_ODDS)


@over_games
@few
@given(seed=seeds)
def test_a_position_is_the_same_however_it_was_reached(game: Game, seed: int) -> None:
    for position in few_of(game, playout(game.name, seed).positions, 100):
        assert game.look(position.state) == position._replace(irreversible=True)


@over_games
@few
@given(seed=seeds)
def test_keys_tell_states_apart(game: Game, seed: int) -> None:
    keys: dict[Any, int] = {}
    for position in playout(game.name, seed).positions + playout(game.name, seed // 2).positions:
        assert 0 <= position.key < 2**64
        assert keys.setdefault(position.state, position.key) == position.key
    assert len(set(keys.values())) == len(keys)


@over_games
@few
@given(seed=seeds)
def test_no_position_comes_again_after_an_irreversible_move(game: Game, seed: int) -> None:
    gone: set[int] = set()
    since: set[int] = set()
    for position in playout(game.name, seed).positions:
        if position.irreversible:
            gone |= since
            since = set()
        assert position.key not in gone
        since.add(position.key)


@over_games
@few
@given(seed=seeds)
def test_kernels_agree(game: Game, seed: int) -> None:
    out, again = np.empty((2, game.width), np.int64)
    positions, moves = playout(game.name, seed)
    for position, move, following in few_of(game, list(zip(positions, moves, positions[1:], strict=False)), 100):
        count, listed, before, after, final, points, place = kernels(position.state, move, out, again)
        assert count == listed == len(position.moves)
        assert again[:listed].tolist() == list(position.moves)
        assert (before % 2**64, after % 2**64, final) == (position.key, following.key, following.irreversible)
        assert points >= 0
        assert 0 <= place < SLOTS
        for evaluation in game.evaluations.values():
            value = game.score(position.state, evaluation)
            assert value == evaluation.score(game.vector(position.state, evaluation))
            assert abs(value) < WIN
