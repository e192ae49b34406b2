# SPDX-License-Identifier: GPL-3.0-or-later
"""A steered player: one depth after the other, as far as its nodes allow, which are as many on average over a game."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from bots.evolution.steered.desk import (
    ABORTED,
    AIM,
    CHOSEN,
    FIRST,
    GROWN,
    HISTORY,
    KEY,
    LIMIT,
    NO_MOVE,
    NODES,
    NOWHERE,
    REACHED,
    REMEMBERS,
    ROOT_DEPTH,
    ROOT_ROW,
    SINCE,
    SLOT,
    WIN,
    WRITTEN,
    new_desk,
)
from bots.evolution.steered.frame import look_ahead
from bots.evolution.steered.memory import blank, taken_up
from bots.evolution.steered.steering import Steering
from engine.game import Game, Position, State
from engine.search.limits import ALARMS
from engine.search.programs.program import REGISTERS

NODES_A_MOVE = 100_000
"""What a player may visit on average, by default (Gross and others)."""
CAP = 5
"""A single move may cost so many times the average."""
DEEPEST = 40
"""Iterations end here."""
UNLIMITED = 2**62


@dataclass(frozen=True, slots=True)
class Thought:
    """What a search found."""

    move: int
    value: int
    """For the seat to move, of the last finished iteration."""
    nodes: int
    depth: int
    """Of the last finished iteration; 0 where none was."""
    line: tuple[int, ...]
    """The move, and what is expected after it."""


class Player:
    """Plays one game after the other; ``begin`` each. Not thread-safe."""

    def __init__(
        self, game: Game, steering: Steering, nodes: int = NODES_A_MOVE, *, most: int = UNLIMITED, traced: int = 0
    ) -> None:
        """``nodes``: visited a move, on average over a game; players of a fixed depth heed no such limit, but may be
        given ``most``. So many branches are ``traced`` of each search.
        """
        if nodes < 1:
            raise ValueError(f"a player needs a node, not {nodes}")
        self.game = game
        self.steering = steering
        self.evaluation = steering.evaluation
        self._average = nodes
        self._most = most
        self._desk = new_desk(game, steering, traced)
        self.branches = self._desk.trace[:0]
        """Those near the root, of the last finished iteration: rows of ``Desk.trace``."""
        self.begin()

    def begin(self) -> None:
        """Begin a game: nothing is known of any before."""
        desk = self._desk
        desk.history[:] = 0
        desk.counter_moves[:] = NO_MOVE
        desk.continuation_history[:] = 0
        desk.killers[:] = NO_MOVE
        desk.shared[:] = 0
        self.moves = 0
        self.nodes = 0
        self._left: tuple[State, int] | None = None

    def choose(self, position: Position, history: Sequence[int] = (), seconds: float | None = None) -> Thought:
        """Search a position that is not over. ``history``: keys of those before it that can come again.

        ``seconds``: time after which the search ends with the best move so far, whatever its nodes; None: no limit.
        """
        self._prepare(position, history)
        control = self._desk.control
        allowed = self._average * (self.moves + 1) - self.nodes
        fixed = self.steering.depth is not None
        control[LIMIT] = self._most if fixed else max(1, min(CAP * self._average, allowed))
        if seconds is None:
            return self._search(position)
        # a search that may visit one node gives up at the next one
        with ALARMS.after(seconds, partial(control.__setitem__, LIMIT, 1)):
            return self._search(position)

    def _search(self, position: Position) -> Thought:
        state = self.game.pack(position.state)
        control, steering = self._desk.control, self.steering
        follows = steering.on("principal variation first")
        share, stable = steering.value("iteration share"), steering.value("stable move share")
        value = reached = same = 0
        move = NO_MOVE
        for depth in (steering.depth,) if steering.depth is not None else range(1, DEEPEST + 1):
            control[[ABORTED, ROOT_DEPTH, WRITTEN, REACHED]] = 0, depth, 0, 0
            self._desk.along[0] = follows and depth > 1
            found = int(look_ahead(state, float(depth), value, int(control[ROOT_ROW]), self._desk))
            control[FIRST] = control[CHOSEN]
            if control[ABORTED]:
                break
            self._desk.line[:] = self._desk.lines[0]
            value, reached = found, depth
            self.branches = self._desk.trace[: control[WRITTEN]].copy()
            same = min(same + 1, 2) if control[CHOSEN] == move else 0
            move = control[CHOSEN]
            begun = control[NODES] >= (share - same * stable) * control[LIMIT]
            if begun or len(position.moves) == 1 or abs(value) >= control[WIN] // 2:
                break
        nodes = int(control[NODES])
        self._left = state, int(control[CHOSEN])
        self.moves += 1
        self.nodes += nodes
        return Thought(int(control[CHOSEN]), value, nodes, reached, self._line())

    def _line(self) -> tuple[int, ...]:
        """Return the line of the move that was chosen: of the iteration that gave up, where that found it."""
        chosen = int(self._desk.control[CHOSEN])
        for line in (self._desk.lines[0], self._desk.line):
            moves = line.tolist()
            if moves[0] == chosen:
                return tuple(moves[: moves.index(NO_MOVE)] if NO_MOVE in moves else moves)
        return (chosen,)

    def _prepare(self, position: Position, history: Sequence[int]) -> None:
        desk = self._desk
        desk.control[[NODES, ABORTED]] = 0
        self.branches = desk.trace[:0]
        desk.control[CHOSEN] = desk.control[FIRST] = position.moves[0]
        desk.history[:] *= 0.5
        if self.steering.on("keep killers"):
            desk.killers[:-2] = desk.killers[2:].copy()
        else:
            desk.killers[:] = NO_MOVE
        desk.line[:] = NO_MOVE
        desk.places[:] = NOWHERE
        if desk.control[REMEMBERS]:
            desk.places[0] = 0
            desk.control[GROWN] = self._grown(position)
        desk.rows[:] = 0
        desk.shared[:REGISTERS] = 0
        recent = np.array([mark % 2**64 for mark in history[-HISTORY + 1 :]], np.uint64)
        desk.path[: len(recent) + 1] = 0
        desk.path[: len(recent), KEY] = recent.view(np.int64)
        desk.path[len(recent), SINCE] = 0
        desk.path[len(recent), SLOT] = NO_MOVE
        desk.path[len(recent), AIM] = 0
        desk.control[ROOT_ROW] = len(recent)

    def _grown(self, position: Position) -> int:
        """Return how many rows the tree begins with: those of the last search that the game went on along, or one."""
        desk = self._desk
        if self._left is not None:
            sought = np.uint64(position.key % 2**64).view(np.int64)
            if rows := int(taken_up(*self._left, sought, int(desk.control[GROWN]), desk.tree)):
                return rows
        blank(0, NO_MOVE, NOWHERE, desk.tree)
        return 1
