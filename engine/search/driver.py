# SPDX-License-Identifier: GPL-3.0-or-later
"""The driver of all searches: it owns the limits, the clock, and what is kept from one search to the next."""

import contextlib
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil

import numpy as np

from engine.evaluation import Evaluation, named
from engine.game import MOST_ODDS, Game, State
from engine.search.alarms import ALARMS
from engine.search.alphabeta import search
from engine.search.expectiminimax import SCALE, expectiminimax
from engine.search.foresight import Foresight, nothing
from engine.search.limits import Limits, Stop
from engine.search.margins import MARGINS, Margins
from engine.search.memory import (
    ABORTED,
    AGE,
    BOUND,
    DRAW,
    EXCLUDED,
    FIRST_KILLER,
    FORESEEN,
    HISTORY,
    HORIZON,
    KEY,
    LIMIT,
    MAN,
    MAX_DEPTH,
    NODES,
    ROOT_DEPTH,
    ROOT_MOVES,
    ROOT_ROW,
    SALT,
    SECOND_KILLER,
    SINCE,
    SLOT,
    STOP,
    SWITCHES,
    UNLIMITED,
    Memory,
    new_memory,
)
from engine.search.minimax import minimax
from engine.search.patience import Patience
from engine.search.play import entries
from engine.search.play.root import play
from engine.search.switches import ALGORITHMS, FORESIGHT, PLAY, Switch
from engine.search.transposition import UNKNOWN, new_table

INFINITY = int(UNKNOWN)

WIDE_DEPTH = 4
"""Up to this depth play begins without a window."""

OTHERS = 0x5DEECE66D2B7E151
"""What keys differ by in searches with foresight."""

Report = Callable[["Iteration", tuple[int, ...]], None]
"""Called with an iteration and its principal variation."""


@dataclass(frozen=True, slots=True)
class Iteration:
    """One finished search at one depth: its own nodes, and the value for the seat to move."""

    depth: int
    nodes: int
    value: int


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found: that of its last finished iteration."""

    value: int
    """For the seat to move."""
    move: int | None
    """None when the game is over."""
    pv: tuple[int, ...]
    """The principal variation; it ends early where the table knew the value."""
    nodes: int
    """All visited positions: of all iterations, the last one unfinished included."""
    depth: int
    seconds: float
    iterations: tuple[Iteration, ...]


class Searcher:
    """Searches positions of one game, and keeps what it learned from one search to the next.

    Not thread-safe: one per thread. Raises KeyError, with a message that lists the names, when there is no such
    algorithm or evaluation.
    """

    def __init__(
        self,
        game: Game,
        algorithm: str = "advanced",
        evaluation: str | Evaluation | None = None,
        *,
        quiescence: bool = False,
        repetition: bool = False,
        switches: Switch | None = None,
        table_bits: int = 18,
        margins: Margins = MARGINS,
    ) -> None:
        """``switches`` replaces the algorithm's; ``quiescence`` and ``repetition`` add to them.

        ``margins``: what the frame of play dares.

        The table has 2 ** ``table_bits`` entries of 32 bytes, of 16 where a switch asks for the frame of play.
        """
        if algorithm not in ALGORITHMS:
            raise KeyError(f"no algorithm is called {algorithm!r}; there are {', '.join(ALGORITHMS)}")
        self.game = game
        self.algorithm = algorithm
        self.evaluation = named(game.evaluations, evaluation)
        self.switches = ALGORITHMS[algorithm].switches if switches is None else switches
        if quiescence:
            self.switches |= Switch.QUIESCENCE
        if repetition:
            self.switches |= Switch.REPETITION
        self.margins = margins
        self._bits = table_bits if self.switches & Switch.TABLE else 2
        self._plays = bool(self.switches & PLAY)
        self.clear()

    def clear(self) -> None:
        """Forget what was learned, and what was told of the other side."""
        self._draw = 0
        table = entries.new_table(self._bits) if self._plays else new_table(self._bits)
        self._memory = new_memory(self.game, self.evaluation, table, self.margins)
        self._memory.control[SWITCHES] = self.switches

    def foresee(self, foresight: Foresight | None, draw: float = 0.0) -> None:
        """From now on expect the other side to play so, whoever is to move where a search begins; None: as well as it
        can.

        ``draw``: what a draw by repetition is worth to who searches, in men: less than nothing against the weak. Only
        sets with a switch of FORESIGHT heed any of it.
        """
        told = bool(self.switches & FORESIGHT)
        self._draw = round(self.evaluation.points(draw)) if told else 0
        known = foresight if foresight is not None and told else None
        self._memory = self._memory._replace(foresight=known or nothing())
        self._memory.control[SALT] = OTHERS if known else 0

    def warm_up(self) -> None:
        """Compile, or load from the cache, what searches need."""
        self.search(self.game.start(), Limits(depth=1))
        self.clear()

    def search(
        self,
        state: State,
        limits: Limits,
        *,
        history: Sequence[int] = (),
        seed: int | None = None,
        stop: Stop | None = None,
        on_iteration: Report | None = None,
    ) -> SearchResult:
        """Search a position.

        ``history``: keys of the positions before it since the last irreversible move; they count when the searcher
        heeds repetition. ``seed`` decides among equal moves; without one, it is the rules' order and what the search
        learned. ``on_iteration`` is called with each finished iteration and its principal variation. Raises ValueError
        when nothing limits the search.

        Without iterative deepening, a search that only depth limits is one iteration at that depth; when it is stopped,
        the first ply is what it falls back on.
        """
        if limits == Limits() and stop is None:
            raise ValueError("a search needs a limit")
        began = time.monotonic()
        position = self.game.look(state)
        moves = list(position.moves)
        if seed is not None:
            random.Random(seed).shuffle(moves)
        self._prepare(moves, history)
        control = self._memory.control
        control[DRAW] = -self._draw if position.to_move == 1 else self._draw
        control[FORESEEN] = 1 - position.to_move if control[SALT] and position.moves else -1
        stop = stop or Stop()
        stop.attach(control)
        try:
            with contextlib.ExitStack() as stack:
                if limits.seconds is not None:
                    left = limits.seconds - (time.monotonic() - began)
                    stack.enter_context(ALARMS.after(left, partial(control.__setitem__, STOP, 1)))
                iterations, pv = self._deepen(position.state, limits, len(moves) == 1, began, on_iteration)
        finally:
            stop.detach(control)
        last = iterations[-1]
        return SearchResult(
            value=last.value,
            move=pv[0] if pv else None,
            pv=pv,
            nodes=int(control[NODES]),
            depth=last.depth,
            seconds=time.monotonic() - began,
            iterations=tuple(iterations),
        )

    def _prepare(self, moves: Sequence[int], history: Sequence[int]) -> None:
        memory = self._memory
        memory.control[[NODES, STOP, ABORTED]] = 0
        memory.control[ROOT_MOVES] = len(moves)
        memory.control[AGE] += 1
        memory.moves[0, : len(moves)] = moves
        memory.history[:] //= 2
        memory.path[:] = 0
        memory.path[:, [FIRST_KILLER, SECOND_KILLER, EXCLUDED, SLOT]] = -1
        recent = np.array([mark % 2**64 for mark in history[-HISTORY:]], np.uint64)
        memory.path[: len(recent), KEY] = recent.view(np.int64)
        memory.path[len(recent), SINCE] = 0
        self._row = memory.control[ROOT_ROW] = len(recent)

    def _deepen(
        self, state: State, limits: Limits, forced: bool, began: float, report: Report | None
    ) -> tuple[list[Iteration], tuple[int, ...]]:
        """Search one depth after the other until a limit is reached.

        Returns the finished iterations, and the last one's principal variation. ``forced``: there is one legal move.
        """
        control = self._memory.control
        limited = limits.nodes is not None or limits.seconds is not None or limits.depth is None
        deepest = limits.depth or MAX_DEPTH
        shallowest = 1 if limited or self.switches & Switch.DEEPENING else deepest
        control[LIMIT] = UNLIMITED if limits.nodes is None else limits.nodes
        patience = None if limits.soft_seconds is None else Patience(limits.soft_seconds)
        iterations: list[Iteration] = []
        pv: tuple[int, ...] = ()
        for depth in range(shallowest, deepest + 1):
            iteration = self._iterate(state, depth, iterations)
            if iteration is None:
                pv = self._unfinished_line() or pv
                break
            iterations.append(iteration)
            pv = self._line()
            if report:
                report(iteration, pv)
            if pv:
                self._try_first(pv[0])
            if patience and pv:
                patience.note(pv[0], self.evaluation.in_men(iteration.value))
                if patience.over(time.monotonic() - began):
                    break
            settled = not control[HORIZON] or (forced and limits.seconds is not None)
            if control[STOP] or (limits.depth is None and settled):
                break
        if not iterations:
            iteration = self._iterate(state, 1, [], deaf=True)
            assert iteration is not None, "nothing stops a deaf search"
            return [iteration], self._line()
        return iterations, pv

    def _iterate(
        self, state: State, depth: int, earlier: Sequence[Iteration], *, deaf: bool = False
    ) -> Iteration | None:
        """Search one depth; return None if it was not finished.

        ``deaf``: finish it whatever the limits, without quiescence search, which can be long.
        """
        memory = self._memory
        if deaf:
            memory = memory._replace(control=memory.control.copy())
            memory.control[[STOP, LIMIT]] = 0, UNLIMITED
            memory.control[SWITCHES] &= ~int(Switch.QUIESCENCE)
        control = memory.control
        control[[HORIZON, ABORTED, ROOT_DEPTH]] = 0, 0, depth
        before = int(control[NODES])
        if self.game.chance:
            value = self._expect(state, depth, memory)
        elif self.switches:
            value = self._aspire(state, depth, earlier, memory)
        else:
            value = minimax(state, depth, 0, memory)
        if deaf:
            self._memory.control[[NODES, HORIZON, ABORTED]] = control[[NODES, HORIZON, ABORTED]]
        return None if control[ABORTED] else Iteration(depth, int(control[NODES]) - before, int(value))

    def _aspire(self, state: State, depth: int, earlier: Sequence[Iteration], memory: Memory) -> int:
        """Search with a window around the value that is expected; open it on the side where the value lies outside."""
        alpha, beta = -INFINITY, INFINITY
        # a window of play is some tenths of a man wide, as its values come and go; the exact one holds one value
        width = max(1, int(memory.control[MAN]) * self.margins.window // 100) if self._plays else 1
        if self.switches & Switch.ASPIRATION and earlier and (not self._plays or depth > WIDE_DEPTH):
            alpha, beta = earlier[-1].value - width, earlier[-1].value + width
        while True:
            if self._plays:
                value = int(play(state, depth, alpha, beta, self._row, memory))
            else:
                value = int(search(state, depth, alpha, beta, 0, self._row, memory))
            if memory.control[ABORTED] or alpha < value < beta:
                return value
            width *= 3
            narrow = self._plays and width < self.evaluation.win // 1000
            if value <= alpha:
                alpha = value - width if narrow else -INFINITY
            else:
                beta = value + width if narrow else INFINITY

    def _expect(self, state: State, depth: int, memory: Memory) -> int:
        """Search a game with dice; the value is rounded to a whole point."""
        weighing = self.evaluation
        bound = SCALE * max(1, ceil(self.game.stakes * (weighing.win + abs(weighing.sooner) * depth)))
        if bound * MOST_ODDS >= INFINITY:
            raise ValueError(f"the evaluation {weighing.name!r} has too large numbers for a game with dice")
        memory.control[BOUND] = bound
        value = int(expectiminimax(state, depth, -bound - 1, bound + 1, 0, memory))
        return (value + SCALE // 2) // SCALE

    def _line(self) -> tuple[int, ...]:
        row = self._memory.line[0].tolist()
        return tuple(row[: row.index(-1)])

    def _unfinished_line(self) -> tuple[int, ...]:
        """Return the best line of an iteration that was broken off, which tried the best move so far first."""
        return self._line() if self._plays else ()

    def _try_first(self, move: int) -> None:
        """Put the best move before the root's others."""
        if not self._plays:
            return
        moves = self._memory.moves[0, : self._memory.control[ROOT_MOVES]]
        place = int(np.flatnonzero(moves == move)[0])
        moves[1 : place + 1] = moves[:place].copy()
        moves[0] = move
