# SPDX-License-Identifier: GPL-3.0-or-later
"""Explanations of searches: the tree that a search walks, and the nodes that each algorithm visits."""

import contextlib
from collections.abc import Sequence
from typing import Literal

import numpy as np

from arena.features.explorer.interpreted import Interpreter
from arena.features.explorer.kernels import Kernels
from arena.features.explorer.recorder import Recorder, TreeFull, Visit
from arena.features.explorer.tree import ExplainedIteration, ExplainedNode, Explanation, Kind, Score
from arena.features.explorer.words import words
from engine.game import CHANCE, Game, Position, State
from engine.search import ALGORITHMS, Iteration, Limits, Searcher, SearchResult, altered
from engine.search.driver import INFINITY
from engine.search.expectiminimax import SCALE
from engine.search.memory import BOUND
from engine.search.switches import Switch
from web.language import t

METHODS = ("_iterate", "_aspire", "_expect")
"""The methods of ``Searcher`` that call compiled searches."""


class RecordedSearcher(Searcher):
    """A searcher whose search runs in Python and is recorded: same iterations, windows and nodes."""

    PROVES = False

    def record(self, game: Game, most: int) -> Recorder:
        """Record the searches from now on; ``most``: maximum number of visits."""
        kernels = Kernels(game, self.evaluation)
        recorder = Recorder(kernels, most)
        interpreter = Interpreter(recorder.replacements(), recorder.wrap)
        for name in METHODS:
            setattr(self, name, interpreter.rebound(getattr(Searcher, name)).__get__(self))
        search_depth = self._iterate
        begun: State = None
        root: Position | None = None

        def iterate(
            state: State, depth: int, earlier: Sequence[Iteration], *, unlimited: bool = False
        ) -> Iteration | None:
            nonlocal begun, root
            recorder.iteration = depth
            if root is None or begun is not state:
                begun, root = state, game.look(state)
            return search_depth(root, depth, earlier, unlimited=unlimited)

        self._iterate = iterate  # type: ignore[method-assign]  # of this object alone
        return recorder

    @property
    def bound(self) -> int:
        """The bound of all values in games with dice."""
        return int(self._memory.control[BOUND])


def searcher_of(
    game: Game, algorithm: str, evaluation: str | None, switches: str | None, kind: type[Searcher] = Searcher
) -> Searcher:
    """Return a searcher. Raises KeyError for unknown names, and ValueError for unknown switches."""
    if algorithm not in ALGORITHMS:
        raise KeyError(f"no algorithm is called {algorithm[:40]!r}; there are {', '.join(ALGORITHMS)}")
    own = ALGORITHMS[algorithm].switches
    return kind(game, algorithm, evaluation, switches=own if switches is None else altered(own, switches))


def explain(
    game: Game,
    state: State,
    algorithm: str,
    depth: int,
    *,
    evaluation: str | None = None,
    switches: str | None = None,
    most: int,
) -> Explanation:
    """Search a position to a depth; return the tree of at most ``most`` visits.

    Raises KeyError for unknown names, and ValueError for a depth or switches that do not exist.
    """
    searcher = searcher_of(game, algorithm, evaluation, switches, RecordedSearcher)
    assert isinstance(searcher, RecordedSearcher)
    limits = Limits(depth)
    recorder = searcher.record(game, most)
    result: SearchResult | None = None
    with np.errstate(over="ignore"), contextlib.suppress(TreeFull):
        result = searcher.search(state, limits)
    root = game.look(state)
    scores = Scores(game, searcher, root)
    numbers = {id(visit): visit.number for visit in recorder.visits}
    return Explanation(
        game=game.name,
        position=game.format_position(root.state),
        to_move=root.to_move,
        algorithm=algorithm,
        evaluation=searcher.evaluation.name,
        switches=[
            switch.name.lower().replace("_", "-") for switch in Switch if switch.name and switch in searcher.switches
        ],
        depth=depth,
        complete=result is not None,
        value=None if result is None else result.value,
        win=scores.win,
        line=spelled(game, root, result.pv) if result else [],
        nodes=sum(1 + visit.scored for visit in recorder.visits),
        iterations=[ExplainedIteration(*_parts(iteration)) for iteration in result.iterations] if result else [],
        tree=[_node(game, visit, scores, numbers) for visit in recorder.visits],
    )


def _parts(iteration: Iteration) -> tuple[int, int, int]:
    return iteration.depth, iteration.nodes, iteration.value


class Scores:
    """Converts scores of a search to those that max sees."""

    def __init__(self, game: Game, searcher: RecordedSearcher, root: Position) -> None:
        self._max = max(root.to_move, 0)
        self._scale = SCALE if game.chance else 1
        self._most = searcher.bound if game.chance else INFINITY
        self.win = searcher.evaluation.win if game.chance else searcher.evaluation.win // 2
        """Scores from this one on are those of won games: in games with dice scores are averages."""

    def sign(self, position: Position) -> int:
        """Return 1 if the scores at a position are those of max, else -1."""
        return 1 if max(position.to_move, 0) == self._max else -1

    def kind(self, position: Position) -> Kind:
        """Return the kind of a node."""
        if position.to_move == CHANCE:
            return "chance"
        return "max" if self.sign(position) == 1 else "min"

    def window(self, visit: Visit) -> tuple[Score | None, Score | None]:
        """Return the bounds at entry as max sees them; None for one that excludes nothing."""
        low = None if visit.alpha is None or visit.alpha <= -self._most else self.score(visit.position, visit.alpha)
        high = None if visit.beta is None or visit.beta >= self._most else self.score(visit.position, visit.beta)
        return (low, high) if self.sign(visit.position) == 1 else (high, low)

    def score(self, position: Position, score: int | None) -> Score | None:
        """Return a score as max sees it."""
        if score is None:
            return None
        seen = self.sign(position) * score
        return seen if self._scale == 1 else round(seen / self._scale, 2)

    def static(self, position: Position, score: int | None) -> Score | None:
        """Return a static evaluation as max sees it."""
        return None if score is None else self.sign(position) * score


def spelled(game: Game, position: Position, moves: Sequence[int]) -> list[str]:
    """Return moves as people write them."""
    texts = []
    for move in moves:
        texts.append(game.write_move(position, move))
        position = game.play(position, move)
    return texts


def _node(game: Game, visit: Visit, scores: Scores, numbers: dict[int, int]) -> ExplainedNode:
    position, parent = visit.position, visit.parent
    low, high = scores.window(visit)
    move, said, via, squares = "", "", list[str](), list[int]()
    if parent is not None and visit.moves and visit.moves[-1] is not None:
        before = parent.position
        for earlier in visit.moves[:-1]:
            assert earlier is not None, "no search passes and then moves in one step"
            via.append(game.write_move(before, earlier))
            before = game.play(before, earlier)
        last = visit.moves[-1]
        move, said = game.format_move(before.state, last), game.write_move(before, last)
        squares = list(game.squares(before.state, last))
    elif visit.reason == "null-move":
        said = t("pass")
    kind = scores.kind(position)
    reduced = 0
    if (
        parent is not None
        and parent.selective
        and visit.reason in ("move", "again", "quiescence")
        and not parent.quiesces
    ):
        reduced = max(parent.depth - 1, 0) - visit.depth
    cut: Literal["alpha", "beta"] | None = None
    if visit.cut:
        assert visit.value is not None
        assert visit.beta is not None
        # a score of the seat to move that reaches its beta reaches alpha as max sees it, if min is to move
        upper = (visit.value >= visit.beta) == (scores.sign(position) == 1)
        cut = "beta" if upper else "alpha"
    node = ExplainedNode(
        parent=None if parent is None else numbers[id(parent)],
        iteration=visit.iteration,
        move=move,
        said=said,
        via=via,
        kind=kind,
        ply=visit.ply,
        depth=visit.depth,
        alpha=low,
        beta=high,
        value=scores.score(position, visit.value),
        static=scores.static(position, visit.static),
        reason=visit.reason,
        event=visit.event,
        cut=cut,
        reduced=reduced,
        scored=visit.scored,
        unsearched=dict(visit.unsearched),
        diagram=game.diagram(position.state),
        squares=squares,
        words="",
    )
    return words(node, scores.win)
