# SPDX-License-Identifier: GPL-3.0-or-later
"""Records the visits of a search that runs in Python: one node for each call of a search function."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from arena.features.explorer.interpreted import Function, as_compiled
from arena.features.explorer.kernels import Kernels
from arena.features.explorer.tree import Event, Reason
from engine import game as rules
from engine.game import CHANCE, Position
from engine.hints import alphabeta
from engine.search.memory import EXCLUDED, NODES, SWITCHES
from engine.search.switches import Switch

SEARCHES = {
    "engine.search.minimax.minimax",
    "engine.search.alphabeta.search",
    "engine.search.alphabeta.quiesce",
    "engine.search.expectiminimax.expectiminimax",
    "engine.search.selective.search.search",
    "engine.search.selective.quiescence.quiesce",
}
"""The functions whose calls are visits."""

DELEGATING = {"engine.search.alphabeta.search", "engine.search.selective.search.search"}
"""Those that only call quiescence search at depth 0, if it is on."""

ARRANGING = "engine.search.expectiminimax.arrange"


class TreeFull(Exception):
    """The tree has as many nodes as allowed."""


@dataclass(slots=True, eq=False)
class Visit:
    """A call of a search function. Scores are those of the seat to move, as in the search itself."""

    number: int
    parent: "Visit | None"
    position: Position
    moves: tuple[int | None, ...]
    """The moves since the parent's position; none for another search of the same position."""
    iteration: int
    ply: int
    depth: int
    alpha: int | None
    beta: int | None
    quiesces: bool
    reason: Reason
    selective: bool
    value: int | None = None
    static: int | None = None
    event: Event = "unfinished"
    cut: bool = False
    scored: int = 0
    unsearched: Counter[str] = field(default_factory=Counter)
    # facts that are noted during the call
    over: bool = False
    table: bool = False
    repeats: bool = False
    futile: set[int] = field(default_factory=set)
    late: bool = False
    considered: tuple[int, ...] | None = None
    """The moves that a quiescence search considers."""
    searched: set[int] = field(default_factory=set)
    last: Reason | None = None
    """Why the last child was visited."""
    inside: int = 0
    """Nodes that the children have counted."""


class Recorder:
    """Notes each call of a search function; ``wrap`` is for ``Interpreter``."""

    def __init__(self, kernels: Kernels, most: int) -> None:
        """``most``: maximum number of visits."""
        self.visits: list[Visit] = []
        self.iteration = 0
        self._kernels = kernels
        self._most = most
        self._stack: list[Visit] = []
        self._arranging = 0
        self._notes: dict[str, Callable[[Visit, tuple[Any, ...], Any], None]] = {
            "engine.search.minimax.static_value": _note_static,
            "engine.search.minimax.final_value": _note_over,
            "engine.search.transposition.settles": _note_table,
            "engine.search.selective.positions.proves": _note_table,
            "engine.search.alphabeta.third_time": _note_repetition,
            "engine.search.selective.positions.drawn": _note_repetition,
            "engine.search.selective.positions.corrected_score": _note_static,
            "engine.search.selective.pruning.futile": _note_futile,
            "engine.search.selective.pruning.too_late": _note_late,
        }

    def replacements(self) -> dict[Function, Function]:
        """Return the functions in place of kernels."""
        found = self._kernels.replacements()
        plain = found[alphabeta.tactical_moves]

        def tactical_moves(position: Position, out: rules.Moves) -> int:
            count = int(plain(position, out))
            self._stack[-1].considered = tuple(out[:count].tolist())
            return count

        found[alphabeta.tactical_moves] = tactical_moves
        return found

    def wrap(self, name: str, function: Any) -> Function:
        """Return the function that is called instead of the one of this name."""
        if name in SEARCHES:
            return self._visited(name, function)
        if name == ARRANGING:
            return self._arranged(function)
        note = self._notes.get(name)
        return function if note is None else self._noted(function, note)

    def _noted(self, function: Function, note: Callable[[Visit, tuple[Any, ...], Any], None]) -> Function:
        def call(*arguments: Any) -> Any:
            result = function(*arguments)
            if self._stack and not self._arranging:
                note(self._stack[-1], arguments, result)
            return result

        return call

    def _arranged(self, function: Function) -> Function:
        def call(*arguments: Any) -> Any:
            self._arranging += 1
            try:
                return function(*arguments)
            finally:
                self._arranging -= 1

        return call

    def _visited(self, name: str, function: Any) -> Function:
        code = function.__code__
        names = code.co_varnames[: code.co_argcount]
        quiesces, selective, delegates = name.endswith("quiesce"), ".selective." in name, name in DELEGATING

        def call(position: Position, *rest: Any) -> Any:
            arguments = (position, *map(as_compiled, rest))
            given = dict(zip(names, arguments, strict=True))
            memory: Any = given["memory"] if "memory" in given else given["loan"]
            control = memory.control
            depth = max(int(given.get("depth", 0)), 0)
            if delegates and depth == 0 and control[SWITCHES] & int(Switch.QUIESCENCE):
                # quiescence search counts the visit
                return function(*arguments)
            visit = self._enter(position, given, memory, depth, quiesces=quiesces, selective=selective)
            before = int(control[NODES])
            value = function(*arguments)
            visit.value = int(value)
            self._leave(visit, int(control[NODES]) - before)
            return value

        return call

    def _enter(
        self, position: Position, given: dict[str, Any], memory: Any, depth: int, *, quiesces: bool, selective: bool
    ) -> Visit:
        if len(self.visits) >= self._most:
            raise TreeFull
        parent = self._stack[-1] if self._stack else None
        moves = self._kernels.moves_between(parent.position, position) if parent else ()
        visit = Visit(
            number=len(self.visits),
            parent=parent,
            position=position,
            moves=moves,
            iteration=self.iteration,
            ply=int(given["ply"]),
            depth=depth,
            alpha=int(given["alpha"]) if "alpha" in given else None,
            beta=int(given["beta"]) if "beta" in given else None,
            quiesces=quiesces,
            reason="root",
            selective=selective,
        )
        if parent is not None:
            excluded = selective and memory.path[int(given["row"]), EXCLUDED] >= 0
            visit.reason = parent.last = _reason(visit, parent, excluded=excluded)
            if len(moves) == 1 and moves[0] is not None:
                parent.searched.add(moves[0])
        elif self.visits and self.visits[0].iteration == self.iteration and self.visits[-1].ply:
            visit.reason = "again"
        self.visits.append(visit)
        self._stack.append(visit)
        return visit

    def _leave(self, visit: Visit, counted: int) -> None:
        self._stack.pop()
        if visit.parent is not None:
            visit.parent.inside += counted
        visit.scored = counted - visit.inside - 1
        visit.event = _event(visit)
        if visit.event == "searched":
            self._note_unsearched(visit)

    def _note_unsearched(self, visit: Visit) -> None:
        """Note the moves that were not searched, and whether a bound was the reason."""
        assert visit.value is not None
        considered = visit.position.moves
        if visit.quiesces:
            considered = visit.considered if visit.selective and visit.considered is not None else considered
            if not visit.selective:
                considered = tuple(move for move in considered if self._kernels.merits(visit.position, move).gain > 0)
        left = [move for move in considered if move not in visit.searched]
        if visit.position.to_move == CHANCE:
            low, high = visit.alpha, visit.beta
            inside = low is None or high is None or low < visit.value < high
            visit.cut = bool(left) and not inside
        else:
            visit.cut = bool(left) and visit.beta is not None and visit.value >= visit.beta
        for move in left:
            if move in visit.futile:
                visit.unsearched["futility"] += 1
            elif visit.cut:
                visit.unsearched["cut"] += 1
            elif visit.quiesces:
                visit.unsearched["losing"] += 1
            elif visit.late:
                visit.unsearched["late"] += 1
            else:
                visit.unsearched["excluded"] += 1
        if visit.cut:
            visit.event = "cut"


def _reason(visit: Visit, parent: Visit, *, excluded: bool) -> Reason:
    """Return why a search visits a position, from the moves since its parent's."""
    if not visit.moves:
        if visit.quiesces:
            return "razoring"
        return "singular" if excluded else "verification"
    if visit.moves[-1] is None:
        return "null-move"
    if len(visit.moves) > 1:
        return "probe"
    if visit.moves[0] in parent.searched:
        return "again"
    return "quiescence" if visit.quiesces else "move"


def _event(visit: Visit) -> Event:
    """Return how a visit ended; cuts are found later."""
    if visit.last is None:
        if visit.over:
            return "over"
        if visit.table:
            return "table"
        if visit.repeats:
            return "repetition"
        if visit.quiesces:
            return "stand-pat" if visit.beta is not None and (visit.value or 0) >= visit.beta else "quiet"
        if visit.depth == 0:
            return "leaf"
        # a roll's bounds may be enough for a cut before any roll is searched
        return "static-cut" if visit.selective else "searched"
    ends: dict[Reason, Event] = {
        "null-move": "null-cut",
        "verification": "null-cut",
        "singular": "multi-cut",
        "razoring": "razored",
    }
    found = ends.get(visit.last, "searched")
    proven = visit.beta is not None and (visit.value or 0) >= visit.beta
    return found if proven or found == "razored" else "searched"


def _note_static(visit: Visit, arguments: tuple[Any, ...], result: Any) -> None:
    visit.static = int(result)


def _note_over(visit: Visit, arguments: tuple[Any, ...], result: Any) -> None:
    visit.over = True


def _note_table(visit: Visit, arguments: tuple[Any, ...], result: Any) -> None:
    visit.table = visit.table or bool(result)


def _note_repetition(visit: Visit, arguments: tuple[Any, ...], result: Any) -> None:
    visit.repeats = visit.repeats or bool(result)


def _note_futile(visit: Visit, arguments: tuple[Any, ...], result: Any) -> None:
    if result:
        visit.futile.add(int(arguments[1]))


def _note_late(visit: Visit, arguments: tuple[Any, ...], result: Any) -> None:
    visit.late = visit.late or bool(result)
