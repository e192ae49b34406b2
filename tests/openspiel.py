# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules held against OpenSpiel's: random games in lockstep. Add a game to ``PEERS``."""

import random
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

import pyspiel

from engine.game import CHANCE
from engine.games import find
from engine.rules import FORBIDDEN


class Peer(NamedTuple):
    """The same game in OpenSpiel."""

    name: str
    """OpenSpiel's name of the game, with parameters."""
    text: Callable[[str], str]
    """Return our text of a move from OpenSpiel's. Neither may depend on the position."""


def _first_word(text: str) -> str:
    """Return "d3" of "d3 (x)"."""
    return text.split()[0]


def _column(text: str) -> str:
    """Return "4" of "x3"."""
    return str(int(text[1:]) + 1)


def _last_word(text: str) -> str:
    """Return "D4" of "B d4", and "pass"."""
    word = text.split()[-1]
    return word.lower() if word == "PASS" else word.upper()


PEERS: Mapping[str, Peer] = {
    "connect-four": Peer("connect_four", _column),
    "go/9x9": Peer("go(board_size=9,komi=7.0,max_game_length=9999)", _last_word),
    "go/13x13": Peer("go(board_size=13,komi=7.5,max_game_length=9999)", _last_word),
    "go/19x19": Peer("go(board_size=19,komi=7.5,max_game_length=9999)", _last_word),
    "othello": Peer("othello", _first_word),
}
"""The games that OpenSpiel has, by our name."""


@cache
def _peer(name: str) -> Any:
    return pyspiel.load_game(PEERS[name].name)


@cache
def _their_text(name: str, seat: int, action: int) -> str:
    return PEERS[name].text(_peer(name).new_initial_state().action_to_string(seat, action))


@cache
def _our_text(name: str, move: int) -> str:
    game = find(name)
    return game.format_move(game.start(), move)


def play_in_lockstep(name: str, seed: int) -> int:
    """Play a random game with both implementations; return the number of plies.

    In each position both must have the same seat to move, legal moves, end of the game and payoffs. Where a game
    forbids repetition, OpenSpiel ends it after a forbidden move, and so does this.
    """
    chance = random.Random(seed)
    game = find(name)
    position = game.look(game.start())
    state = _peer(name).new_initial_state()
    plies = 0
    earlier = {position.repetition_key}
    while not position.over:
        assert not state.is_terminal(), game.format_position(position.state)
        seat = state.current_player()
        assert (pyspiel.PlayerId.CHANCE if position.to_move == CHANCE else position.to_move) == seat
        theirs = {_their_text(name, seat, action): action for action in state.legal_actions()}
        ours = {_our_text(name, move): move for move in position.moves}
        assert ours.keys() == theirs.keys(), game.format_position(position.state)
        text = chance.choice(list(ours))
        before, position = position, game.play(position, ours[text])
        state.apply_action(theirs[text])
        plies += 1
        repeats = position.repetition_key != before.repetition_key and position.repetition_key in earlier
        if game.draws.repetition == FORBIDDEN and repeats:
            assert state.is_terminal(), game.format_position(position.state)
            return plies
        earlier.add(position.repetition_key)
    assert state.is_terminal(), game.format_position(position.state)
    assert tuple(state.returns()) == position.payoffs
    return plies
