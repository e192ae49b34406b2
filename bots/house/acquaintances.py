# SPDX-License-Identifier: GPL-3.0-or-later
"""Whom an adaptive bot knows: players of an arena, by their public games, which are read and learned beside play."""

import logging
import threading
from collections.abc import Iterable, Sequence

import numpy as np

from bots.house.library import Library
from bots.modelling.leanings import Leanings
from bots.modelling.model import Model, Predictions
from bots.modelling.opponent_types import Choice, OpponentType, Types
from bots.modelling.players import Who
from bots.modelling.portrait import portrait
from bots.modelling.replay import Ply, Replay, replay
from bots.modelling.templates import templates_of
from engine.game import Game, Position
from engine.record import Record
from engine.search.foresight import Foresight

log = logging.getLogger(__name__)

ENOUGH = 10
"""Games from which on beliefs are calibrated,"""
AGAIN = 1.25
"""and again when there are so many times as many."""

LEAD = 400.0
"""A player that is stronger by so many points of Elo gives"""
AVERSION = 0.5
"""so many men not to draw; the weaker one as much to draw."""


class Acquaintance:
    """What is known of one player of a game. What others read of it is replaced as a whole when it is learned."""

    def __init__(self, game: Game, name: str) -> None:
        self.game = game
        self.name = name
        self.games = 0
        """Learned so far."""
        self.foresight: Foresight | None = None
        """What a search is told of it."""
        self.model: Model | None = None
        """What it is believed to do; None for strangers, and in games that have no templates."""
        self.draw = 0.0
        """What a draw with it is worth, in men."""
        self.trust = 1.0
        """How much of what is believed of it counts in a search: all where it is weaker by LEAD, nothing of equals."""
        self._leanings = Leanings(game, _strongest(game))
        self._replays: list[Replay] = []
        self._calibrated = 0
        self._types: Types | None = None
        self._asking = threading.Lock()

    @property
    def types(self) -> tuple[OpponentType, ...]:
        """Of which types it is taken to be; none where that tells nothing."""
        return () if self._types is None else self._types.heeded

    def learn(self, records: Iterable[Record]) -> None:
        """Learn more games, in the order in which they were played; those that are not the player's are left out."""
        fresh = []
        for record in records:
            seat = seat_of(record, self.name)
            if record.game != self.game.name or seat is None:
                continue
            try:
                fresh.append(replay(self.game, record, seat))
            except ValueError as error:
                log.warning("a game of %s is against the rules: %s", self.name, error)
        if not fresh:
            return
        for one in fresh:
            self._leanings.add(one)
        self._replays += fresh
        if len(self._replays) >= 2:
            self.foresight = self._leanings.foresight()
        self._study()
        self.games = len(self._replays)

    def expect(self, position: Position, recent: Sequence[Ply]) -> Predictions:
        """Return each answer with the probability that it is given, the most likely first; none by a stranger."""
        with self._asking:
            straight = self._straight(self.model, position, recent)
            types = self._types
            if types is None or not types.heeded or not straight:
                return straight
            beliefs = dict(straight)
            found = types.believe(position, np.array([beliefs[move] for move in position.moves]))
        order = np.argsort(-found, kind="stable")
        return [(position.moves[place], float(found[place])) for place in order]

    def _straight(self, model: Model | None, position: Position, recent: Sequence[Ply]) -> Predictions:
        """Return what is expected whatever type the player is of."""
        if model is not None:
            return model.predict(position, recent)
        if self.foresight is None:
            return []
        return self._leanings.predict(self.foresight, position, recent)

    def practise(self) -> None:
        """Compile what learning needs."""
        game = self.game
        position = game.look(game.start())
        positions, moves = [position], list[int]()
        while not position.over and len(moves) < 12:
            moves.append(position.moves[0])
            position = game.play(position, moves[-1])
            positions.append(position)
        texts = tuple(game.format_move(at.state, move) for at, move in zip(positions, moves, strict=False))
        self._replays = [Replay(0, 0.5, True, tuple(positions), tuple(moves), texts)] * 3
        for one in self._replays:
            self._leanings.add(one)
        self._leanings.foresight()
        self._calibrated = -ENOUGH
        self.foresight = self._leanings.foresight()
        self._study()
        self.expect(positions[0], ())
        if not game.chance:
            Types(game, _judges(game)).practise()

    def _study(self) -> None:
        """Replace the model by one that knows all games, which does not disturb who reads the old one."""
        games = self._replays
        due = len(games) >= max(ENOUGH, AGAIN * self._calibrated) or self._calibrated < 0
        model = None
        choices: list[Choice] = []
        try:
            templates_of(self.game.name)
        except ValueError:
            if due:
                choices = self._choices(games[-(len(games) // 2) :])
        else:
            model = Model(self.game, Who("*"))
            for one in games:
                model.add(one)
            if due:
                lessons = model.lessons(games)
                weighing = model.calibrate_on_lessons(lessons)
                choices = [
                    Choice(seen.turn.position, weighing.beliefs(model.columns(seen.view)), seen.turn.chosen)
                    for seen in lessons.onward
                ]
            elif self.model is not None:
                model.weighing = self.model.weighing
        if due and not self.game.chance:
            types = Types(self.game, _judges(self.game))
            types.learn(choices)
            self._types = types
        if due:
            self._calibrated = len(games)
        self.model = model

    def _choices(self, games: Sequence[Replay]) -> list[Choice]:
        """Return what the player chose in games, and what frequencies believed."""
        found = []
        for turn in (turn for game in games for turn in game.turns()):
            beliefs = dict(self._straight(None, turn.position, turn.past))
            if len(beliefs) > 1:
                found.append(
                    Choice(turn.position, np.array([beliefs[one] for one in turn.position.moves]), turn.chosen)
                )
        return found


class Acquaintances:
    """The players of a library's games, by game and name."""

    def __init__(self, library: Library | None, *, waits: bool = False) -> None:
        """``waits``: play begins only when all is learned that there is to read."""
        self._library = library
        self._waits = waits
        self._known: dict[tuple[str, str], Acquaintance] = {}
        self._busy: set[tuple[str, str]] = set()
        self._lock = threading.Lock()

    def meet(self, game: Game, name: str, own: str) -> Acquaintance:
        """Return what is known of a player, and read on in its games beside; ``own``: the name of who meets it."""
        key = game.name, name
        with self._lock:
            met = self._known.setdefault(key, Acquaintance(game, name))
            if self._library is None or key in self._busy:
                return met
            self._busy.add(key)
        if self._waits:
            self._read(met, own)
        else:
            threading.Thread(target=self._read, args=(met, own), name=f"learning {name}", daemon=True).start()
        return met

    def _read(self, met: Acquaintance, own: str) -> None:
        assert self._library is not None, "there is something to read"
        try:
            fresh = self._library.newer(met.game.name, met.name)
            met.learn(fresh)
            if fresh and met.model is not None:
                self._library.tell(portrait(met.model, met.name))
            lead = self._library.lead(met.game.name, own, met.name)
            met.draw = -AVERSION * max(-1.0, min(1.0, lead / LEAD))
            # who is as strong as oneself sees what one does not see: what looks like a mistake may be none
            met.trust = max(0.0, min(1.0, lead / LEAD))
        except Exception:
            # who cannot read plays on as against a stranger
            log.exception("the games of %s cannot be learned", met.name)
        finally:
            with self._lock:
                self._busy.discard((met.game.name, met.name))


def seat_of(record: Record, name: str) -> int | None:
    """Return where a player sat; None where on no seat or on both."""
    first, second = (player.name == name for player in record.players)
    return None if first == second else int(second)


def _judges(game: Game) -> list[str]:
    """Return the evaluations by which somebody may play: the plainest and the best."""
    plainest = next(iter(game.evaluations), None)
    return [name for name in dict.fromkeys((plainest, _strongest(game))) if name is not None]


def _strongest(game: Game) -> str | None:
    return next((name for name in ("house", "lecture") if name in game.evaluations), None)
