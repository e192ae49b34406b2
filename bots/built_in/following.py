# SPDX-License-Identifier: GPL-3.0-or-later
"""Base class of bots that search: it follows matches, and keeps a searcher for each game."""

from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar

from bots.bot import Bot, Match, Over, Reply, Turn
from bots.built_in.course import FollowedMatch, pace
from engine import games
from engine.game import Game, Position
from engine.search import Stop


class Compiled(Protocol):
    """A searcher."""

    def warm_up(self) -> None:
        """Compile all functions that searches need, or load them from the cache."""


AnySearcher = TypeVar("AnySearcher", bound=Compiled)


class FollowingBot(Bot, Generic[AnySearcher]):
    """Plays the move that a search finds. Give each match a bot of its own."""

    def __init__(self, name: str, description: str) -> None:
        self.name = name
        self.description = description
        self._searchers: dict[str, AnySearcher] = {}
        self._courses: dict[int, FollowedMatch] = {}
        self._stop = Stop()

    def prepare(self, names: Sequence[str]) -> None:
        """Compile what following and searching these games need, or load it from the cache."""
        for game in map(games.find, names):
            if not game.perfect_information:
                raise ValueError(
                    f"{self.name} searches, and cannot play {game.name}, where a seat does not see everything"
                )
            start = game.look(game.start())
            game.play(start, start.moves[0])
            self._new_searcher(game).warm_up()

    def match_started(self, match: Match) -> None:
        """Replay the match so far, for the rules on repetition."""
        course = self._courses[match.match] = FollowedMatch(games.find(match.game))
        course.begin(match)

    def match_over(self, over: Over) -> None:
        """Forget the match."""
        self._courses.pop(over.match, None)
        self._stop = Stop()

    def move(self, turn: Turn) -> Reply:
        """Search the position and report the result."""
        game = games.find(turn.game)
        course = self._courses.setdefault(turn.match, FollowedMatch(game))
        position = course.arrive(turn)
        reply = self._search(turn, game, position, course.history, self._stop)
        course.follow(reply.move)
        return reply

    def stop(self, match: int) -> None:
        """End the search that runs."""
        running, self._stop = self._stop, Stop()
        running.set()

    def _search(self, turn: Turn, game: Game, position: Position, history: Sequence[int], stop: Stop) -> Reply:
        """Search the position of a turn; ``history``: as searchers take it."""
        raise NotImplementedError

    def _new_searcher(self, game: Game) -> AnySearcher:
        """Return a new searcher with the bot's settings."""
        raise NotImplementedError

    def _searcher(self, game: Game) -> AnySearcher:
        if game.name not in self._searchers:
            self._searchers[game.name] = self._new_searcher(game)
        return self._searchers[game.name]


def time_for(turn: Turn, most: float | None) -> tuple[float | None, float | None]:
    """Return the hard and the soft limit of time for a move, in seconds; ``most``: the bot's own limit."""
    if turn.clocks is None:
        return most, None
    allowed = pace(turn.clocks[turn.seat] / 1000, turn.increment / 1000, turn.moves_to_go)
    return allowed.hard if most is None else min(most, allowed.hard), allowed.soft
