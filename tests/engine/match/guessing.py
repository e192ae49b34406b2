# SPDX-License-Identifier: GPL-3.0-or-later
"""A small game with a secret card and simultaneous moves: two rounds, not zero-sum.

In each round seat 0 gets a secret card, 0 to 2. Both seats then choose at the same time: seat 0 says high or low, and
seat 1 guesses the card. A right guess gives seat 1 two points; seat 0 gets its card if it said high, else one point.
"""

from random import Random
from typing import NamedTuple

from engine.drawing import Board, Piece
from engine.evaluation import Evaluation
from engine.game import (
    CHANCE,
    Game,
    Moves,
    State,
    information_key,
    key,
    legal_moves,
    outcome,
    simultaneous,
    step,
    to_move,
)
from engine.kernel import implements
from engine.secrets import HIDDEN, Observation, Secrets
from engine.time_control import TimeControl

ROUNDS = 2
WORDS = ("low", "high")


class Guessing(NamedTuple):
    """``card``: -1 before the deal; ``said``: -1 before seat 0's choice."""

    round: int
    card: int
    said: int
    first: int
    second: int


@implements(to_move, Guessing)
def _to_move(state: State) -> int:
    return CHANCE if state.card < 0 else 0 if state.said < 0 else 1


@implements(simultaneous, Guessing)
def _simultaneous(state: State) -> bool:
    return state.card >= 0 and state.said < 0


@implements(legal_moves, Guessing)
def _legal_moves(state: State, out: Moves) -> int:
    count = 2 if state.card >= 0 and state.said < 0 else 3
    for move in range(count):
        out[move] = move
    return count


@implements(step, Guessing)
def _step(state: State, move: int) -> Guessing:
    if state.card < 0:
        return Guessing(state.round, move, -1, state.first, state.second)
    if state.said < 0:
        return Guessing(state.round, state.card, move, state.first, state.second)
    first = state.first + (state.card if state.said else 1)
    second = state.second + (2 if move == state.card else 0)
    return Guessing(state.round + 1, -1, -1, first, second)


@implements(outcome, Guessing)
def _outcome(state: State) -> tuple[bool, float, float]:
    return state.round == ROUNDS, float(state.first), float(state.second)


@implements(information_key, Guessing)
def _information_key(state: State, seat: int) -> int:
    if seat == 0:
        return key(state)
    return key(Guessing(state.round, -1 if state.card < 0 else 0, -1, state.first, state.second))


def _text(state: State, card: str, said: str) -> str:
    return f"{state.round} {card} {said} {state.first} {state.second}"


def _format_position(state: State) -> str:
    return _text(state, str(state.card), str(state.said))


def _observe(state: State, viewer: int | None) -> Observation:
    card = str(state.card) if viewer == 0 or state.card < 0 else HIDDEN
    return Observation(_text(state, card, str(state.said) if viewer == 0 else "-1"), card if card.isdigit() else ".")


def _format_move(state: State, move: int) -> str:
    return WORDS[move] if state.card >= 0 and state.said < 0 else str(move)


def _disclose(state: State, move: int, viewer: int | None) -> str:
    return HIDDEN if state.card < 0 and viewer != 0 else _format_move(state, move)


def _determinise(text: str, seat: int, chance: Random) -> Guessing:
    number, card, said, first, second = text.split()
    return Guessing(
        int(number), chance.randrange(3) if card == HIDDEN else int(card), int(said), int(first), int(second)
    )


GAME = Game(
    name="guessing",
    title="Guessing",
    state=Guessing,
    start=lambda: Guessing(0, -1, -1, 0, 0),
    parse_position=lambda text: Guessing(*map(int, text.split())),
    format_position=_format_position,
    format_move=_format_move,
    diagram=lambda state: str(state.card) if state.card >= 0 else ".",
    squares=lambda state, move: (0,),
    board=Board(1, 1, "grid", {str(card): Piece(str(card), "token", None) for card in range(3)}),
    width=3,
    evaluations={"none": Evaluation("none", (0,), "nothing")},
    time_control=TimeControl(10_000, 100),
    chance=True,
    simultaneous=True,
    secrets=Secrets(_observe, _disclose, lambda state, move, viewer: (), _determinise),
    stakes=4.0,
    points_given_up=lambda state, seat: (0.0, 4.0) if seat == 0 else (4.0, 0.0),
)
