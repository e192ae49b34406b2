# SPDX-License-Identifier: GPL-3.0-or-later
"""Built-in bots for all games with hidden information: PIMC and ISMCTS, ``engine.hidden``."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from bots.bot import DECIDED, Bot, Over, Reply, Turn
from bots.built_in.following import time_for
from bots.built_in.kinds import BuiltInBot, Enters, seed
from engine.games import catalogue, find
from engine.hidden import HiddenSearcher, searchable
from engine.search import Limits


@dataclass(frozen=True, slots=True)
class Hidden(BuiltInBot):
    """A bot that searches from its observation."""

    enters: ClassVar[Enters] = Enters.LAST
    usual: ClassVar[bool] = False

    algorithm: str
    seconds: float = 1.0
    """Maximum time per move; the bot uses less if that would be more than a small part of its clock."""

    def plays(self, game: str) -> bool:
        """Return whether a game offers states that fit an observation."""
        return searchable(find(game))

    def make(self) -> Bot:
        """Return a new player."""
        bot = HiddenBot(self)
        bot.games = tuple(filter(self.plays, catalogue()))
        return bot


class HiddenBot(Bot):
    """Plays by the observation alone."""

    capacity = 1

    def __init__(self, settings: Hidden) -> None:
        self.name, self.description = settings.name, settings.description
        self._settings = settings
        self._searchers: dict[str, HiddenSearcher] = {}

    def prepare(self, names: Sequence[str]) -> None:
        """Compile the searches of games, or load them from the cache."""
        for name in names:
            self._searcher(name).warm_up()

    def match_over(self, over: Over) -> None:
        """Release the tables."""
        self._searchers.clear()

    def move(self, turn: Turn) -> Reply:
        """Return the best move that the search finds."""
        searcher, game = self._searcher(turn.game), find(turn.game)
        report = searcher.search(
            turn.position,
            turn.seat,
            Limits(seconds=time_for(turn, self._settings.seconds)[0]),
            seed=seed(turn.match, self.name, turn.ply),
            legal=turn.legal_moves or None,
        )
        if report.move is None:
            raise ValueError("the game is over")
        pawns = max(-DECIDED, min(DECIDED, searcher.evaluation.pawn_units(round(report.value))))
        return Reply(
            game.format_move(report.state, report.move), score=pawns, depth=report.depth or None, nodes=report.nodes
        )

    def _searcher(self, name: str) -> HiddenSearcher:
        if name not in self._searchers:
            self._searchers[name] = HiddenSearcher(find(name), self._settings.algorithm)
        return self._searchers[name]


BOTS = (
    Hidden(
        "ismcts", "Games with hidden information: Monte Carlo tree search over information sets (ISMCTS).", "ismcts"
    ),
    Hidden(
        "pimc",
        "Games with hidden information: alpha-beta search of random states that fit its observation (PIMC).",
        "pimc",
    ),
)
