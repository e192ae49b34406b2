# SPDX-License-Identifier: GPL-3.0-or-later
"""Players with evolved searches: the selective search with a depth program, and an average number of nodes per move."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.evaluation import Evaluation
from engine.game import Game, Position
from engine.search import Limits, Searcher, SearchResult
from engine.search.margins import Margins
from engine.search.programs.program import Program
from engine.search.switches import PROGRAMMED, Switch

NODES = 100_000
"""Default average number of nodes per move (Gross and others)."""
CAP = 5
"""A move may take this many times the average."""
DEEPEST = 40
"""Maximum depth of an iteration, in plies."""
TABLE_BITS = 15
"""The transposition table has 2 ** TABLE_BITS entries."""


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """The settings of an evolved search."""

    program: Program
    """The program that sets the depth of each branch."""
    margins: Margins
    """The search parameters."""
    evaluation: Evaluation
    switches: Switch = PROGRAMMED
    """The techniques of the search; measurements leave some out."""


class Player:
    """Plays one game after the other; ``begin`` each. Not thread-safe.

    A game begins with an empty transposition table and empty histories; they are kept from move to move.
    """

    def __init__(self, game: Game, settings: SearchSettings, nodes: int = NODES, *, traced: int = 0) -> None:
        """``nodes``: average per move. ``traced``: number of branches near the root that each search traces.

        Raises ValueError for an invalid program, and without nodes.
        """
        if nodes < 1:
            raise ValueError(f"a player needs at least one node per move (got {nodes})")
        self.game = game
        self.settings = settings
        self.evaluation = settings.evaluation
        self._average = nodes
        self._searcher = Searcher(
            game,
            "play",
            settings.evaluation,
            switches=settings.switches,
            table_bits=TABLE_BITS,
            margins=settings.margins,
            program=settings.program,
            traced=traced,
        )
        self.moves = 0
        self.nodes = 0

    def begin(self) -> None:
        """Begin a game: forget those before."""
        if self.moves:
            self._searcher.clear()
        self.moves = 0
        self.nodes = 0

    def choose(self, position: Position, history: Sequence[int] = (), seconds: float | None = None) -> SearchResult:
        """Search a position that is not over. ``history``: keys of those before it that can come again.

        ``seconds``: time limit; None: none. If too few nodes are left for a search of one ply, the first legal move is
        played, with depth 0.
        """
        # an interrupted first iteration is followed by a search of one ply without limits: two visits of each move
        reserve = 1 + 2 * len(position.moves)
        allowed = min(CAP * self._average, self._average * (self.moves + 1) - self.nodes) - reserve
        if allowed < 1:
            found = SearchResult(0, position.moves[0], position.moves[:1], 0, 0, 0.0, ())
        else:
            depth = DEEPEST if len(position.moves) > 1 else 1
            limits = Limits(nodes=allowed, seconds=seconds, depth=depth)
            found = self._searcher.search(position.state, limits, history=history)
        self.moves += 1
        self.nodes += found.nodes
        return found

    @property
    def branches(self) -> list[list[int]]:
        """The traced branches of the last finished iteration: rows of ``engine.search.programs.memory``."""
        return self._searcher.branches.tolist()
