# SPDX-License-Identifier: GPL-3.0-or-later
"""Built-in bots that search with ``engine.search``, each with its algorithm, evaluation and limits."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from bots.bot import Bot, Reply, Turn
from bots.built_in.course import found_reply
from bots.built_in.following import FollowingBot, time_for
from bots.built_in.kinds import BuiltInBot, seed
from bots.thinking import think
from engine.game import Game, Position
from engine.games import find
from engine.search import ALGORITHMS, Iteration, Limits, Searcher, SearchResult, Stop, Switch, altered
from engine.search.driver import Report
from engine.search.switches import SELECTIVE

AnySearcher = TypeVar("AnySearcher", bound=Searcher)


@dataclass(frozen=True, slots=True)
class Searching(BuiltInBot):
    """A bot that searches: its algorithm, and the limits of each search."""

    algorithm: str
    """One of ``engine.search``'s."""
    switches: str = ""
    """Alters the algorithm's switches, as ``engine.search.altered`` reads it."""
    depth: int | None = None
    """In plies."""
    nodes: int | None = None
    seconds: float | None = None
    """Maximum time per move; the bot uses less if that would be more than a small part of its clock."""
    evaluations: tuple[str, ...] = ()
    """The first of these that the game has; if it has none of them, the game's first."""
    extends: bool = False
    """Whether to add quiescence search and repetition detection: stronger, but the value differs from minimax's."""
    table_bits: int = 18
    """The binary logarithm of the entries of its transposition table."""

    def make(self) -> Bot:
        """Return a new player."""
        return SearchingBot(self)

    def plays(self, game: str) -> bool:
        """Return whether the search plays a game: it needs perfect information."""
        return find(game).perfect_information


class SearchingBot(FollowingBot[Searcher]):
    """Plays the move its search finds, choosing among equal ones by seed. Give each match a bot of its own."""

    capacity = 16

    def __init__(self, settings: Searching) -> None:
        super().__init__(settings.name, settings.description)
        self._settings = settings

    def _search(self, turn: Turn, game: Game, position: Position, history: Sequence[int], stop: Stop) -> Reply:
        result = self._searcher(game).search(
            position.state,
            self._limits(turn),
            history=history,
            seed=seed(turn.match, self.name, turn.ply),
            stop=stop,
            on_iteration=self._teller(turn, game, position) if turn.watched else None,
        )
        return self._reply(game, position, result)

    def _teller(self, turn: Turn, game: Game, position: Position) -> Report:
        """Return a function that shows spectators each iteration of the search of a turn."""
        nodes = 0

        def tell(iteration: Iteration, pv: tuple[int, ...]) -> None:
            nonlocal nodes
            nodes += iteration.nodes
            if pv:
                result = SearchResult(iteration.value, pv[0], pv, nodes, iteration.depth, 0.0, ())
                think(turn, lambda: self._reply(game, position, result))

        return tell

    def _new_searcher(self, game: Game) -> Searcher:
        return new_searcher(Searcher, self._settings, game)

    def _limits(self, turn: Turn) -> Limits:
        """The bot's own limits, and the time for this move."""
        return Limits(self._settings.depth, self._settings.nodes, *time_for(turn, self._settings.seconds))

    def _reply(self, game: Game, position: Position, result: SearchResult) -> Reply:
        return found_reply(game, self._searcher(game).evaluation, position, result)


def new_searcher(
    kind: type[AnySearcher], settings: Searching, game: Game, table_bits: int | None = None
) -> AnySearcher:
    """Return a new searcher with a bot's settings; ``table_bits`` replaces its own."""
    return kind(
        game,
        settings.algorithm,
        next((name for name in settings.evaluations if name in game.evaluations), None),
        quiescence=settings.extends,
        repetition=settings.extends,
        switches=switches(settings),
        table_bits=settings.table_bits if table_bits is None else table_bits,
    )


def entry_bytes(settings: Searching) -> int:
    """Return the size of an entry of the transposition table of such a searcher."""
    return 16 if switches(settings) & SELECTIVE else 32


def switches(settings: Searching) -> Switch:
    """Return the switches of a bot's searches, without quiescence and repetition. Raises ValueError."""
    own = ALGORITHMS[settings.algorithm].switches
    return altered(own, settings.switches) if settings.switches else own


BEST = ("tuned", "lecture")
"""The evaluations of the strongest built-in bots."""

BOTS = (
    Searching("minimax-2", "Minimax, two plies deep.", "minimax", depth=2, nodes=200_000),
    Searching("minimax-3", "Minimax, three plies deep.", "minimax", depth=3, nodes=200_000),
    Searching("alphabeta-4", "Alpha-beta search, four plies deep.", "alphabeta", depth=4, nodes=1_000_000),
    Searching("alphabeta-6", "Alpha-beta search, six plies deep.", "alphabeta", depth=6, nodes=1_000_000),
    Searching(
        "play-1k",
        "The selective search of `play`, with 1,000 nodes per move.",
        "play",
        nodes=1_000,
        evaluations=BEST,
    ),
    Searching(
        "advanced",
        "Exact alpha-beta search with iterative deepening, up to 0.3 seconds per move: move ordering, transposition "
        "table, null windows and quiescence search, without pruning or reductions.",
        "advanced",
        seconds=0.3,
        evaluations=BEST,
        extends=True,
    ),
    Searching(
        "play-100k",
        "The selective search of `play`, with 100,000 nodes per move.",
        "play",
        nodes=100_000,
        evaluations=BEST,
    ),
    Searching(
        "play",
        "Selective search, up to 1 second per move: null move, late move reductions, singular extensions, static "
        "exchange evaluation and further pruning, with the game's best evaluation.",
        "play",
        seconds=1.0,
        evaluations=BEST,
        table_bits=20,
    ),
)

STRONGEST = BOTS[-1].name
"""The bot of the commands that name no other."""
