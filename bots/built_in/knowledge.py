# SPDX-License-Identifier: GPL-3.0-or-later
"""The knowledge from a player's games: the opponent model, and the model's form for a search."""

import threading
from collections.abc import Sequence

import numpy as np

from bots.modelling.model import Model, Predictions
from bots.modelling.opponent_types import Choice, OpponentType, Types
from bots.modelling.patterns import templates_of
from bots.modelling.prior import MovePrior
from bots.modelling.replay import Ply, Replay
from bots.modelling.sources import PlayerName
from engine.game import CHANCE, Game, Position
from engine.search.foresight import Foresight, told

ENOUGH = 10
"""Number of games from which on probabilities are calibrated and player types inferred."""


class Knowledge:
    """Immutable after learning from two games or more; safe to use from any thread."""

    def __init__(self, game: Game, games: Sequence[Replay], *, enough: int = ENOUGH) -> None:
        """``games`` are those of one player, in the order in which they were played."""
        self._prior = MovePrior(game, _strongest(game))
        for one in games:
            self._prior.add(one)
        self.foresight: Foresight = self._prior.foresight()
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


def practise(game: Game) -> Foresight:
    """Compile the functions for learning a game's players and for predictions; return the model for a search."""
    position = game.look(game.start())
    positions, moves = [position], list[int]()
    while not position.over and len(moves) < 12:
        moves.append(position.moves[0])
        position = game.play(position, moves[-1])
        positions.append(position)
    texts = tuple(game.format_move(at.state, move) for at, move in zip(positions, moves, strict=False))
    games = [Replay(0, 0.5, True, tuple(positions), tuple(moves), texts)] * 3
    knowledge = Knowledge(game, games, enough=0)
    if not game.chance:
        Types(game, _judges(game)).practise()
    # dice may come first
    here = next(each for each in positions if each.to_move != CHANCE)
    return told(knowledge.foresight, [(here.key, knowledge.expect(here, ()))])


def _calibrated(model: Model, games: Sequence[Replay]) -> list[Choice]:
    """Calibrate a model; return the player's choices in later games, with the probabilities from earlier ones."""
    lessons = model.lessons(games)
    calibration = model.calibrate_on_lessons(lessons)
    return [
        Choice(seen.turn.position, calibration.probabilities(model.columns(seen.view)), seen.turn.chosen)
        for seen in lessons.onward
    ]


def _judges(game: Game) -> list[str]:
    """Return the evaluations by which somebody may play: the plainest and the best."""
    plainest = next(iter(game.evaluations), None)
    return [name for name in dict.fromkeys((plainest, _strongest(game))) if name is not None]


def _strongest(game: Game) -> str | None:
    return next((name for name in ("house", "lecture") if name in game.evaluations), None)
