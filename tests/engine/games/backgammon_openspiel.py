# SPDX-License-Identifier: GPL-3.0-or-later
"""Backgammon held against OpenSpiel's, in lockstep: positions are compared, not the texts of moves.

OpenSpiel plays a double as two turns of two steps, and so its results are those of both together. It does not ask for
as many steps as possible over both: results with fewer steps are left out.
"""

import random
from typing import Any

import numpy as np
import pyspiel

from engine.game import CHANCE, Position
from engine.games import find
from engine.games.backgammon.board import BAR, OFF, sides

GAME = find("backgammon")
PEER = "backgammon(scoring_type=full_scoring)"
PASSING = -1
"""OpenSpiel's source of a step that is not made."""

_WORTH = np.array([1, 2, 3, 1])
"""The first three numbers of a point say whether there are so many men; the last one how many more than three."""
_POINTS = 2 * 24


def key_of(state: Any) -> bytes:
    """Return the men on all points, both bars and both trays, of OpenSpiel's state."""
    seen = np.array(state.observation_tensor(0)).astype(np.int64)
    at = 4 * _POINTS
    points = seen[:at].reshape(-1, 4)
    counts = points @ _WORTH + 3 * (points[:, 3] > 0)
    # then bar, men borne off and turn of each side
    return counts.tobytes() + seen[[at, at + 1, at + 3, at + 4]].tobytes()


def own_key(position: Position) -> bytes:
    """Return the same of our position."""
    first, second = sides(position.state)
    points = np.array([*first[24:0:-1], *second[1:25]], np.int64)
    rest = np.array([first[BAR], first[OFF], second[BAR], second[OFF]], np.int64)
    return points.tobytes() + rest.tobytes()


def steps_in(state: Any, action: int) -> int:
    """Return the number of steps of an action."""
    player = state.current_player()
    return sum(move.pos != PASSING for move in state.spiel_move_to_checker_moves(player, action))


def results(state: Any) -> dict[bytes, Any]:
    """Return the states after each turn, by their men, of the turns with the most steps."""
    player = state.current_player()
    found: dict[bytes, tuple[int, Any]] = {}
    halves: dict[bytes, tuple[int, Any]] = {}
    for action in state.legal_actions():
        child = state.child(action)
        steps = steps_in(state, action)
        more = not child.is_terminal() and child.current_player() == player
        (halves if more else found)[key_of(child)] = steps, child
    for steps, half in halves.values():
        for action in half.legal_actions():
            child = half.child(action)
            found[key_of(child)] = steps + steps_in(half, action), child
    most = max(steps for steps, _ in found.values())
    return {key: child for key, (steps, child) in found.items() if steps == most}


def play_in_lockstep(seed: int) -> int:
    """Play a random game with both implementations; return the number of plies."""
    chance = random.Random(seed)
    position = GAME.look(GAME.start())
    state: Any = pyspiel.load_game(PEER).new_initial_state()
    plies = 0
    while not position.over:
        assert not state.is_terminal(), GAME.format_position(position.state)
        text = GAME.format_position(position.state)
        ours = GAME.move_texts(position)
        if position.to_move == CHANCE:
            assert state.is_chance_node(), text
            opening = len(ours) == 30
            theirs: dict[str, list[Any]] = {}
            for action, share in state.chance_outcomes():
                words = state.action_to_string(-1, action)
                dice = words[-3:-1]
                name = dice if not opening else dice if ("X" in words) == (dice[0] > dice[1]) else dice[::-1]
                name = name if opening else "".join(sorted(name, reverse=True))
                theirs.setdefault(name, [action, 0.0])[1] += share
            assert set(theirs) == set(ours), text
            odds = dict(zip(ours, GAME.odds(position), strict=True))
            assert all(abs(odds[name] / sum(odds.values()) - share) < 1e-9 for name, (_, share) in theirs.items())
            roll = chance.choices(list(ours), list(odds.values()))[0]
            position = GAME.play(position, ours[roll])
            state.apply_action(theirs[roll][0])
        else:
            assert position.to_move == state.current_player(), text
            after = {own_key(child): child for child in (GAME.play(position, move) for move in ours.values())}
            assert len(after) == len(ours), text
            reached = results(state)
            assert set(after) == set(reached), text
            key = chance.choice(list(after))
            position, state = after[key], reached[key]
        plies += 1
    assert state.is_terminal()
    assert tuple(state.returns()) == position.payoffs
    return plies
