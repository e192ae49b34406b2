# SPDX-License-Identifier: GPL-3.0-or-later
"""HiddenSearcher: runs PIMC and ISMCTS from the observation of a seat, in random states that fit it."""

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.evaluation import Evaluation, named
from engine.exact import LIMIT, NODES, Prover
from engine.game import Game, Position, State
from engine.hidden import information_sets as sets
from engine.hidden import worlds
from engine.search import Limits, Stop

PIMC: Final = "pimc"
ISMCTS: Final = "ismcts"
ALGORITHMS: Mapping[str, str] = {
    PIMC: "alpha-beta search of random states that fit the observation; the move with the best mean",
    ISMCTS: "Monte Carlo tree search over information sets, which contain all states that the seat cannot tell apart "
    "(single-observer ISMCTS)",
}
"""The searches for hidden information, each with a description."""

WORLDS = 24
"""Random states of a PIMC search."""
WORLD_NODES = 5_000
"""Node limit of each of these states by default; the first iteration is always completed."""
PLAYOUTS = 4_000
"""Playouts of an ISMCTS search by default."""
BATCH = 4
"""Playouts from each random state."""
EXPLORATION = 0.5
"""Weight of the exploration term of ISMCTS, for values from 0 to 1."""
PLAYOUT_PLIES = 200
"""Ply limit of a playout, the moves in the tree included."""
ROUND_DEPTH, ROUND_PLIES = 16, 32
"""In a match of several rounds: depth limit of PIMC and ply limit of a playout, so that later rounds, which the move
does not decide about, do not hide its value."""
TABLE_BITS, TREE_BITS = 16, 18
"""Binary logarithms of the sizes of the transposition table and of the tree."""
PROOF_BYTES = 2**22
"""Size of the table of a game's own exact search."""
TRIES = 40
"""Random states that are tried to find one in which the legal moves are those of the request."""

Cells = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class MoveValue:
    """Result of a root move."""

    move: int
    value: float
    """Mean for the seat to move, in points of the evaluation."""
    visits: int
    """Random states (PIMC) or playouts (ISMCTS) in which the move was tried."""


@dataclass(frozen=True, slots=True)
class HiddenReport:
    """Result of a search."""

    state: State
    """One of the states that fit the observation; moves are written in it."""
    move: int | None
    """None when the game is over."""
    moves: tuple[MoveValue, ...]
    """The best first."""
    worlds: int
    """Different states that were searched."""
    nodes: int
    depth: int
    """PIMC: the least depth of a state's search, in plies."""
    seconds: float

    @property
    def value(self) -> float:
        """The value of the move, in points of the evaluation."""
        return self.moves[0].value if self.moves else 0.0


Found = tuple[list[MoveValue], int, int, int]
"""Values of the moves, the best first; states; nodes; depth."""


def searchable(game: Game) -> bool:
    """Return whether the searches play a game: it has secrets, and offers states that fit an observation."""
    return game.secrets is not None and game.secrets.determinise is not None and not game.simultaneous


class HiddenSearcher:
    """Searches observations of one game. Each search is independent of earlier ones. Not thread-safe.

    Raises KeyError, with a message that lists the names, for an unknown algorithm or evaluation, and ValueError for a
    game that is not ``searchable``.
    """

    def __init__(self, game: Game, algorithm: str = PIMC, evaluation: str | Evaluation | None = None) -> None:
        if algorithm not in ALGORITHMS:
            raise KeyError(
                f"no search for hidden information is called {algorithm!r}; there are {', '.join(ALGORITHMS)}"
            )
        if not searchable(game):
            raise ValueError(f"{algorithm} is for games that hide information and are played in turns, not {game.name}")
        self.game, self.algorithm = game, algorithm
        self.evaluation = named(game.evaluations, evaluation)
        self._weights = self.evaluation.words()
        self._control: Cells = np.zeros(4, np.int64)
        self._prover: Prover | None = None
        width = game.width
        if algorithm == PIMC:
            self._rows = np.empty((worlds.MOST_PLIES + 1, width), np.int64)
            size = 2**TABLE_BITS
            self._keys, self._values = np.zeros(size, np.uint64), np.zeros(size)
            self._entries = np.zeros((size, worlds.COLUMNS), np.int64)
            self._depth = worlds.MOST_PLIES - 1 if game.last_round is None else ROUND_DEPTH
            self._killers = np.full(worlds.MOST_PLIES + 1, -1, np.int64)
        else:
            self._row, self._path = np.empty(width, np.int64), np.empty(PLAYOUT_PLIES, np.int64)
            size = 2**TREE_BITS
            self._keys, self._totals = np.zeros(size, np.uint64), np.zeros(size)
            self._counts = np.zeros((size, sets.COLUMNS), np.int64)

    def search(
        self,
        observation: str,
        seat: int | None,
        limits: Limits,
        *,
        seed: int = 0,
        legal: Collection[str] | None = None,
        stop: Stop | None = None,
    ) -> HiddenReport:
        """Search what a seat sees.

        ``seat``: None if the text alone says whose observation it is. ``limits``: the time is looked at after each
        random state; ``nodes`` of PIMC are shared by the states. ``legal``: texts of the legal moves; None: those of
        the first random state. Equal arguments without a limit of time have equal results. Raises ValueError if the
        text is no observation of the seat to move.
        """
        began, chance = time.monotonic(), Random(seed)
        seat = self._seat_of(observation, chance) if seat is None else seat
        position = self._sample(observation, seat, chance, legal)
        if position.over:
            return HiddenReport(position.state, None, (), 1, 0, 0, time.monotonic() - began)
        if position.to_move != seat:
            raise ValueError("it is not the move of the seat that has this observation")
        moves = [move for text, move in self.game.move_texts(position).items() if legal is None or text in legal]

        def sample() -> State:
            return self._sample(observation, seat, chance, legal).state

        def over() -> bool:
            late = limits.seconds is not None and time.monotonic() - began > limits.seconds
            return late or (stop is not None and stop.is_set())

        states = [position.state, *(sample() for _ in range(WORLDS - 1))]
        found = self._prove(states, moves, limits, chance)
        if found is None:
            run = self._pimc if self.algorithm == PIMC else self._ismcts
            found = run(states, moves, seat, sample, limits, over, chance)
        values, searched, nodes, depth = found
        return HiddenReport(
            position.state, values[0].move, tuple(values), searched, nodes, depth, time.monotonic() - began
        )

    def warm_up(self) -> None:
        """Compile all functions that searches need, or load them from the cache."""
        position, chance = self.game.look(self.game.start()), Random(0)
        while position.to_move < 0:
            position = self.game.play(position, chance.choice(position.moves))
        assert self.game.secrets is not None
        text = self.game.secrets.observe(position.state, position.to_move).position
        self.search(text, position.to_move, Limits(depth=1, playouts=1))
        if self.game.exact is not None:
            example = self.game.exact.example()
            self._prove([example], list(self.game.look(example).moves), Limits(), chance)

    def _seat_of(self, observation: str, chance: Random) -> int:
        """Return the seat to move whose observation a text is."""
        reason = ValueError("the text is no observation")
        for seat in (0, 1):
            try:
                position = self._sample(observation, seat, chance, None)
            except ValueError as error:
                reason = error
                continue
            if position.to_move == seat or position.over:
                return seat
            reason = ValueError("it is not the move of the seat that has this observation")
        raise reason

    def _sample(self, observation: str, seat: int, chance: Random, legal: Collection[str] | None) -> Position:
        """Return a random state that fits the observation, if possible one with all legal moves."""
        for tried in range(TRIES + 1):
            position = self.game.look(self.game.possible(observation, seat, chance))
            if legal is None or tried == TRIES or set(legal) <= set(self.game.move_texts(position)):
                return position
        raise AssertionError

    def _prove(self, states: list[State], moves: list[int], limits: Limits, chance: Random) -> Found | None:
        """Solve the only state that fits, with the game's own exact search; None if it has none or a limit ended it."""
        exact, state = self.game.exact, self.game.pack(states[0])
        left = exact.plies_left(state) if exact is not None else 0
        if not left or len({tuple(map(int, each)) for each in states}) > 1:
            return None
        self._control[:] = 0
        self._control[LIMIT] = limits.nodes or 2**62
        if self._prover is None:
            assert exact is not None
            self._prover = exact.make(self._control, PROOF_BYTES)
        proven = [self._prover.prove(state, [move]) for move in moves]
        values = np.array([0.0 if each is None else each.payoff * self.evaluation.win for each in proven])
        if None in proven:
            return None
        ones = np.ones(len(moves), np.int64)
        return _ranked(moves, values, ones, values, chance), 1, int(self._control[NODES]), left

    # ---------------------------------------------------------------- PIMC

    def _pimc(
        self,
        states: list[State],
        moves: list[int],
        seat: int,
        sample: Callable[[], State],
        limits: Limits,
        over: Callable[[], bool],
        chance: Random,
    ) -> Found:
        # a state that is the only one that fits gets all nodes; its chance nodes are then those of one world
        alike: dict[Any, list[int]] = {}
        for index, each in enumerate(states):
            alike.setdefault(tuple(map(int, each)), []).append(index)
        nodes = limits.nodes or WORLD_NODES * WORLDS
        total, visits = np.zeros(len(moves)), np.zeros(len(moves), np.int64)
        visited, searched, reached = 0, 0, worlds.MOST_PLIES
        control = np.zeros(worlds.CONTROLS, np.int64)
        control[worlds.TERMS], control[worlds.WIN] = self.evaluation.terms.number, self.evaluation.win
        for indices in alike.values():
            if searched and over():
                break
            position = self.game.look(states[indices[0]])
            known = np.array([move in position.moves for move in moves])
            if not known.any():
                continue
            listed = np.array(moves, np.int64)[known]
            found = np.zeros(len(listed))
            control[worlds.NODES], control[worlds.LIMIT] = 0, max(1, nodes // len(alike))
            control[worlds.SEED] = chance.getrandbits(62)
            depth = worlds.search_world(
                position.state,
                listed,
                found,
                limits.depth or self._depth,
                self._rows,
                control,
                self._keys,
                self._values,
                self._entries,
                self._killers,
                self._weights,
            )
            total[known] += found * len(indices)
            visits[known] += len(indices)
            visited += int(control[worlds.NODES])
            searched, reached = searched + 1, min(reached, depth)
        means = np.where(visits > 0, total / np.maximum(visits, 1), -np.inf)
        return _ranked(moves, means, visits, means, chance), searched, visited, reached

    # ---------------------------------------------------------------- ISMCTS

    def _ismcts(
        self,
        states: list[State],
        moves: list[int],
        seat: int,
        sample: Callable[[], State],
        limits: Limits,
        over: Callable[[], bool],
        chance: Random,
    ) -> Found:
        self._keys[:], self._counts[:], self._totals[:] = 0, 0, 0.0
        control = np.zeros(sets.CONTROLS, np.int64)
        control[sets.TERMS], control[sets.WIN] = self.evaluation.terms.number, self.evaluation.win
        control[sets.PLIES] = PLAYOUT_PLIES if self.game.last_round is None else ROUND_PLIES
        numbers, bounds = np.array([chance.getrandbits(63)], np.uint64), np.array([np.inf, -np.inf])
        limit = limits.playouts or PLAYOUTS
        nodes = limits.nodes or 2**62
        made, searched, state = 0, 0, states[0]
        while made < limit and control[sets.NODES] < nodes and not (made and over()):
            batch = min(BATCH, limit - made)
            sets.explore(
                states[searched] if searched < len(states) else sample(),
                seat,
                batch,
                EXPLORATION,
                self._keys,
                self._counts,
                self._totals,
                bounds,
                control,
                numbers,
                self._row,
                self._path,
                self._weights,
            )
            made, searched = made + batch, searched + 1
        visits, means = np.zeros(len(moves), np.int64), np.zeros(len(moves))
        listed = np.array(moves, np.int64)
        sets.root_statistics(state, seat, listed, self._keys, self._counts, self._totals, control, visits, means)
        if seat:
            means = -means
        return _ranked(moves, means, visits, visits, chance), searched, int(control[sets.NODES]), 0


def _ranked(
    moves: list[int], means: NDArray[np.float64], visits: Cells, merit: NDArray[Any], chance: Random
) -> list[MoveValue]:
    """Return the moves by merit, the best first; equal ones in random order."""
    order = chance.sample(range(len(moves)), len(moves))
    order.sort(key=lambda index: -merit[index])
    return [MoveValue(moves[index], float(means[index]), int(visits[index])) for index in order]
