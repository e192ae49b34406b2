# SPDX-License-Identifier: GPL-3.0-or-later
"""Built-in bots that search by Monte Carlo tree search, ``engine.search.tree``."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from arena.protocol.messages import CANDIDATES
from bots.bot import DECIDED, Bot, Candidate, Over, Reply, Turn
from bots.built_in.course import line
from bots.built_in.following import FollowingBot, time_for
from bots.built_in.kinds import BuiltInBot, Enters, seed
from bots.built_in.kinds.searching import BEST
from bots.thinking import think
from engine.game import Game, Position
from engine.games import find
from engine.search import Limits, Stop
from engine.search.tree import TreeReport, TreeSearcher


@dataclass(frozen=True, slots=True)
class TreeSearching(BuiltInBot):
    """A bot that searches by Monte Carlo tree search: its algorithm, and the limits of each search."""

    enters: ClassVar[Enters] = Enters.LAST
    usual: ClassVar[bool] = False

    algorithm: str | None = None
    """One of ``engine.search.tree``'s; None: the game's best."""
    playouts: int | None = None
    """Per move."""
    nodes: int | None = None
    seconds: float | None = None
    """Maximum time per move; the bot uses less if that would be more than a small part of its clock."""
    threads: int = 1
    switches: str = ""
    """Alters the algorithm's switches, as ``engine.search.altered`` reads it."""
    evaluations: tuple[str, ...] = BEST
    """The first of these that the game has; if it has none of them, the game's first."""

    def make(self) -> Bot:
        """Return a new player."""
        return TreeSearchingBot(self)

    def plays(self, game: str) -> bool:
        """Return whether the search plays a game: it needs perfect information."""
        return find(game).perfect_information


class TreeSearchingBot(FollowingBot[TreeSearcher]):
    """Plays the best move of its tree. Give each match a bot of its own."""

    capacity = 1

    def __init__(self, settings: TreeSearching) -> None:
        super().__init__(settings.name, settings.description)
        self._settings = settings

    def match_over(self, over: Over) -> None:
        """Forget the match and its tree."""
        super().match_over(over)
        self._searchers.clear()

    def _search(self, turn: Turn, game: Game, position: Position, history: Sequence[int], stop: Stop) -> Reply:
        report = self._searcher(game).search(
            position.state,
            self._limits(turn),
            history=history,
            seed=seed(turn.match, self.name, turn.ply),
            stop=stop,
            on_report=self._teller(turn, game, position) if turn.watched else None,
        )
        return self._reply(game, position, report)

    def _teller(self, turn: Turn, game: Game, position: Position) -> Callable[[TreeReport], None]:
        """Return a function that shows spectators the state of the search of a turn."""
        return lambda report: think(turn, lambda: self._reply(game, position, report))

    def _new_searcher(self, game: Game) -> TreeSearcher:
        return new_tree_searcher(self._settings, game)

    def _limits(self, turn: Turn) -> Limits:
        """The bot's own limits, and the time for this move."""
        settings = self._settings
        return Limits(None, settings.nodes, *time_for(turn, settings.seconds), settings.playouts)

    def _reply(self, game: Game, position: Position, report: TreeReport) -> Reply:
        if report.move is None:
            raise ValueError("the game is over")
        score = self._searcher(game).pawn_units(report.win_probability)
        if report.proven and report.win_probability in (0.0, 1.0):
            score = DECIDED * report.value
        return Reply(
            game.format_move(position.state, report.move),
            score=score,
            depth=report.depth,
            nodes=report.nodes,
            pv=line(game, position, report.pv),
            candidates=[
                Candidate(game.format_move(position.state, each.move), each.visits, round(each.win_probability, 4))
                for each in report.moves[:CANDIDATES]
                if each.visits
            ],
        )


def new_tree_searcher(settings: TreeSearching, game: Game) -> TreeSearcher:
    """Return a new searcher with a bot's settings."""
    return TreeSearcher(
        game,
        settings.algorithm,
        next((name for name in settings.evaluations if name in game.evaluations), None),
        switches=settings.switches,
        threads=settings.threads,
    )


BOTS = (
    TreeSearching(
        "uct-1k", "Monte Carlo tree search (UCT) with 1,000 random playouts per move.", "uct", playouts=1_000
    ),
    TreeSearching(
        "mcts",
        "Monte Carlo tree search, up to 1 second per move: for each game the best of UCT, RAVE and PUCT.",
        seconds=1.0,
    ),
)
