# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiled searches on demand: node counts of the algorithms, and the analysis of a position."""

from collections.abc import Sequence

from arena.features.explorer.jobs import AnalysedMove, Analysis, Count, Counts
from engine.game import Game, State
from engine.search import ALGORITHMS, INEXACT, SOLVE, Iteration, Limits, Searcher
from engine.search.memory import LIMIT

PLAY = "play"
"""The algorithm of the strongest built-in bot."""

EVALUATIONS = ("tuned", "lecture")
"""The evaluations of the strongest built-in bots."""

DICE = ("expectiminimax", "star1", "star2", "advanced")
"""The algorithms that differ in games with dice."""


class BoundedSearcher(Searcher):
    """A searcher with a limit of nodes that does not change the iterations; ``exhausted`` is set when it is reached."""

    PROVES = False
    most = 0
    exhausted = False

    def _iterate(
        self, state: State, depth: int, earlier: Sequence[Iteration], *, unlimited: bool = False
    ) -> Iteration | None:
        if not unlimited:
            self._memory.control[LIMIT] = self.most
        found = super()._iterate(state, depth, earlier, unlimited=unlimited)
        self.exhausted = self.exhausted or found is None
        return found


def algorithms_of(game: Game) -> tuple[str, ...]:
    """Return the algorithms that differ in a game; without the solver, which has no depth."""
    return (
        DICE if game.chance else tuple(name for name in ALGORITHMS if name not in {*DICE, SOLVE} or name == "advanced")
    )


def count(game: Game, state: State, depth: int, *, evaluation: str | None = None, most: int) -> Counts:
    """Count the nodes of each algorithm at each depth; leave out depths beyond a search of ``most`` nodes.

    Raises KeyError for an unknown evaluation, and ValueError for an invalid depth.
    """
    Limits(depth)
    found = []
    name = ""
    for algorithm in algorithms_of(game):
        exact = not ALGORITHMS[algorithm].switches & INEXACT or game.chance
        over = False
        for plies in range(1, depth + 1):
            searcher = BoundedSearcher(game, algorithm, evaluation)
            searcher.most = most
            name = searcher.evaluation.name
            result = None if over else searcher.search(state, Limits(plies))
            over = over or searcher.exhausted
            if result is None or over:
                found.append(Count(algorithm=algorithm, depth=plies, nodes=None, last=None, value=None, exact=exact))
                continue
            last = result.iterations[-1]
            found.append(
                Count(
                    algorithm=algorithm,
                    depth=plies,
                    nodes=result.nodes,
                    last=last.nodes,
                    value=last.value,
                    exact=exact,
                )
            )
    return Counts(
        game=game.name,
        position=game.format_position(state),
        evaluation=name,
        most=most,
        counts=found,
    )


def analyse(game: Game, state: State, nodes: int, seconds: float) -> Analysis:
    """Search a position as the strongest built-in bot does. Raises ValueError if the game is over."""
    position = game.look(state)
    if position.over:
        raise ValueError("the game is over in this position")
    evaluation = next((name for name in EVALUATIONS if name in game.evaluations), None)
    searcher = Searcher(game, PLAY, evaluation, quiescence=False)
    searcher.warm_up()
    result = searcher.search(position.state, Limits(nodes=nodes, seconds=seconds))
    line = []
    here = position
    for move in result.pv:
        after = game.play(here, move)
        line.append(
            AnalysedMove(
                move=game.format_move(here.state, move),
                said=game.write_move(here, move),
                squares=list(game.squares(here.state, move)),
                diagram=game.diagram(after.state),
            )
        )
        here = after
    used = searcher.evaluation
    return Analysis(
        game=game.name,
        position=game.format_position(position.state),
        algorithm=PLAY,
        evaluation=used.name,
        to_move=position.to_move,
        score=used.pawn_units(result.value),
        decided=abs(result.value) >= (used.win if game.chance else used.win // 2),
        depth=result.depth,
        nodes=result.nodes,
        seconds=result.seconds,
        line=line,
    )
