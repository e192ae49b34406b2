# SPDX-License-Identifier: GPL-3.0-or-later
"""Opponent models of an adaptive bot: loads players' public games and learns from them in the background.

The cost is bounded: a model uses a player's newest MOST games, and is learned again when their number has grown by the
factor AGAIN; one thread loads and learns one player after the other; the number of models is limited.
"""

import logging
import threading
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from bots.built_in.library import MOST, Library, is_person
from bots.client.errors import ArenaError
from bots.modelling.accuracy import held_out
from bots.modelling.model import Model, Predictions
from bots.modelling.opponent_types import Choice, OpponentType, Types
from bots.modelling.patterns import templates_of
from bots.modelling.prior import MovePrior
from bots.modelling.replay import Ply, Replay, replay
from bots.modelling.sources import PlayerName
from bots.modelling.view import model_view
from engine.game import CHANCE, Game, Position
from engine.match.record import PlayedMove, Record
from engine.search.opponent import OpponentModel, with_priors

ENOUGH = 10
"""Number of games from which on probabilities are calibrated and player types inferred."""


log = logging.getLogger(__name__)

AGAIN = 1.25
"""A model is learned again when the number of games has grown by this factor; replaced games count as new ones."""

KEPT_OPPONENTS = 32
"""Maximum number of models, one per player and game; the least recently met player is dropped first."""

LEAD = 400.0
"""Elo difference from which the contempt for a draw, and the trust in a model, are full."""

AVERSION = 0.5
"""Largest contempt, in pawn units: the stronger player avoids a draw, the weaker player seeks it."""


class LearnedModel:
    """Immutable after learning from two games or more; safe to use from any thread."""

    def __init__(self, game: Game, games: Sequence[Replay], *, enough: int = ENOUGH) -> None:
        """``games`` are those of one player, in the order in which they were played."""
        self._prior = MovePrior(game, _strongest(game))
        for one in games:
            self._prior.add(one)
        self.foresight: OpponentModel = self._prior.foresight()
        """The model for the search."""
        self.model: Model | None = None
        """The opponent model; None in games without templates."""
        self._types: Types | None = None
        self._asking = threading.Lock()
        calibrates = len(games) >= enough
        choices: list[Choice] = []
        try:
            templates_of(game.name)
        except ValueError:
            if calibrates:
                choices = self._choices(games[-(len(games) // 2) :])
        else:
            self.model = Model(game, PlayerName("*"))
            for one in games:
                self.model.add(one)
            if calibrates:
                choices = _calibrated(self.model, games)
        if calibrates and not game.chance:
            self._types = Types(game, _judges(game))
            self._types.learn(choices)
        self._prior.forget()

    @property
    def types(self) -> tuple[OpponentType, ...]:
        """The player's likely types; empty if unknown."""
        return () if self._types is None else self._types.selected

    def expect(self, position: Position, recent: Sequence[Ply]) -> Predictions:
        """Return each answer with the probability that it is given, the most likely first."""
        with self._asking:
            straight = self._straight(position, recent)
            if self._types is None or not self._types.selected:
                return straight
            probabilities = dict(straight)
            found = self._types.probabilities(position, np.array([probabilities[move] for move in position.moves]))
        order = np.argsort(-found, kind="stable")
        return [(position.moves[place], float(found[place])) for place in order]

    def _straight(self, position: Position, recent: Sequence[Ply]) -> Predictions:
        """Return the expected moves, averaged over the player's types."""
        if self.model is not None:
            return self.model.predict(position, recent)
        return self._prior.predict(self.foresight, position, recent)

    def _choices(self, games: Sequence[Replay]) -> list[Choice]:
        """Return the player's choices in games, with the probabilities from frequencies."""
        found = []
        for turn in (turn for game in games for turn in game.turns()):
            probabilities = dict(self._straight(turn.position, turn.past))
            if len(probabilities) > 1:
                found.append(
                    Choice(turn.position, np.array([probabilities[one] for one in turn.position.moves]), turn.chosen)
                )
        return found


def practise(game: Game) -> OpponentModel:
    """Compile the functions for learning a game's players and for predictions; return the model for a search."""
    position = game.look(game.start())
    while position.to_move == CHANCE:  # the first roll, or a whole deal
        position = game.play(position, position.moves[0])
    positions, moves = [position], list[int]()
    while not position.over and len(moves) < 12:
        moves.append(position.moves[0])
        position = game.play(position, moves[-1])
        positions.append(position)
    texts = tuple(game.format_move(at.state, move) for at, move in zip(positions, moves, strict=False))
    games = [Replay(0, 0.5, True, tuple(positions), tuple(moves), texts)] * 3
    knowledge = LearnedModel(game, games, enough=0)
    if not game.chance:
        Types(game, _judges(game)).practise()
    here = positions[0]
    return with_priors(knowledge.foresight, [(here.key, knowledge.expect(here, ()))])


def _calibrated(model: Model, games: Sequence[Replay]) -> list[Choice]:
    """Calibrate a model; return the player's choices in later games, with the probabilities from earlier ones."""
    lessons = model.lessons(games)
    calibration = model.calibrate_on_lessons(lessons)
    return [
        Choice(seen.turn.position, calibration.probabilities(model.columns(seen.view)), seen.turn.chosen)
        for seen in lessons.onward
    ]


def _judges(game: Game) -> list[str]:
    """Return the evaluations that opponent types may use: the simplest and the strongest."""
    plainest = next(iter(game.evaluations), None)
    return [name for name in dict.fromkeys((plainest, _strongest(game))) if name is not None]


def _strongest(game: Game) -> str | None:
    return next((name for name in ("tuned", "lecture") if name in game.evaluations), None)


class KnownOpponent:
    """The model of one player of a game. Learning replaces the parts that other threads read as a whole."""

    def __init__(self, game: Game, name: str) -> None:
        self.game = game
        self.name = name
        self.games = 0
        """Number of games read so far; the model uses the newest MOST."""
        self.draw = 0.0
        """The value of a draw against the player, in pawns."""
        self.trust = 1.0
        """Weight of the opponent model in a search: full for a player that is weaker by LEAD, 0 for equals."""
        self.shown: Model | None = None
        """The model that was published to the arena."""
        self.accuracy: dict[str, Any] | None = None
        """The accuracy of predictions of a person's newest games, as it is published."""
        self._knowledge: LearnedModel | None = None
        self._records: deque[Record] = deque(maxlen=MOST)
        self._fresh = 0
        """Number of games that were added since the model was learned, including games that newer ones replaced."""

    @property
    def foresight(self) -> OpponentModel | None:
        """The model for the search; None for strangers."""
        return None if self._knowledge is None else self._knowledge.foresight

    @property
    def model(self) -> Model | None:
        """The opponent model; None for strangers, and in games without templates."""
        return None if self._knowledge is None else self._knowledge.model

    @property
    def types(self) -> tuple[OpponentType, ...]:
        """The player's likely types; empty if unknown."""
        return () if self._knowledge is None else self._knowledge.types

    def learn(self, records: Iterable[Record]) -> None:
        """Take in more games, in the order in which they were played, and learn when they are enough.

        Those that are not the player's, or against the rules, are left out.
        """
        for record in records:
            if record.game == self.game.name and seat_of(record, self.name) is not None:
                self._records.append(_bare(record))
                self._fresh += 1
        if not self._fresh or self._fresh < (AGAIN - 1) * len(self._records):
            return
        self._fresh = 0
        kept, games = [], []
        for record in self._records:
            try:
                games.append(replay(self.game, record, seat_of(record, self.name) or 0))
                kept.append(record)
            except ValueError as error:
                log.warning("a game of %s is against the rules: %s", self.name, error)
        self._records = deque(kept, MOST)
        if len(games) >= 2:
            self._knowledge = LearnedModel(self.game, games)
            if self.model is not None and is_person(self.name):
                self.accuracy = held_out(self.game, games)
        self.games = len(games)

    def continue_from(self, earlier: "KnownOpponent") -> None:
        """Take over what an earlier object for the same player learned."""
        self.games, self.shown, self.accuracy = earlier.games, earlier.shown, earlier.accuracy
        self._knowledge, self._records, self._fresh = earlier._knowledge, earlier._records, earlier._fresh

    def expect(self, position: Position, recent: Sequence[Ply]) -> Predictions:
        """Return each answer with the probability that it is given, the most likely first; none by a stranger."""
        knowledge = self._knowledge
        return [] if knowledge is None else knowledge.expect(position, recent)


class KnownOpponents:
    """The players of a library's games, by game and name."""

    def __init__(self, library: Library | None, *, waits: bool = False) -> None:
        """``waits``: ``meet`` returns only after it has read and learned all available games."""
        self._library = library
        self._waits = waits
        self._known: dict[tuple[str, str], KnownOpponent] = {}
        """In order of use: the last entry is the most recent opponent."""
        self._due: dict[tuple[str, str], str] = {}
        """The players to load, each with its name in the arena."""
        self._earlier: dict[tuple[str, str], KnownOpponent] = {}
        """Models of people from their matches before."""
        self._lock = threading.Lock()
        self._reading = threading.Lock()

    def meet(self, game: Game, name: str, own: str) -> KnownOpponent:
        """Return the model of a player, and load its further games in the background; ``own``: the name of the asking
        bot.
        """
        key = game.name, name
        with self._lock:
            met = self._known.pop(key, None)
            if met is None or is_person(name):
                # a person may have withdrawn the permission: the model of an earlier match is used only after that is
                # checked
                if met is not None and key not in self._due:
                    self._earlier[key] = met
                met = KnownOpponent(game, name)
            self._known[key] = met
            reads = self._library is not None and key not in self._due
            rests = not self._due
            if reads:
                self._due[key] = own
            self._forget()
        if not reads:
            return met
        if self._waits:
            self._read_all()
        elif rests:
            threading.Thread(target=self._read_all, name="learning", daemon=True).start()
        return met

    def _forget(self) -> None:
        """Forget the least recent opponent."""
        spare = [key for key in self._known if key not in self._due]
        for key in spare[: max(0, len(self._known) - KEPT_OPPONENTS)]:
            del self._known[key]
            if self._library is not None:
                self._library.forget(*key)

    def _read_all(self) -> None:
        """Load and learn the players that are due, one after the other."""
        with self._reading:
            while True:
                with self._lock:
                    if not self._due:
                        return
                    key, own = next(iter(self._due.items()))
                    met = self._known[key]
                self._read(met, own)
                with self._lock:
                    del self._due[key]

    def _read(self, met: KnownOpponent, own: str) -> None:
        assert self._library is not None, "there is something to read"
        try:
            if not self._library.allowed(met.name):
                with self._lock:
                    self._earlier.pop((met.game.name, met.name), None)
                self._library.forget(met.game.name, met.name)
                return
            with self._lock:
                earlier = self._earlier.pop((met.game.name, met.name), None)
            if earlier is not None:
                met.continue_from(earlier)
            met.learn(self._library.newer(met.game.name, met.name))
            lead = self._library.lead(met.game.name, own, met.name)
            met.draw = -AVERSION * max(-1.0, min(1.0, lead / LEAD))
            # a player of equal strength sees tactics that this bot misses: an apparent mistake may be none
            met.trust = max(0.0, min(1.0, lead / LEAD))
            # a person may have deleted the published model, and allowed another
            if met.model is not None and (met.model is not met.shown or is_person(met.name)):
                self._library.tell({**model_view(met.model, met.name), "held_out": met.accuracy})
                met.shown = met.model
        # if loading fails, the bot continues with its present model
        except (OSError, ArenaError) as error:
            log.warning("the games of %s cannot be read: %s", met.name, error)
        except Exception:
            log.exception("the games of %s cannot be learned", met.name)


def seat_of(record: Record, name: str) -> int | None:
    """Return where a player sat; None where on no seat or on both."""
    first, second = (player.name == name for player in record.players)
    return None if first == second else int(second)


def _bare(record: Record) -> Record:
    """Return a game's model without its largest parts."""
    return Record(
        game=record.game,
        players=record.players,
        result=record.result,
        start=record.start,
        opening=record.opening,
        moves=tuple(PlayedMove(played.move) for played in record.moves),
    )
