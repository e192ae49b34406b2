# SPDX-License-Identifier: GPL-3.0-or-later
"""Backgammon held against OpenSpiel's, in lockstep: positions are compared, not the texts of moves.

OpenSpiel plays a double as two turns of two steps, and so its results are those of both together. It does not ask for
as many steps as possible over both: results with fewer steps are left out.

A key is the number with the men on each point as its bytes: own points 0 to 25 of seat 0, then those of seat 1. So a
step adds a difference, and OpenSpiel's many states after each turn are not made. Their keys are held against such
states by ``steps_agree``, and against each position that is played.
"""

import random
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pyspiel

from engine.game import CHANCE, Position, step
from engine.games import find
from engine.games.backgammon.board import BAR, HALF, OFF, sides
from engine.kernel import compiled

GAME = find("backgammon")
PEER = pyspiel.load_game("backgammon(scoring_type=full_scoring)")
PASSING, THEIR_BAR = -1, 100
"""OpenSpiel's sources of a step that is not made, and of one from the bar."""

_SIDE = BAR + 1
"""Bytes of a side."""
_UNITS = [1 << 8 * place for place in range(2 * _SIDE)]

_WORTH = np.array([1, 2, 3, 1])
"""The first three numbers of a point say whether there are so many men; the last one how many more than three."""
_POINTS = 2 * 24

Steps = tuple[tuple[int, int], ...]
"""Own points of the source and of the target of each step."""


class Action(NamedTuple):
    """What an action of OpenSpiel does with a roll, in all positions."""

    steps: Steps
    difference: int
    """The change of the key by the action, if no step hits."""
    targets: int
    """The bits of the points, in the other side's view, where it may hit."""


class Rolls(NamedTuple):
    """The rolls of a chance node, in both implementations."""

    moves: tuple[int, ...]
    odds: tuple[int, ...]
    theirs: list[tuple[int, float]]
    actions: dict[int, int]
    """OpenSpiel's action of each of our rolls; of several one."""


def key_of(state: Any) -> int:
    """Return the key of OpenSpiel's state."""
    seen = np.array(state.observation_tensor(0)).astype(np.int64)
    at = 4 * _POINTS
    points = seen[:at].reshape(-1, 4)
    counts = points @ _WORTH + 3 * (points[:, 3] > 0)
    men = np.zeros((2, _SIDE), np.uint8)
    men[0, 24:0:-1], men[1, 1:25] = counts[:24], counts[24:]
    # then bar, men borne off and turn of each side
    men[:, BAR], men[:, OFF] = seen[[at, at + 3]], seen[[at + 1, at + 4]]
    return int.from_bytes(men.tobytes(), "little")


def own_key(position: Position) -> int:
    """Return the key of our position."""
    first, second = sides(position.state)
    return int.from_bytes(bytes([*first, *second]), "little")


@compiled
def _after(state, moves, out):  # type: ignore[no-untyped-def]  # numba infers the types
    for index in range(len(moves)):
        child = step(state, moves[index])
        for side in range(2):
            low, high = (child.second_low, child.second_high) if side else (child.first_low, child.first_high)
            for point in range(_SIDE):
                few = low >> point & 1 | (low >> HALF + point & 1) << 1
                out[index, side, point] = few | (high >> point & 1) << 2 | (high >> HALF + point & 1) << 3


def own_results(position: Position) -> dict[int, int]:
    """Return our turns by the keys of their results."""
    men = np.empty((len(position.moves), 2, _SIDE), np.uint8)
    _after(position.state, np.array(position.moves), men)
    written = men.tobytes()
    size = 2 * _SIDE
    found = {
        int.from_bytes(written[size * index : size * (index + 1)], "little"): move
        for index, move in enumerate(position.moves)
    }
    assert len(found) == len(position.moves), GAME.format_position(position.state)
    return found


_actions: dict[tuple[int, int], dict[int, Action]] = {}
"""OpenSpiel's actions by seat and roll."""


def action_of(state: Any, seat: int, roll: int, number: int) -> Action:
    """Return what an action does."""
    known = _actions.setdefault((seat, roll), {})
    if number not in known:
        made = [move for move in state.spiel_move_to_checker_moves(seat, number) if move.pos != PASSING]
        sources = [BAR if move.pos == THEIR_BAR else move.pos + 1 if seat else 24 - move.pos for move in made]
        steps = tuple((source, max(source - move.num, OFF)) for source, move in zip(sources, made, strict=True))
        targets = sum(1 << target for target in {BAR - target for _, target in steps if target})
        known[number] = Action(steps, after_steps(0, seat, steps), targets)
    return known[number]


def after_action(key: int, seat: int, blots: int, action: Action) -> int:
    """Return the key after an action of a seat; ``blots``: the other side's, as ``blots_of`` returns them."""
    return after_steps(key, seat, action.steps) if action.targets & blots else key + action.difference


def blots_of(key: int, seat: int) -> int:
    """Return the bits of the points with a single man of a seat."""
    men = key.to_bytes(2 * _SIDE, "little")[_SIDE * seat : _SIDE * (seat + 1)]
    return sum(1 << point for point in range(1, BAR) if men[point] == 1)


def after_steps(key: int, seat: int, steps: Steps) -> int:
    """Return the key after steps of a seat; a step to a single man of the other side hits it.

    On the key 0 no step hits, and the sum of the differences may be negative.
    """
    own, other = (_SIDE, 0) if seat else (0, _SIDE)
    for source, target in steps:
        key += _UNITS[own + target] - _UNITS[own + source]
        facing = other + BAR - target
        if target and key >> 8 * facing & 255 == 1:
            key += _UNITS[other + BAR] - _UNITS[facing]
    return key


def results(state: Any, key: int, roll: int) -> dict[int, tuple[int, ...]]:
    """Return OpenSpiel's actions of each turn with the most steps, by the key of its result."""
    seat = state.current_player()
    found = _turns(state, key, seat, roll, ())
    if roll % 11 == 0:
        halves, found = found, {}
        for after, (count, actions) in halves.items():
            half = state.child(actions[0])
            if half.is_terminal() or half.current_player() != seat:
                found[after] = count, actions
            else:
                for end, (more, both) in _turns(half, after, seat, roll, actions).items():
                    found[end] = count + more, both
    most = max(count for count, _ in found.values())
    return {after: actions for after, (count, actions) in found.items() if count == most}


def _turns(
    state: Any, key: int, seat: int, roll: int, before: tuple[int, ...]
) -> dict[int, tuple[int, tuple[int, ...]]]:
    """Return the number of steps of each action and the actions with those before, by the key of the result."""
    blots, known = blots_of(key, 1 - seat), _actions.setdefault((seat, roll), {})
    found = {}
    for number in state.legal_actions():
        action = known.get(number) or action_of(state, seat, roll, number)
        found[after_action(key, seat, blots, action)] = len(action.steps), (*before, number)
    return found


@cache
def _rolls(opening: bool) -> Rolls:
    """Return the rolls, matched by their texts once; both implementations have the same in all positions."""
    state = PEER.new_initial_state()
    position = GAME.look(GAME.start())
    if not opening:
        roll = next(iter(_rolls(True).actions.items()))
        position = GAME.play(position, roll[0])
        state.apply_action(roll[1])
        turn, actions = next(iter(results(state, key_of(state), position.state.roll).items()))
        position = GAME.play(position, own_results(position)[turn])
        for action in actions:
            state.apply_action(action)
    ours = GAME.move_texts(position)
    theirs: dict[str, list[Any]] = {}
    for action, share in state.chance_outcomes():
        words = state.action_to_string(-1, action)
        dice = words[-3:-1]
        name = dice if not opening else dice if ("X" in words) == (dice[0] > dice[1]) else dice[::-1]
        name = name if opening else "".join(sorted(name, reverse=True))
        theirs.setdefault(name, [action, 0.0])[1] += share
    assert theirs.keys() == ours.keys()
    odds = dict(zip(ours, GAME.odds(position), strict=True))
    assert all(abs(odds[name] / sum(odds.values()) - share) < 1e-9 for name, (_, share) in theirs.items())
    actions_of = {move: theirs[name][0] for name, move in ours.items()}
    return Rolls(position.moves, tuple(odds.values()), state.chance_outcomes(), actions_of)


def _roll(position: Position, state: Any, opening: bool, chance: random.Random) -> Position:
    """Roll in both implementations; return our position."""
    rolls = _rolls(opening)
    assert state.is_chance_node()
    assert state.chance_outcomes() == rolls.theirs
    assert (position.moves, GAME.odds(position)) == (rolls.moves, rolls.odds)
    roll = chance.choices(rolls.moves, rolls.odds)[0]
    state.apply_action(rolls.actions[roll])
    return GAME.play(position, roll)


def play_in_lockstep(seed: int) -> int:
    """Play a random game with both implementations; return the number of plies."""
    chance = random.Random(seed)
    position = GAME.look(GAME.start())
    state: Any = PEER.new_initial_state()
    key = own_key(position)
    plies = 0
    while not position.over:
        assert not state.is_terminal(), GAME.format_position(position.state)
        assert key_of(state) == key, GAME.format_position(position.state)
        if position.to_move == CHANCE:
            position = _roll(position, state, plies == 0, chance)
        else:
            assert position.to_move == state.current_player(), GAME.format_position(position.state)
            ours, theirs = own_results(position), results(state, key, position.state.roll)
            assert ours.keys() == theirs.keys(), GAME.format_position(position.state)
            key = chance.choice(list(ours))
            position = GAME.play(position, ours[key])
            for action in theirs[key]:
                state.apply_action(action)
        plies += 1
    assert state.is_terminal()
    assert key_of(state) == key == own_key(position)
    assert tuple(state.returns()) == position.payoffs
    return plies


def steps_agree(seed: int) -> int:
    """Play a random game with OpenSpiel alone; return the number of actions; ``after_action`` must be right."""
    chance = random.Random(seed)
    state: Any = PEER.new_initial_state()
    actions = 0
    roll = 0
    while not state.is_terminal():
        legal = state.legal_actions()
        chosen = chance.choice(legal)
        if state.is_chance_node():
            first, second = map(int, state.action_to_string(-1, chosen)[-3:-1])
            roll = 10 * max(first, second) + min(first, second)
        else:
            key, seat = key_of(state), state.current_player()
            blots = blots_of(key, 1 - seat)
            for number in legal:
                action = action_of(state, seat, roll, number)
                assert after_action(key, seat, blots, action) == key_of(state.child(number))
            actions += len(legal)
        state.apply_action(chosen)
    return actions
