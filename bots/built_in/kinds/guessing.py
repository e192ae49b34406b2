# SPDX-License-Identifier: GPL-3.0-or-later
"""Bots for rock-paper-scissors that predict the opponent's next choice, from the match and from its public games."""

import logging
import random
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from bots.bot import Bot, Expected, Match, Over, Reply, Turn
from bots.built_in.kinds import BuiltInBot, Enters, seed
from bots.built_in.library import GameLibrary, Library
from bots.built_in.opponents import seat_of
from bots.client.errors import ArenaError
from bots.modelling.guessing import ACTIONS, FrequencyModel, MarkovModel, MetaModel, Predictor, beating
from engine import games
from engine.games import rock_paper_scissors as rules
from engine.games.matrix.notation import rounds_of
from engine.match.record import Record

GAME = rules.GAMES[0].name

log = logging.getLogger(__name__)

FindLibrary = Callable[[str, str], Library | None]
"""Returns the games of the arena of an address, None without an arena; the token gives access."""


def find_library(arena: str, token: str) -> Library | None:
    """Return the games of an arena."""
    return GameLibrary(arena, token) if arena else None


class GuessingBot(Bot):
    """Plays the best answer to a prediction. It first learns the opponent's games, then each round of the match."""

    capacity = 16

    def __init__(self, settings: "Guessing", library: FindLibrary = find_library) -> None:
        self.name, self.description = settings.name, settings.description
        self._model, self._find_library = settings.model, library
        self._models: dict[int, tuple[Predictor, int]] = {}
        self._earlier: dict[int, list[tuple[int, int]]] = {}
        self.loading: list[threading.Thread] = []
        """The threads that load games."""

    def match_started(self, match: Match) -> None:
        """Begin to load the opponent's games."""
        other = match.players[1 - match.seat].name
        library = self._find_library(self.arena, self.token) if other else None
        if library is not None:
            arguments = library, match.match, match.game, other
            thread = threading.Thread(target=self._load, args=arguments, name="learning", daemon=True)
            self.loading = [*(each for each in self.loading if each.is_alive()), thread]
            thread.start()

    def match_over(self, over: Over) -> None:
        """Forget the match."""
        self._models.pop(over.match, None)
        self._earlier.pop(over.match, None)

    def move(self, turn: Turn) -> Reply:
        """Return the action with the best expected payoff; equal ones at random, by seed."""
        played = [
            (actions[turn.seat], actions[1 - turn.seat])
            for actions in rounds_of(games.find(turn.game).parse_position(turn.position))
        ]
        expected = self._learned(turn.match, played).predict()
        values = [expected[(action - 1) % ACTIONS] - expected[beating(action)] for action in range(ACTIONS)]
        best = [action for action, value in enumerate(values) if value > max(values) - 1e-9]
        chosen = random.Random(seed(turn.match, self.name, turn.ply)).choice(best)
        told = sorted(zip(rules.ACTIONS.words, expected, strict=True), key=lambda each: -each[1])
        return Reply(rules.ACTIONS.words[chosen], expected=[Expected(*each) for each in told])

    def _learned(self, match: int, played: Sequence[tuple[int, int]]) -> Predictor:
        """Return the model of a match, told of all rounds; anew once the opponent's games have arrived."""
        model, known = self._models.pop(match, (None, 0))
        earlier = self._earlier.pop(match, None)
        if model is None or earlier is not None or known > len(played):
            model, known = self._model(), 0
            for one in earlier or ():
                model.learn(*one)
        for one in played[known:]:
            model.learn(*one)
        self._models[match] = model, len(played)
        return model

    def _load(self, library: Library, match: int, game: str, name: str) -> None:
        try:
            if library.allowed(name):
                self._earlier[match] = list(rounds_of_games(library.newer(game, name), name))
        # without the games it plays by the match alone
        except (OSError, ArenaError, ValueError) as error:
            log.warning("the games of %s cannot be read: %s", name, error)


def rounds_of_games(records: Iterable[Record], name: str) -> Iterable[tuple[int, int]]:
    """Yield the rounds of a player's games: the action of its opponent, and its own.

    Raises KeyError for an unknown game and ValueError for an illegal move.
    """
    for record in records:
        seat = seat_of(record, name)
        if seat is not None:
            *_, last = record.positions()
            for actions in rounds_of(last.state):
                yield actions[1 - seat], actions[seat]


@dataclass(frozen=True, slots=True)
class Guessing(BuiltInBot):
    """A bot with an opponent model."""

    enters: ClassVar[Enters] = Enters.LAST
    usual: ClassVar[bool] = False

    model: Callable[[], Predictor]

    def make(self) -> Bot:
        """Return a new player."""
        bot = GuessingBot(self)
        bot.games = (GAME,)
        return bot

    def plays(self, game: str) -> bool:
        """Return whether a game is rock-paper-scissors."""
        return game == GAME


BOTS = (
    Guessing("frequency", "Beats the action that the opponent chose most often of late.", FrequencyModel),
    Guessing("markov", "Predicts the opponent's action from the last rounds, with a Markov model.", MarkovModel),
    Guessing(
        "iocaine",
        "Uses several predictors, some of which assume that the opponent predicts too, and plays the answer of the "
        "one with the best score so far.",
        MetaModel,
    ),
)
