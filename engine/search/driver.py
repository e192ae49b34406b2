# SPDX-License-Identifier: GPL-3.0-or-later
"""Searcher: runs compiled searches with limits and iterative deepening, and keeps their tables between searches."""

import random
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray

from engine.evaluation import Evaluation, named
from engine.exact import Exact, Prover
from engine.game import MOST_ODDS, Game, State
from engine.match.superko import look
from engine.search.alphabeta import search
from engine.search.expectiminimax import SCALE, expectiminimax
from engine.search.limits import Limits, Stop, TimeManager, ended_by
from engine.search.margins import MARGINS, Margins
from engine.search.memory import (
    ABORTED,
    AGE,
    BOUND,
    DRAW,
    EXCLUDED,
    FIRST_KILLER,
    HORIZON,
    LIMIT,
    LOOKS,
    MAN,
    MAX_DEPTH,
    MODELLED,
    NODES,
    PLIES,
    REACHED,
    ROOT_DEPTH,
    ROOT_MOVES,
    SALT,
    SECOND_KILLER,
    SLOT,
    STOP,
    SWITCHES,
    TRACED,
    UNLIMITED,
    Memory,
    new_memory,
    write_history,
)
from engine.search.minimax import minimax
from engine.search.opponent import OpponentModel, no_model
from engine.search.programs.memory import clear as clear_registers
from engine.search.programs.memory import no_program, program_memory, trace_of
from engine.search.programs.program import Program
from engine.search.selective import table as selective_table
from engine.search.selective.root import search_root
from engine.search.solver import Solver, longest, solvable
from engine.search.strategy import lost_positions
from engine.search.switches import ALGORITHMS, OPPONENT_MODEL, SELECTIVE, SOLVE, Switch
from engine.search.transposition import UNKNOWN, new_table

INFINITY = int(UNKNOWN)

WIDE_DEPTH = 4
"""The selective search uses aspiration windows at depths above this one."""

MODEL_SALT = 0x5DEECE66D2B7E151
"""Changes the keys of the transposition table in searches with an opponent model."""

PREPARED = 8
"""Before the solver, depths up to this one are searched, so that there is a good move if a limit ends the proof."""

PROOF_BYTES = 32
"""Bytes of the table of a proof for each entry of the transposition table."""

SAMPLE = 1000
"""Number of table entries that ``fullness`` looks at."""

Report = Callable[["Iteration", tuple[int, ...]], None]
"""A callback for each iteration, with its principal variation."""


@dataclass(frozen=True, slots=True)
class Iteration:
    """One finished iteration: depth, nodes of this iteration, value for the seat to move."""

    depth: int
    nodes: int
    value: int


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Result of a search: that of its last finished iteration."""

    value: int
    """For the seat to move."""
    move: int | None
    """None when the game is over."""
    pv: tuple[int, ...]
    """Principal variation; it ends early at a position whose value the table had."""
    nodes: int
    """Visited positions of all iterations, an unfinished one included."""
    depth: int
    seconds: float
    iterations: tuple[Iteration, ...]
    payoff: float | None = None
    """The payoff of the seat to move with best play, if the game's own exact search proved it."""


class Searcher:
    """Searches positions of one game; tables and histories are kept between searches.

    Not thread-safe. Raises KeyError, with a message that lists the names, for an unknown algorithm or evaluation.
    """

    PROVES = True
    """Whether the algorithm "solve" uses the solver; False in subclasses that replace the searches."""

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
        program: Program | None = None,
        traced: int = 0,
    ) -> None:
        """``switches`` replaces the algorithm's; ``quiescence`` and ``repetition`` add switches.

        ``margins``: parameters of the selective search. The transposition table has 2 ** ``table_bits`` entries of 32
        bytes; in the selective search, of 16 bytes; the solver has another table of the same size. ``program`` sets the
        depth of each branch of the selective search; of its branches near the root, ``traced`` are kept in
        ``branches``. Raises ValueError for an invalid program, and for one in another search.
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
        if program is not None:
            self.switches |= Switch.PROGRAM
        self._program, self._traced = program, traced
        self.branches: NDArray[np.int64] = no_program().trace
        """The traced branches of the last finished iteration: see ``engine.search.programs.memory``."""
        self._allowed: frozenset[int] = frozenset()
        self._proven: float | None = None
        self._bits = table_bits if self.switches & Switch.TABLE else 2
        # games with dice have one search, expectiminimax, whatever the switches; its table has the longer entries
        self._selective = bool(self.switches & SELECTIVE) and not game.chance
        if program is not None and not self._selective:
            raise ValueError(
                f"depth programs need the selective search, which games with dice such as {game.title} do not have"
            )
        self._solves = algorithm == SOLVE and self.PROVES and solvable(game)
        self._exact = game.exact if self._solves else None
        self.clear()

    def clear(self) -> None:
        """Clear tables and histories, and remove the opponent model."""
        self._draw = 0
        self._solver: Solver | None = None
        self._prover: Prover | None = None
        table = selective_table.new_table(self._bits) if self._selective else new_table(self._bits)
        self._memory = new_memory(self.game, self.evaluation, table, self.margins)
        control = self._memory.control
        control[SWITCHES] = self.switches
        if self._program is None:
            control[SWITCHES] &= ~int(Switch.PROGRAM)
        else:
            program, control[LOOKS] = program_memory(self.game, self._program, PLIES, self._traced)
            self._memory = self._memory._replace(program=program)

    def set_opponent(self, model: OpponentModel | None, draw: float = 0.0) -> None:
        """Set the model of the opponent for all searches from now on; None: the opponent plays best moves.

        The opponent is the seat that is not to move where a search begins. ``draw``: value of a draw by repetition to
        the searching side, in pawn units; negative against weak opponents. Both have an effect only with switches of
        OPPONENT_MODEL.
        """
        models = bool(self.switches & OPPONENT_MODEL)
        self._draw = round(self.evaluation.points(draw)) if models else 0
        used = model if model is not None and models else None
        self._memory = self._memory._replace(opponent=used or no_model())
        self._memory.control[SALT] = MODEL_SALT if used else 0

    def confine(self, moves: Collection[int]) -> None:
        """Search only these root moves from now on; without moves, all. Clears the tables, because their values depend
        on other root moves.
        """
        self._allowed = frozenset(moves)
        self.clear()

    @property
    def fullness(self) -> float:
        """Share of the transposition table that is in use, from 0 to 1."""
        # in both kinds of tables the last word of an entry is 0 if it is empty
        return float(np.count_nonzero(self._memory.table[:SAMPLE, -1])) / min(SAMPLE, len(self._memory.table))

    def warm_up(self) -> None:
        """Compile all functions that searches need, or load them from the cache."""
        self.search(self.game.start(), Limits(depth=1))
        if self._exact is not None:
            state = self._exact.example()
            self._memory.control[[LIMIT, STOP]] = UNLIMITED, 0
            self._exact.make(self._memory.control, PROOF_BYTES).prove(state, self.game.look(state).moves)
        elif self._solves:
            lost_positions(self.game)
            self._memory.control[LIMIT] = 0
            self._prove(self.game.start(), MAX_DEPTH, True)
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

        ``history``: repetition keys of the earlier positions since the last irreversible move, for draws by repetition
        and for forbidden repetition. ``seed`` shuffles the root moves; the first of equally good moves is chosen.
        ``on_iteration`` is called after each finished iteration. Raises ValueError without any limit, and for one of
        playouts.

        Without iterative deepening and with a limit of depth only, the search is one iteration at that depth; if it is
        stopped, the result is that of depth 1.
        """
        if limits == Limits() and stop is None:
            raise ValueError("set a limit: depth, nodes, playouts or seconds")
        if limits.playouts is not None:
            raise ValueError(f"playouts limit Monte Carlo tree search (uct, rave, puct), not {self.algorithm!r}")
        began = time.monotonic()
        position = look(self.game, state, history)
        moves = list(position.moves)
        if seed is not None:
            random.Random(seed).shuffle(moves)
        self._prepare(moves, history)
        self._proven = None
        control = self._memory.control
        control[DRAW] = -self._draw if position.to_move == 1 else self._draw
        control[MODELLED] = 1 - position.to_move if control[SALT] and position.moves else -1
        left = None if limits.seconds is None else limits.seconds - (time.monotonic() - began)
        with ended_by(control, stop, left):
            iterations, pv = self._deepen(position.state, limits, len(moves) == 1, began, on_iteration)
        last = iterations[-1]
        return SearchResult(
            value=last.value,
            move=pv[0] if pv else None,
            pv=pv,
            nodes=int(control[NODES]),
            depth=last.depth,
            seconds=time.monotonic() - began,
            iterations=tuple(iterations),
            payoff=self._proven,
        )

    def _prepare(self, moves: Sequence[int], history: Sequence[int]) -> None:
        memory = self._memory
        if self._allowed:
            moves = [move for move in moves if move in self._allowed]
        memory.control[[NODES, STOP, ABORTED]] = 0
        memory.control[ROOT_MOVES] = len(moves)
        memory.control[AGE] += 1
        memory.moves[0, : len(moves)] = moves
        memory.history[:] //= 2
        clear_registers(memory.program)
        memory.path[:] = 0
        memory.path[:, [FIRST_KILLER, SECOND_KILLER, EXCLUDED, SLOT]] = -1
        self._row = write_history(memory, history)

    def _deepen(
        self, state: State, limits: Limits, forced: bool, began: float, report: Report | None
    ) -> tuple[list[Iteration], tuple[int, ...]]:
        """Iterative deepening until a limit is reached; return the finished iterations and the principal variation.

        ``forced``: there is only one legal move.
        """
        control = self._memory.control
        hurried = limits.nodes is not None or limits.seconds is not None
        limited = hurried or limits.depth is None
        deepest = limits.depth or MAX_DEPTH
        shallowest = 1 if limited or self.switches & Switch.DEEPENING else deepest
        control[LIMIT] = UNLIMITED if limits.nodes is None else limits.nodes
        manager = None if limits.soft_seconds is None else TimeManager(limits.soft_seconds)
        iterations: list[Iteration] = []
        pv: tuple[int, ...] = ()
        depths, last = self._depths(state, shallowest, deepest, limits.depth)
        for depth in depths:
            iteration = self._prove(state, depth, hurried) if depth == last else self._iterate(state, depth, iterations)
            if iteration is None:
                pv = self._unfinished_line() or pv
                break
            iterations.append(iteration)
            pv = self._line()
            self.branches = trace_of(self._memory.program, int(control[TRACED]), int(control[REACHED]))
            if report:
                report(iteration, pv)
            if pv:
                self._try_first(pv[0])
            if manager and pv:
                manager.note(pv[0], self.evaluation.pawn_units(iteration.value))
                if manager.over(time.monotonic() - began):
                    break
            if limits.nodes is not None and 1000 * control[NODES] >= self.margins.iteration_share * limits.nodes:
                break
            settled = not control[HORIZON] or (forced and limits.seconds is not None)
            if control[STOP] or (limits.depth is None and settled):
                break
        if not iterations:
            iteration = self._iterate(state, 1, [], unlimited=True)
            assert iteration is not None, "nothing stops an unlimited search"
            return [iteration], self._line()
        return iterations, pv

    def _iterate(
        self, state: State, depth: int, earlier: Sequence[Iteration], *, unlimited: bool = False
    ) -> Iteration | None:
        """Search one depth; return None if a limit ended the search.

        ``unlimited``: ignore all limits, and leave out quiescence search and programs, which can take long.
        """
        memory = self._memory
        if unlimited:
            memory = memory._replace(control=memory.control.copy())
            memory.control[[STOP, LIMIT]] = 0, UNLIMITED
            memory.control[SWITCHES] &= ~int(Switch.QUIESCENCE | Switch.PROGRAM)
        control = memory.control
        control[[HORIZON, ABORTED, ROOT_DEPTH, TRACED]] = 0, 0, depth, 0
        before = int(control[NODES])
        if self.game.chance:
            value = self._expect(state, depth, memory)
        elif self.switches:
            value = self._aspire(state, depth, earlier, memory)
        else:
            value = minimax(state, depth, 0, memory)
        if unlimited:
            self._memory.control[[NODES, HORIZON, ABORTED]] = control[[NODES, HORIZON, ABORTED]]
        return None if control[ABORTED] else Iteration(depth, int(control[NODES]) - before, int(value))

    def _depths(
        self, state: State, shallowest: int, deepest: int, limit: int | None
    ) -> tuple[Iterable[int], int | None]:
        """Return the depths of the iterations, and the one that the solver proves, if there is one."""
        left = 0
        if self._exact is not None:
            left = self._exact.plies_left(state)
        elif self._solves:
            left = longest(state)
        if not 0 < left <= deepest:
            return range(shallowest, deepest + 1), None
        last = limit or left
        prepared = PREPARED if self._exact is None else 1
        return (*range(shallowest, min(prepared, last - 1) + 1), last), last

    def _prove(self, state: State, depth: int, hurried: bool) -> Iteration | None:
        """Prove the value of a state by the solver; return None if a limit ended the proof before a win was found.

        ``depth``: the plies to the end of the longest game, or more. ``hurried``: use the game's winning strategy, and
        accept a slower win if a limit ends the search for the quickest one.
        """
        memory, evaluation = self._memory, self.evaluation
        control = memory.control
        if self._exact is not None:
            return self._prove_exactly(state, depth, self._exact)
        if self._solver is None:
            self._solver = Solver(self.game, control, self._bits + 2)
        control[[HORIZON, ABORTED, ROOT_DEPTH]] = 0, 0, depth
        before = int(control[NODES])
        lost = lost_positions(self.game) if hurried else frozenset[int]()
        solved = self._solver.solve(state, memory.moves[0, : control[ROOT_MOVES]].tolist(), lost)
        if solved is None:
            return None
        value, line = solved
        memory.line[0, : len(line) + 1] = *line, -1
        sooner = abs(value) - 1 + depth - longest(state)
        points = evaluation.win + evaluation.sooner * sooner if value else 0
        return Iteration(depth, int(control[NODES]) - before, points if value > 0 else -points)

    def _prove_exactly(self, state: State, depth: int, exact: Exact) -> Iteration | None:
        """Prove the value of a state by the game's own exact search; return None if a limit ended it without use."""
        memory, evaluation = self._memory, self.evaluation
        control = memory.control
        if self._prover is None:
            self._prover = exact.make(control, PROOF_BYTES << self._bits)
        control[[HORIZON, ABORTED, ROOT_DEPTH]] = 0, 0, depth
        before = int(control[NODES])
        proven = self._prover.prove(state, memory.moves[0, : control[ROOT_MOVES]].tolist())
        if proven is None:
            return None
        memory.line[0, : len(proven.line) + 1] = *proven.line, -1
        if not control[ABORTED]:
            self._proven = proven.payoff
        points = round(proven.payoff * (evaluation.win + evaluation.sooner * (depth - exact.plies_left(state))))
        return Iteration(depth, int(control[NODES]) - before, points)

    def _aspire(self, state: State, depth: int, earlier: Sequence[Iteration], memory: Memory) -> int:
        """Aspiration windows: search with a window around the expected value, and widen it on the side that failed."""
        alpha, beta = -INFINITY, INFINITY
        # values of the selective search vary by tenths of a pawn; an exact search's window holds one value
        width = max(1, int(memory.control[MAN]) * self.margins.aspiration_window // 100) if self._selective else 1
        if self.switches & Switch.ASPIRATION and earlier and (not self._selective or depth > WIDE_DEPTH):
            alpha, beta = earlier[-1].value - width, earlier[-1].value + width
        while True:
            if self._selective:
                value = int(search_root(state, depth, alpha, beta, self._row, memory))
            else:
                value = int(search(state, depth, alpha, beta, 0, self._row, memory))
            if memory.control[ABORTED] or alpha < value < beta:
                return value
            width *= 3
            narrow = self._selective and width < self.evaluation.win // 1000
            if value <= alpha:
                alpha = value - width if narrow else -INFINITY
            else:
                beta = value + width if narrow else INFINITY

    def _expect(self, state: State, depth: int, memory: Memory) -> int:
        """Search a game with dice; round the value to a whole point."""
        evaluation = self.evaluation
        bound = SCALE * max(1, ceil(self.game.stakes * (evaluation.win + abs(evaluation.sooner) * depth)))
        if bound * MOST_ODDS >= INFINITY:
            raise ValueError(f"the numbers of the evaluation {evaluation.name!r} are too large for a game with dice")
        memory.control[BOUND] = bound
        value = int(expectiminimax(state, depth, -bound - 1, bound + 1, 0, memory))
        return (value + SCALE // 2) // SCALE

    def _line(self) -> tuple[int, ...]:
        row = self._memory.line[0].tolist()
        return tuple(row[: row.index(-1)])

    def _unfinished_line(self) -> tuple[int, ...]:
        """Return the best line of an interrupted iteration, which searched the previous best move first."""
        return self._line() if self._selective else ()

    def _try_first(self, move: int) -> None:
        """Move the best move to the front of the root's moves."""
        if not self._selective:
            return
        moves = self._memory.moves[0, : self._memory.control[ROOT_MOVES]]
        place = int(np.flatnonzero(moves == move)[0])
        moves[1 : place + 1] = moves[:place].copy()
        moves[0] = move
