# SPDX-License-Identifier: GPL-3.0-or-later
"""TreeSearcher: runs Monte Carlo tree search with limits and threads, and keeps the tree between searches."""

import contextlib
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import log

import numpy as np

from engine.evaluation import Evaluation, named
from engine.game import CHANCE, Game, Position, State, TreeDefaults
from engine.match.superko import look
from engine.search.limits import Limits, Stop, TimeManager, ended_by
from engine.search.switches import altered
from engine.search.tree.grow import grow, locate
from engine.search.tree.leaves import THREE_IN_FOUR
from engine.search.tree.memory import (
    DEPTH,
    EARLIER,
    FORBIDDEN_MOVE,
    FORBIDS,
    LEAF,
    LIMIT,
    NODES,
    PAST,
    PLAYOUTS,
    QUIET,
    ROOT,
    STARTED,
    STOP,
    UNIT,
    USED,
    empty,
    keep_below,
    new_scratch,
    new_tree,
)
from engine.search.tree.switches import TREE_ALGORITHMS, TreeParameters, TreeSwitch
from engine.splitmix import GOLDEN
from engine.walks.playout import NEVER

CAPACITY = 2**21
"""Nodes of a tree by default; each takes 63 bytes once it is used."""

PLIES_KEPT = 4
"""A position up to this many plies below the last root is found in the old tree: a move, a reply, and rolls."""

SLICE = 0.05
"""Seconds of a slice of the search, after which limits of time and reports are looked at."""

FIRST_SLICE = 64
"""Playouts of the first slice; later ones are as long as the speed allows."""

MOST_SLICE = 2**20


@dataclass(frozen=True, slots=True)
class MoveStatistics:
    """Statistics of a root move."""

    move: int
    visits: int
    win_probability: float
    """Expected result for the seat to move; a draw counts half. Other payoffs are scaled from the worst (0) to the best
    (1).
    """
    prior: float
    proven: bool
    """Whether the solver proved this value."""


@dataclass(frozen=True, slots=True)
class TreeReport:
    """The state of a search while it runs, and its result."""

    move: int | None
    """None when the game is over."""
    win_probability: float
    """Of the seat to move, as in ``MoveStatistics``; at a chance node of seat 0."""
    proven: bool
    """Whether the solver proved the value of the position."""
    pv: tuple[int, ...]
    """Principal variation: the best move, then the most visited moves; it ends at the first chance node."""
    moves: tuple[MoveStatistics, ...]
    """All moves, the best first."""
    playouts: int
    """Playouts of this search."""
    nodes: int
    """Visited positions: those of the lines in the tree, of playouts, and those that were evaluated for priors."""
    depth: int
    """Length of the longest line in the tree."""
    size: int
    """Number of nodes of the tree."""
    seconds: float

    @property
    def value(self) -> float:
        """The win probability as a payoff from -1 to 1."""
        return 2.0 * self.win_probability - 1.0


Report = Callable[[TreeReport], None]
"""A callback for the state of a search: after each slice."""


class TreeSearcher:
    """Searches positions of one game by Monte Carlo tree search; the tree is kept between searches.

    Not thread-safe; a search itself may use several threads. Raises KeyError, with a message that lists the names, for
    an unknown algorithm or evaluation, and ValueError for a game without a bound of its playouts.
    """

    def __init__(
        self,
        game: Game,
        algorithm: str | None = None,
        evaluation: str | Evaluation | None = None,
        *,
        switches: TreeSwitch | str = "",
        parameters: TreeParameters | None = None,
        threads: int = 1,
        capacity: int = CAPACITY,
    ) -> None:
        """``algorithm``: None for the game's best. ``parameters`` replace the algorithm's, and so do ``switches``, or
        they change them by a list for ``engine.search.altered``.
        """
        own = game.tree_search
        self.algorithm = own.algorithm if algorithm is None else algorithm
        if self.algorithm not in TREE_ALGORITHMS:
            raise KeyError(f"no tree search is called {algorithm!r}; there are {', '.join(TREE_ALGORITHMS)}")
        if threads < 1:
            raise ValueError(f"the number of threads must be 1 or more (got {threads})")
        if capacity <= game.width:
            raise ValueError(f"the tree must have room for more than {game.width} nodes (got {capacity})")
        chosen = TREE_ALGORITHMS[self.algorithm]
        self.game = game
        self.evaluation = named(game.evaluations, evaluation)
        self.switches = chosen.switches
        if switches:
            self.switches = altered(chosen.switches, switches) if isinstance(switches, str) else switches
        self.parameters = parameters_of(own, self.algorithm) if parameters is None else parameters
        self._threads = threads
        self._tree = new_tree(game, self.evaluation, self.switches, self.parameters, capacity)
        self._scratches = [new_scratch(game, thread) for thread in range(threads)]
        self._root: Position | None = None
        self._history: tuple[int, ...] = ()

    def clear(self) -> None:
        """Remove the tree."""
        empty(self._tree)
        self._root = None

    def warm_up(self) -> None:
        """Compile all functions that searches need, or load them from the cache."""
        start = self.game.look(self.game.start())
        for move in start.moves[:1]:
            self.search(start.state, Limits(playouts=2))
            self.search(self.game.play(start, move).state, Limits(playouts=2))
        self.clear()

    def search(
        self,
        state: State,
        limits: Limits,
        *,
        history: Sequence[int] = (),
        seed: int | None = None,
        stop: Stop | None = None,
        on_report: Report | None = None,
    ) -> TreeReport:
        """Search a position; at least one playout is made.

        ``history``: repetition keys of the earlier positions since the last irreversible move, for draws by repetition
        and for forbidden repetition. ``seed`` determines the playouts of a search by one thread without a limit of
        time. ``on_report`` is called about twenty times per second. Raises ValueError without any limit, and for a
        limit of depth.
        """
        if limits == Limits() and stop is None:
            raise ValueError("set a limit: nodes, playouts or seconds")
        if limits.depth is not None:
            raise ValueError("Monte Carlo tree search has no limit of depth; limit playouts, nodes or seconds")
        began = time.monotonic()
        position = look(self.game, state, history)
        self._enter(position, history)
        self._tree = self._tree._replace(parameters=self._parameters_at(position))
        control = self._tree.control
        control[[NODES, STOP, STARTED]] = 0
        control[PLAYOUTS] = NEVER if limits.playouts is None else limits.playouts
        control[LIMIT] = NEVER if limits.nodes is None else limits.nodes
        for thread, scratch in enumerate(self._scratches):
            scratch.numbers[0] = scramble_seed(seed or 0, thread)
        if not position.moves:
            return self._over(position, began)
        left = None if limits.seconds is None else limits.seconds - (time.monotonic() - began)
        with ended_by(control, stop, left, STOP):
            self._run(position, limits, began, on_report)
        return self._report(position, began)

    # ---------------------------------------------------------------- the root

    def _parameters_at(self, position: Position) -> TreeParameters:
        """Return the parameters for a root: the share of the stakes there multiplies those of ``_DIFFERENCES``."""
        parameters, at_stake = self.parameters, self.game.tree_search.at_stake
        if at_stake is None:
            return TreeParameters(*map(float, parameters))
        share = at_stake(position.state)
        return TreeParameters(
            *(float(value) * (share if name in _DIFFERENCES else 1) for name, value in parameters._asdict().items())
        )

    def _enter(self, position: Position, history: Sequence[int]) -> None:
        """Make a position the root, with the part of the tree below it."""
        keys = tuple(key % 2**64 for key in history)
        node, chooser = self._find(position, keys)
        if node not in (LEAF, ROOT):
            keep_below(node, chooser, self._tree)
        if node == LEAF or self._tree.first[ROOT] < 0:
            # free blocks are not joined, and none might be large enough for the root's moves
            empty(self._tree)
        self._tree.control[DEPTH] = 0
        marks = self._tree.history
        recent = keys[-(len(marks) - 1) :] if len(marks) > 1 else ()
        seat = position.to_move
        for place, key in enumerate((*recent, position.key % 2**64)):
            # seats alternate in games with repetitions
            mover = seat if (len(recent) - place) % 2 == 0 else 1 - seat
            marks[place] = np.uint64(key) ^ np.uint64(mover % 2**64 * int(GOLDEN) % 2**64)
        self._tree.control[QUIET] = len(keys) if len(marks) == 1 else len(recent)
        if self._tree.control[FORBIDS]:
            past = keys[-EARLIER:]
            self._tree.past[: len(past)] = past
            self._tree.control[PAST] = len(past)
        self._root, self._history = position, keys

    def _find(self, position: Position, history: tuple[int, ...]) -> tuple[int, int]:
        """Return the node of a position in the tree of the last search, with the seat that chose it; LEAF: none."""
        root = self._root
        if root is None or not self.switches & TreeSwitch.REUSE:
            return LEAF, 0
        before = (*self._history, root.repetition_key % 2**64)
        if (position.key, position.to_move) == (root.key, root.to_move) and history == self._history:
            return ROOT, 0
        key = np.uint64(position.key % 2**64)
        for plies in range(1, PLIES_KEPT + 1):
            node, chooser = locate(root.state, key, position.to_move, ROOT, plies, self._tree)
            if node != LEAF:
                # the positions before the old root must be the same: they decide draws by repetition, and forbidden
                # moves
                earlier = history[: max(0, len(history) - plies + 1)]
                complete = not self._tree.control[FORBIDS] or len(earlier) >= len(before)
                return (node, chooser) if complete and before[len(before) - len(earlier) :] == earlier else (LEAF, 0)
        return LEAF, 0

    # ---------------------------------------------------------------- playouts

    def _run(self, position: Position, limits: Limits, began: float, report: Report | None) -> None:
        control, state = self._tree.control, position.state
        manager = None if limits.soft_seconds is None else TimeManager(limits.soft_seconds)
        size, noted = FIRST_SLICE, 0
        # the root has its moves before several threads begin
        grow(state, 1, self._tree, self._scratches[0])
        with contextlib.ExitStack() as stack:
            pool = stack.enter_context(ThreadPoolExecutor(self._threads - 1)) if self._threads > 1 else None
            while True:
                before = time.monotonic()
                others = [
                    pool.submit(grow, state, size, self._tree, scratch) for scratch in self._scratches[1:] if pool
                ]
                done = grow(state, size, self._tree, self._scratches[0]) + sum(other.result() for other in others)
                now = time.monotonic()
                if report and done:
                    report(self._report(position, began))
                if done < size * self._threads or control[STOP]:
                    return
                if len(position.moves) == 1 and (limits.seconds is not None or limits.soft_seconds is not None):
                    return
                if manager:
                    if control[STARTED] >= 2 * noted:
                        noted = int(control[STARTED])
                        found = self._report(position, began)
                        if found.move is not None:
                            manager.note(found.move, self.pawn_units(found.win_probability))
                    if manager.over(now - began):
                        return
                size = max(1, min(MOST_SLICE, 2 * size, int(size * SLICE / max(now - before, 1e-6))))

    # ---------------------------------------------------------------- results

    def pawn_units(self, win_probability: float) -> float:
        """Convert a win probability to pawn units, on the scale of the evaluation of leaves."""
        chance = min(max(win_probability, 1e-6), 1 - 1e-6)
        return self.parameters.scale / THREE_IN_FOUR * log(chance / (1 - chance))

    def _over(self, position: Position, began: float) -> TreeReport:
        payoff = position.payoffs[max(position.to_move, 0)] / self.game.stakes
        return TreeReport(None, (1 + payoff) / 2, True, (), (), 0, 0, 0, 1, time.monotonic() - began)

    def _report(self, position: Position, began: float) -> TreeReport:
        tree, control = self._tree, self._tree.control
        moves = self._allowed(position)
        low, high = float(tree.low[ROOT]), float(tree.high[ROOT])
        chance = min(max(float(tree.totals[ROOT]) / UNIT / max(1, int(tree.visits[ROOT])), low), high)
        if position.to_move == 1:
            chance = 1 - chance
        if moves and position.to_move != CHANCE:
            chance = moves[0].win_probability
        move = moves[0].move if moves else position.moves[0]
        return TreeReport(
            move=move,
            win_probability=chance,
            proven=low == high,
            pv=self._line(position),
            moves=moves,
            playouts=int(control[STARTED]),
            nodes=int(control[NODES]),
            depth=int(control[DEPTH]),
            size=int(control[USED]),
            seconds=time.monotonic() - began,
        )

    def _allowed(self, position: Position) -> tuple[MoveStatistics, ...]:
        """Return the moves of the root, the best first, without those that superko forbids, visited or not."""
        moves = self._moves(ROOT, position.to_move)
        return tuple(move for move in moves if move.move in position.moves) if self._tree.control[FORBIDS] else moves

    def _moves(self, node: int, seat: int) -> tuple[MoveStatistics, ...]:
        """Return the moves of a node, the best first: proved wins, then the most visited, proved losses last."""
        tree = self._tree
        first = int(tree.first[node])
        children = slice(first, first + int(tree.counts[node])) if first >= 0 else slice(0, 0)
        low, high = (column[children].astype(float) for column in (tree.low, tree.high))
        if seat == 1:
            low, high = 1 - high, 1 - low
        visits = tree.visits[children].astype(np.int64)
        values = np.clip(tree.totals[children] / UNIT / np.maximum(visits, 1), low, high)
        values = np.where((visits == 0) & (low < high), 0.5, values)
        # a move whose value is below another move's proved lower bound ranks last, however often it was visited
        secured, possible = low.max(initial=0.0), high.max(initial=0.0)
        rank = np.where(low == possible, 0, np.where(values >= secured, 1, np.where(high >= secured, 2, 3)))
        order = np.lexsort((-values, -visits, rank)).tolist()
        listed, priors = tree.moves[children].tolist(), tree.priors[children].tolist()
        return tuple(
            MoveStatistics(listed[i], int(visits[i]), float(values[i]), priors[i], bool(low[i] == high[i]))
            for i in order
            if tree.counts[first + i] != FORBIDDEN_MOVE
        )

    def _line(self, position: Position) -> tuple[int, ...]:
        tree, node = self._tree, ROOT
        line: list[int] = []
        while tree.first[node] >= 0 and not position.over and position.to_move != CHANCE:
            moves = self._moves(node, position.to_move) if line else self._allowed(position)
            if not moves or (line and not moves[0].visits):
                break
            first, count = int(tree.first[node]), int(tree.counts[node])
            node = first + int(np.flatnonzero(tree.moves[first : first + count] == moves[0].move)[0])
            line.append(moves[0].move)
            position = self.game.play(position, moves[0].move)
        return tuple(line or position.moves[:1])


def parameters_of(own: TreeDefaults, algorithm: str) -> TreeParameters:
    """Return the parameters of an algorithm in a game. Raises ValueError for unknown names."""
    parameters = TREE_ALGORITHMS[algorithm].parameters
    if unknown := set(own.parameters) - set(TreeParameters._fields):
        raise ValueError(f"tree search has no parameter {', '.join(sorted(unknown))}")
    given = {name: value for name, value in own.parameters.items() if algorithm == own.algorithm or name in _OF_GAME}
    return parameters._replace(**given)


_DIFFERENCES = ("exploration", "reduction", "temperature")
"""Parameters that are compared with differences of values."""
_OF_GAME = ("scale", "temperature")
"""Parameters that describe the game's evaluation, whatever the algorithm."""


def scramble_seed(seed: int, thread: int) -> np.uint64:
    """Return the first random number of a thread of a search."""
    return np.uint64((seed * int(GOLDEN) + (thread + 1) * 0xD1B54A32D192ED03) % 2**64)
