# SPDX-License-Identifier: GPL-3.0-or-later
"""Built-in bots as UCI engines: pass a program's limits to ``engine.search``."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf

from bots.bridges.uci.commands import Go, Place
from bots.bridges.uci.line import Line
from bots.bridges.uci.thinker import Halt, Report, Tell
from bots.built_in.course import line
from bots.built_in.kinds.searching import Searching, entry_bytes, new_searcher
from bots.built_in.pacing import Pace, pace
from engine.games import find
from engine.search import Iteration, Limits, Searcher, Stop
from engine.search.analysis import Analyst
from engine.search.memory import MAX_DEPTH

OTHERS_BITS = 18
"""Of the table of the searches for lines after the best one, as a power of two of entries."""


class SearchThinker:
    """A built-in bot behind the dialogue. Limits of depth, nodes or time replace its own; a clock replaces its time
    alone.
    """

    def __init__(self, settings: Searching) -> None:
        self._settings = settings
        self._game = find("chess")
        self._line = Line(self._game)
        self._bits = 1
        self._lines = 1
        self._searcher: Analyst | None = None

    def prepare(self) -> None:
        """Compile, or load from the cache."""
        self._ready().warm_up()
        self._line.place(Place(None, ("e2e4",)))
        self._line.place(Place())

    def new_game(self) -> None:
        """Reset the bot."""
        self._ready().clear()

    def resize(self, megabytes: int) -> None:
        """Use so much memory for the transposition table, rounded down to a power of two."""
        entries = megabytes * 2**20 // entry_bytes(self._settings)
        self._bits = max(1, entries.bit_length() - 1)
        self._searcher = None

    def show(self, lines: int) -> None:
        """Report so many lines: the searches for the others leave the best one's as it is without them."""
        self._lines = lines

    def place(self, place: Place) -> str | None:
        """Set a position up."""
        return self._line.place(place)

    def pace(self, go: Go) -> Pace | None:
        """Return the seconds for a move."""
        if go.move_time is not None:
            return Pace(inf, max(0.001, go.move_time / 1000))
        if go.infinite:
            return None
        if (clock := go.clock(self._line.position.to_move)) is not None:
            left, increment = clock
            return pace(left / 1000, increment / 1000, go.moves_to_go)
        own = None if go.depth or go.nodes or go.mate else self._settings.seconds
        return None if own is None else Pace(inf, own)

    def think(self, go: Go, time_left: Pace | None, halt: Halt, tell: Tell) -> tuple[str, ...]:
        """Search, and report each iteration."""
        game, position = self._game, self._line.position
        if position.over:
            return ()
        # a mate is looked for without leaving anything out
        searcher = Analyst(game, "advanced") if go.mate else self._ready()
        confined = self._line.legal(go.moves)
        if confined:
            searcher.confine(confined)
        began, nodes = time.monotonic(), 0
        stop = Stop()
        several = self._lines > 1

        def report(iteration: Iteration, pv: tuple[int, ...]) -> None:
            nonlocal nodes
            nodes += iteration.nodes
            told = Report(
                depth=iteration.depth,
                nodes=nodes,
                full=searcher.fullness,
                seconds=time.monotonic() - began,
                line=line(game, position, pv),
                rank=1 if several else None,
            )
            tell(_valued(told, iteration, searcher))
            if several and pv:
                spent = time.monotonic() - began
                left = None if limits.seconds is None else limits.seconds - spent
                others = Limits(iteration.depth, limits.nodes, left)
                for other in self._others(go, confined or position.moves, pv[0], others, stop):
                    tell(replace(other, seconds=time.monotonic() - began))

        halt.calls(stop.set)
        limits = self._limits(go)
        if time_left is not None:
            limits = replace(limits, seconds=time_left.hard, soft_seconds=time_left.soft)
        found = searcher.search(position.state, limits, history=self._line.history, stop=stop, on_iteration=report)
        if confined:
            searcher.confine(())
        return line(game, position, found.pv)[:2]

    def _others(self, go: Go, moves: Sequence[int], best: int, limits: Limits, stop: Stop) -> Iterator[Report]:
        """Yield the lines after the best one at a depth: each search leaves out the first moves of those before.

        They end with the first that is not finished.
        """
        game, position = self._game, self._line.position
        left = [move for move in moves if move != best]
        searcher = Analyst(game, "advanced") if go.mate else new_searcher(Analyst, self._settings, game, OTHERS_BITS)
        ends = None if limits.seconds is None else time.monotonic() + limits.seconds
        for rank in range(2, min(self._lines, len(moves)) + 1):
            seconds = None if ends is None else ends - time.monotonic()
            if stop.is_set() or (seconds is not None and seconds <= 0):
                return
            searcher.confine(left)
            found = searcher.search(
                position.state, replace(limits, seconds=seconds), history=self._line.history, stop=stop
            )
            last = found.iterations[-1]
            if found.move is None or last.depth != limits.depth:
                return
            told = Report(depth=last.depth, nodes=found.nodes, line=line(game, position, found.pv), rank=rank)
            yield _valued(told, last, searcher)
            left.remove(found.move)

    def end(self) -> None:
        """Hold nothing."""

    def _ready(self) -> Analyst:
        if self._searcher is None:
            self._searcher = new_searcher(Analyst, self._settings, self._game, self._bits)
        return self._searcher

    def _limits(self, go: Go) -> Limits:
        depth, nodes = go.depth, go.nodes
        if go.mate is not None:
            depth = min(depth or MAX_DEPTH, 2 * go.mate)
        if depth is None and nodes is None and go.move_time is None and not go.infinite:
            depth, nodes = self._settings.depth, self._settings.nodes
        return Limits(None if depth is None else min(depth, MAX_DEPTH), nodes)


def _valued(report: Report, iteration: Iteration, searcher: Searcher) -> Report:
    """Return the report with its score. A win found so many plies ahead counts the plies that were left."""
    evaluation, value = searcher.evaluation, iteration.value
    if 2 * abs(value) < evaluation.win:
        return replace(report, centipawns=round(100 * evaluation.in_men(value)))
    left = (abs(value) - evaluation.win) // (evaluation.sooner or 1)
    plies = max(1, len(report.line), iteration.depth - left)
    moves = (plies + 1) // 2
    return replace(report, mate=moves if value > 0 else -moves)
