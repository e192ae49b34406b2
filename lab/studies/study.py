# SPDX-License-Identifier: GPL-3.0-or-later
"""The study of a model: what it says of games that it never saw, beside what simpler readings of the games say.

A model learns from the earlier games and is tested on later events. For every turn of the player it is noted which move
was predicted by chunks and with what raw belief, what probability each calibrated reading gave to the move that was
played, and the same of baselines, whose one move gets the probability at which it was right in the training games, the
rest spread evenly. What is fitted is fitted to training games alone, each seen by a model that has not learned it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from arena.rating.difference import wilson
from bots.modelling import features
from bots.modelling.logit import Floats
from bots.modelling.model import Model, Seen, View
from bots.modelling.players import Who
from bots.modelling.replay import Replay, Turn
from engine.game import Game
from lab.studies.baselines import BASELINES, SEARCH, Oracle
from lab.studies.scoring import Bin, Difference, bins, calibration_error, paired

BOTH, FULL, BLEND = "both", "calibrated", "blend"
"""Readings: chunks of both kinds; with what moves do and frequencies, which is what ``Model.predict`` says; with a
search."""

READINGS: dict[str, frozenset[str]] = {
    features.TEXT: frozenset({features.TEXT}),
    features.VISUAL: frozenset({features.VISUAL}),
    BOTH: frozenset({features.TEXT, features.VISUAL}),
    "rules": frozenset({features.MOVE, features.HABIT}),
    FULL: frozenset({features.TEXT, features.VISUAL, features.MOVE, features.HABIT}),
    BLEND: frozenset({features.TEXT, features.VISUAL, features.MOVE, features.HABIT, features.SEARCH}),
}
"""The groups of columns that each reading weighs."""

FITTED = 3_000
"""Turns of training games that weights are fitted to, at most."""

RATED = 500
"""Turns of them that a baseline's share of hits is counted in, at most."""

TENTHS = tuple(step / 10 for step in range(11))

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Scores:
    """How one reading did on some positions."""

    positions: int
    predictions: int
    bins: list[Bin]
    """Of raw beliefs."""
    hits: int
    """Positions in which the most probable move was played."""
    calibration_error: float
    log_loss: float
    """In nats: the mean of -ln of the probability of the move that was played."""
    reliability: list[Bin]
    """Of the calibrated beliefs in the most probable moves, in ten steps."""

    @property
    def coverage(self) -> float:
        """The share of positions with a prediction."""
        return self.predictions / self.positions if self.positions else 0.0

    @property
    def match(self) -> float:
        """The share of hits."""
        return self.hits / self.positions if self.positions else 0.0

    @property
    def match_wilson(self) -> tuple[float, float]:
        """Its 95 % interval."""
        return wilson(self.hits, self.positions)


@dataclass(frozen=True, slots=True)
class Rival:
    """How a baseline did on the same positions, and how much less the model lost."""

    hit: float
    log_loss: float
    difference: Difference


@dataclass(frozen=True, slots=True)
class Part:
    """Some of the positions: readings and baselines by name."""

    readings: dict[str, Scores]
    baselines: dict[str, Rival]


@dataclass(frozen=True, slots=True)
class Report:
    """What became of learning from so many games."""

    train: int
    test: int
    whole: Part
    after_opening: Part


@dataclass
class _Column:
    """What is noted of each position by one reading: whether it hit, its belief, and what it lost."""

    hits: list[bool] = field(default_factory=list)
    beliefs: list[float] = field(default_factory=list)
    losses: list[float] = field(default_factory=list)
    raw: list[float] = field(default_factory=list)
    """The raw belief in the prediction; 0 without one."""
    raw_hits: list[bool] = field(default_factory=list)


def study(
    game: Game,
    who: Who,
    train: Sequence[Replay],
    test: Sequence[Replay],
    oracle: Oracle,
    on_turn: Progress = lambda count: None,
) -> Report:
    """Learn from the one, and be tested on the others."""
    model = Model(game, who)
    for played in train:
        model.add(played)
    lessons = model.lessons(train, FITTED)

    def matrix(seen: Seen) -> Floats:
        on_turn(1)
        return _columns(model, seen.view, seen.turn, oracle)

    fitted = lessons.weigher(matrix)
    weighings = {
        name: fitted(features.chosen(model.templates, wanted.__contains__))
        for name, wanted in READINGS.items()
        if oracle.blends or name != BLEND
    }
    baselines = {name: choose for name, choose in BASELINES.items() if oracle.searches or name != SEARCH}
    rated = lessons.crossed[:: -(-len(lessons.crossed) // RATED)]
    rates = {name: _rate(choose, rated, oracle) for name, choose in baselines.items()}
    columns = {name: _Column() for name in (*weighings, *baselines)}
    games: list[int] = []
    inside: list[bool] = []
    for number, played in enumerate(test):
        for turn in played.turns():
            if len(turn.position.moves) < 2:
                continue
            view = model.view(turn.position, turn.past)
            rows = _columns(model, view, turn, oracle)
            for name, weighing in weighings.items():
                _note_reading(columns[name], name, view, weighing.beliefs(rows), turn.chosen)
            for name, choose in baselines.items():
                _note_baseline(columns[name], choose(view, turn, oracle), rates[name], len(view.texts), turn.chosen)
            games.append(number)
            inside.append(view.node is not None)
            on_turn(1)
    everything = np.ones(len(games), bool)
    outside = ~np.array(inside, bool)
    whole, after = (_part(columns, set(weighings), np.array(games), which) for which in (everything, outside))
    return Report(len(train), len(test), whole, after)


def _columns(model: Model, view: View, turn: Turn, oracle: Oracle) -> Floats:
    values, choice = oracle.judged(turn)
    return model.columns(view, values, choice)


def _rate(choose: Callable[[View, Turn, Oracle], int], lessons: Sequence[Seen], oracle: Oracle) -> float:
    """Return how often a baseline is right where it chooses, in the training games."""
    hit, count = 1, 2
    for view, turn, _ in lessons:
        choice = choose(view, turn, oracle)
        if choice >= 0:
            count += 1
            hit += choice == turn.chosen
    return hit / count


def _note_reading(column: _Column, name: str, view: View, beliefs: Floats, chosen: int) -> None:
    best = int(beliefs.argmax())
    column.hits.append(best == chosen)
    column.beliefs.append(float(beliefs[best]))
    column.losses.append(-float(np.log(max(beliefs[chosen], 1e-300))))
    raw = view.raw(text=name != features.VISUAL, visual=name != features.TEXT)
    predicted = int(raw.argmax())
    column.raw.append(float(raw[predicted]))
    column.raw_hits.append(predicted == chosen)


def _note_baseline(column: _Column, choice: int, rate: float, count: int, chosen: int) -> None:
    probability = 1 / count
    if choice >= 0:
        probability = rate if choice == chosen else (1 - rate) / (count - 1)
    column.hits.append(choice == chosen)
    column.losses.append(-float(np.log(probability)))


def _part(columns: dict[str, _Column], readings: set[str], games: NDArray[np.int64], which: NDArray[np.bool_]) -> Part:
    scores, rivals = {}, {}
    best = np.array(columns[FULL].losses)[which]
    for name, column in columns.items():
        hits, losses = np.array(column.hits, bool)[which], np.array(column.losses)[which]
        if name in readings:
            raw, beliefs = np.array(column.raw)[which], np.array(column.beliefs)[which]
            predicted = raw > 0
            scores[name] = Scores(
                len(hits),
                int(predicted.sum()),
                bins(raw[predicted], np.array(column.raw_hits, bool)[which][predicted]),
                int(hits.sum()),
                calibration_error(beliefs, hits),
                float(losses.mean()) if len(losses) else 0.0,
                bins(beliefs, hits, TENTHS),
            )
        elif len(losses):
            rivals[name] = Rival(float(hits.mean()), float(losses.mean()), paired(best, losses, games[which]))
    return Part(scores, rivals)
