# SPDX-License-Identifier: GPL-3.0-or-later
"""The study of a model: its predictions of unseen games, beside the predictions of simpler methods.

A model learns from earlier games and is tested on later events; an event is never split between the two. For every turn
of the player the study records the move that chunks predict and its raw belief, the probability that each calibrated
reading gives to the played move, and the same of baselines. A baseline's one move gets the probability at which it was
right in the training games, and the other moves share the rest. Everything is fitted to training games alone, each seen
by a model that has not learned it.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.rating.difference import wilson
from bots.modelling import features
from bots.modelling.logit import Floats
from bots.modelling.model import Model, Seen, View
from bots.modelling.replay import Replay, Turn
from bots.modelling.sources import PlayerName
from engine.game import Game
from engine.match.record import Record
from lab.studies.baselines import BASELINES, SEARCH, Oracle
from lab.studies.scoring import Bin, Difference, bins, calibration_error, paired

_YEAR = re.compile(r"\b(1[5-9]\d\d|20\d\d)\b")


class Split(NamedTuple):
    """Training games, oldest first, and later test games of other events."""

    train: list[Record]
    test: list[Record]


def year(record: Record) -> int | None:
    """Return the year of a game, by its date or else by the name of its event; None where neither tells."""
    for text in (record.started or "", record.event):
        if found := _YEAR.search(text):
            return int(found[1])
    return None


def in_order(records: Sequence[Record]) -> list[list[Record]]:
    """Return the events in order, each with its games in the order of the file.

    An event is where and when games of one name were played; those without a name are of one event a year. A game
    without a year has that of the game before it in the file.
    """
    events: dict[tuple[int, str, str], list[Record]] = {}
    known = 0
    for record in records:
        known = year(record) or known
        events.setdefault((known, record.event, record.site), []).append(record)
    return [games for _, games in sorted(events.items(), key=lambda one: one[0][0])]


def split(records: Sequence[Record], train: int, test: int, sizes: Sequence[int] = ()) -> Split:
    """Return the ``train`` games before a boundary between events, and the ``test`` games after it.

    The boundary leaves enough games before it for all of ``sizes`` and ``train``, so that samples of all these sizes
    are tested on the same games. Raises ValueError when there are not enough.
    """
    ordered = in_order(records)
    most = max([train, *sizes])
    before: list[Record] = []
    while ordered and len(before) < most:
        before += ordered.pop(0)
    after = [record for event in ordered for record in event]
    if len(before) < most or not after:
        raise ValueError(f"{len(records):,} games are too few to learn from {most:,} and be tested on later events")
    return Split(before[-train:], after[:test])


BOTH, FULL, BLEND = "both", "calibrated", "blend"
"""Readings: both kinds of chunks; with properties of moves and frequencies, as ``Model.predict`` uses them; with a
search."""

READINGS: dict[str, frozenset[str]] = {
    features.TEXT: frozenset({features.TEXT}),
    features.VISUAL: frozenset({features.VISUAL}),
    BOTH: frozenset({features.TEXT, features.VISUAL}),
    "rules": frozenset({features.MOVE, features.FREQUENCY}),
    FULL: frozenset({features.TEXT, features.VISUAL, features.MOVE, features.FREQUENCY}),
    BLEND: frozenset({features.TEXT, features.VISUAL, features.MOVE, features.FREQUENCY, features.SEARCH}),
}
"""The groups of columns of each reading."""

FITTED = 3_000
"""Turns of training games that weights are fitted to, at most."""

RATED = 500
"""Turns of them that a baseline's share of hits is counted in, at most."""

TENTHS = tuple(step / 10 for step in range(11))

OnTurn = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of one reading on some positions."""

    positions: int
    predictions: int
    bins: list[Bin]
    """Of raw probabilities."""
    hits: int
    """Positions in which the most probable move was played."""
    calibration_error: float
    log_loss: float
    """In nats: the mean of -ln of the probability of the move that was played."""
    reliability: list[Bin]
    """Of the probabilities of the most probable moves, in ten steps."""

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
    """The scores of a baseline on the same positions, and the difference from the model's loss."""

    hit: float
    log_loss: float
    difference: Difference


@dataclass(frozen=True, slots=True)
class PositionSubset:
    """Some of the positions: readings and baselines by name."""

    readings: dict[str, Scores]
    baselines: dict[str, Rival]


@dataclass(frozen=True, slots=True)
class StudyResult:
    """The result of learning from a number of games."""

    train: int
    test: int
    whole: PositionSubset
    after_opening: PositionSubset


@dataclass
class _Column:
    """Per position, for one reading: hit, probability, and loss."""

    hits: list[bool] = field(default_factory=list)
    probabilities: list[float] = field(default_factory=list)
    losses: list[float] = field(default_factory=list)
    raw: list[float] = field(default_factory=list)
    """The raw belief of the prediction; 0 without one."""
    raw_hits: list[bool] = field(default_factory=list)


def study(
    game: Game,
    player: PlayerName,
    train: Sequence[Replay],
    test: Sequence[Replay],
    oracle: Oracle,
    on_turn: OnTurn = lambda count: None,
) -> StudyResult:
    """Learn from the training games, and score predictions of the test games."""
    model = Model(game, player)
    for played in train:
        model.add(played)
    lessons = model.lessons(train, FITTED)

    def matrix(seen: Seen) -> Floats:
        on_turn(1)
        return _columns(model, seen.view, seen.turn, oracle)

    fitted = lessons.fitter(matrix)
    calibrations = {
        name: fitted(features.chosen(model.templates, wanted.__contains__))
        for name, wanted in READINGS.items()
        if oracle.blends or name != BLEND
    }
    baselines = {name: choose for name, choose in BASELINES.items() if oracle.searches or name != SEARCH}
    rated = lessons.crossed[:: -(-len(lessons.crossed) // RATED)]
    rates = {name: _rate(choose, rated, oracle) for name, choose in baselines.items()}
    columns = {name: _Column() for name in (*calibrations, *baselines)}
    games: list[int] = []
    inside: list[bool] = []
    for number, played in enumerate(test):
        for turn in played.turns():
            if len(turn.position.moves) < 2:
                continue
            view = model.view(turn.position, turn.past)
            rows = _columns(model, view, turn, oracle)
            for name, calibration in calibrations.items():
                _note_reading(columns[name], name, view, calibration.probabilities(rows), turn.chosen)
            for name, choose in baselines.items():
                _note_baseline(columns[name], choose(view, turn, oracle), rates[name], len(view.texts), turn.chosen)
            games.append(number)
            inside.append(view.node is not None)
            on_turn(1)
    everything = np.ones(len(games), bool)
    outside = ~np.array(inside, bool)
    whole, after = (_part(columns, set(calibrations), np.array(games), which) for which in (everything, outside))
    return StudyResult(len(train), len(test), whole, after)


def _columns(model: Model, view: View, turn: Turn, oracle: Oracle) -> Floats:
    values, choice = oracle.judged(turn)
    return model.columns(view, values, choice)


def _rate(choose: Callable[[View, Turn, Oracle], int], lessons: Sequence[Seen], oracle: Oracle) -> float:
    """Return a baseline's rate of hits, where it chooses a move, in the training games."""
    hit, count = 1, 2
    for view, turn, _ in lessons:
        choice = choose(view, turn, oracle)
        if choice >= 0:
            count += 1
            hit += choice == turn.chosen
    return hit / count


def _note_reading(column: _Column, name: str, view: View, probabilities: Floats, chosen: int) -> None:
    best = int(probabilities.argmax())
    column.hits.append(best == chosen)
    column.probabilities.append(float(probabilities[best]))
    column.losses.append(-float(np.log(max(probabilities[chosen], 1e-300))))
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


def _part(
    columns: dict[str, _Column], readings: set[str], games: NDArray[np.int64], which: NDArray[np.bool_]
) -> PositionSubset:
    scores, rivals = {}, {}
    best = np.array(columns[FULL].losses)[which]
    for name, column in columns.items():
        hits, losses = np.array(column.hits, bool)[which], np.array(column.losses)[which]
        if name in readings:
            raw, probabilities = np.array(column.raw)[which], np.array(column.probabilities)[which]
            predicted = raw > 0
            scores[name] = Scores(
                len(hits),
                int(predicted.sum()),
                bins(raw[predicted], np.array(column.raw_hits, bool)[which][predicted]),
                int(hits.sum()),
                calibration_error(probabilities, hits),
                float(losses.mean()) if len(losses) else 0.0,
                bins(probabilities, hits, TENTHS),
            )
        elif len(losses):
            rivals[name] = Rival(float(hits.mean()), float(losses.mean()), paired(best, losses, games[which]))
    return PositionSubset(scores, rivals)
