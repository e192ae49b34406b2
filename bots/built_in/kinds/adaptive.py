# SPDX-License-Identifier: GPL-3.0-or-later
"""The adaptive bot: it reads an opponent's public games, fits an opponent model, and searches with it."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import ClassVar

from bots.bot import Bot, Expected, Match, Over, Reply, Turn
from bots.built_in.course import FollowedMatch
from bots.built_in.kinds import Enters, Process
from bots.built_in.kinds.searching import BEST, Searching, SearchingBot
from bots.built_in.library import GameLibrary
from bots.built_in.opponents import KnownOpponent, KnownOpponents, practise
from bots.modelling.model import Predictions
from bots.modelling.replay import Ply
from engine import games
from engine.game import CHANCE, Game
from engine.search import Limits
from engine.search.opponent import OpponentModel, with_priors

LEAST = 3
"""Minimum number of games of a player for an opponent model; players with fewer games are strangers."""

SHOWN = 5
"""Number of expected answers that are reported."""

PART = 0.5
"""Share of the time for a move that may be used to predict the opponent's answers."""
HASTE = 0.1
"""Seconds for a move below which nothing is predicted: one prediction may take as long."""
LEAST_TIME = 0.01
"""Seconds for the search, however long the rest took."""

FindOpponents = Callable[[str, str], KnownOpponents]
"""Returns a bot's opponent models in the arena of an address ("": no arena); the token gives access."""

_known: dict[str, KnownOpponents] = {}


def known_opponents(arena: str, token: str) -> KnownOpponents:
    """Return the opponent models that all adaptive bots of this process share in an arena."""
    return _known.setdefault(arena, KnownOpponents(GameLibrary(arena, token) if arena else None))


@dataclass(frozen=True, slots=True)
class Adaptive(Searching):
    """A bot that adapts to its opponent. Learning uses a processor, and Python's lock, for a while, so it has its own
    process.
    """

    enters: ClassVar[Enters] = Enters.WITH_ALL_GAMES
    process: ClassVar[Process] = "adaptive"

    looks_up: bool = True
    """Whether to predict the answers to its own moves with the whole model before it searches."""

    def make(self) -> Bot:
        """Return a new player."""
        return AdaptiveBot(self)


class AdaptiveBot(SearchingBot):
    """Searches with an opponent model against players with known games, and without one against strangers."""

    def __init__(self, settings: Adaptive, find_opponents: FindOpponents = known_opponents) -> None:
        super().__init__(settings)
        self._looks_up = settings.looks_up
        self._find_opponents = find_opponents
        self._met: dict[int, KnownOpponent] = {}
        self._spent = 0.0
        """Seconds of the move that went before the search."""

    def prepare(self, names: Sequence[str]) -> None:
        """Compile what searching and learning these games need, or load it from the cache."""
        super().prepare(names)
        for game in map(games.find, names):
            searcher = self._new_searcher(game)
            searcher.set_opponent(practise(game))
            searcher.search(game.start(), Limits(depth=2))

    def match_started(self, match: Match) -> None:
        """Identify the opponent, and start to load its games if they are unknown."""
        super().match_started(match)
        other = match.players[1 - match.seat].name
        if other:
            own = match.players[match.seat].name
            self._met[match.match] = self._find_opponents(self.arena, self.token).meet(
                games.find(match.game), other, own
            )

    def match_over(self, over: Over) -> None:
        """Forget the match; it is read later with the opponent's other games."""
        super().match_over(over)
        self._met.pop(over.match, None)

    def move(self, turn: Turn) -> Reply:
        """Search the position with the opponent's likely answers."""
        game = games.find(turn.game)
        met = self._met.get(turn.match)
        course = self._courses.setdefault(turn.match, FollowedMatch(game))
        course.arrive(turn)
        if met is None or met.foresight is None or met.games < LEAST:
            return super().move(turn)
        began = time.monotonic()
        allowed = _seconds(self._limits(turn))
        hurries = allowed < HASTE
        until = began if hurries else began + PART * allowed
        expected = self._use_model(game, met, met.foresight, course, until)
        self._spent = time.monotonic() - began
        reply = super().move(turn)
        self._spent = 0.0
        here = course.position
        if here is None or not here.moves or here.to_move in (turn.seat, CHANCE):
            return reply
        answers = expected.get(here.key)
        if answers is None:
            answers = [] if hurries else met.expect(here, [Ply(*each) for each in course.plies])
        written = tuple(
            Expected(game.format_move(here.state, move), probability) for move, probability in answers[:SHOWN]
        )
        return replace(reply, expected=written)

    def _limits(self, turn: Turn) -> Limits:
        """The limits of the search, less the time already used."""
        limits = super()._limits(turn)
        seconds, soft = (
            None if each is None else max(LEAST_TIME, each - self._spent)
            for each in (limits.seconds, limits.soft_seconds)
        )
        return replace(limits, seconds=seconds, soft_seconds=soft)

    def _use_model(
        self, game: Game, met: KnownOpponent, foresight: OpponentModel, course: FollowedMatch, until: float
    ) -> dict[int, Predictions]:
        """Set up the search with the opponent model; return the expected answers by position.

        ``until``: time after which the answers to further moves are not predicted; the search then uses the fitted
        prior.
        """
        searcher = self._searcher(game)
        here = course.position
        if not met.trust or here is None:
            searcher.set_opponent(None, met.draw)
            return {}
        expected: dict[int, Predictions] = {}
        if self._looks_up:
            past = [Ply(*each) for each in course.plies]
            for move in here.moves:
                if time.monotonic() >= until:
                    break
                there = game.play(here, move)
                if there.to_move not in (here.to_move, CHANCE) and there.moves:
                    expected[there.key] = met.expect(there, [*past, Ply(here.state, move)])
            foresight = with_priors(
                foresight,
                [
                    (key, [(move, met.trust * probability) for move, probability in answers])
                    for key, answers in expected.items()
                ],
            )
        searcher.set_opponent(foresight, met.draw)
        return expected


def _seconds(limits: Limits) -> float:
    """Return the time for a move, infinite without a limit."""
    return min((each for each in (limits.seconds, limits.soft_seconds) if each is not None), default=inf)


BOTS = (
    Adaptive(
        "adaptive",
        "Learns a model of its opponent from public games, and plays the move with the highest expected value over the "
        "answers that the model predicts.",
        "play",
        switches="+root-expectation",
        nodes=100_000,
        seconds=1.0,
        evaluations=BEST,
    ),
)
