# SPDX-License-Identifier: GPL-3.0-or-later
"""A model of one player: it learns from the player's games and predicts its moves.

    model = Model(find("chess"), PlayerName("tal"))
    model.learn(records)
    model.calibrate(records)
    model.predict(position, recent)      # [(move, probability), ...], the most probable first

A model stores chunks, as S. Walczak's Inductive Adversary Modeling (IAM) defines them, and frequencies. A *raw belief*
is the score that IAM's published rules give to a move that completes a chunk. Calibrated probabilities cover all legal
moves; their weights are fitted to games from which the chunks were not learned.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bots.modelling import features
from bots.modelling.board import trace
from bots.modelling.chunks import FOUND, RAW, RULES, Chunks, match
from bots.modelling.frequencies import DEEPEST, EARLY, MoveFrequencies, Node, Openings
from bots.modelling.logit import Calibration, Choices, Floats, calibrate
from bots.modelling.patterns import CELLS, Collector, templates_of
from bots.modelling.replay import LegalMoves, Memory, MoveReader, Ply, Replay, Turn, replays
from bots.modelling.sources import PlayerName, Skips
from engine.game import Game, Position
from engine.match.record import Record

BLOCKS = 5
"""Parts that the games are divided into; the moves of each are predicted by models of the others."""

MOST = 5_000
"""Positions that weights are fitted to."""

Predictions = list[tuple[int, float]]


class Seat:
    """The opening tree and the chunks of a player on one seat."""

    def __init__(self, openings: Openings, chunks: Chunks) -> None:
        self.openings = openings
        self.chunks = chunks


@dataclass(frozen=True, slots=True)
class View:
    """A position with everything that the model finds in it; rows are legal moves."""

    legal: LegalMoves
    texts: list[str]
    node: Node | None
    """Where the game is in the opening tree; None when that is left."""
    found: Floats
    """Properties from chunks; see ``bots.modelling.chunks``."""
    memory: Memory
    frequencies: MoveFrequencies

    def raw(self, *, text: bool = True, visual: bool = True) -> NDArray[np.float64]:
        """Return the raw belief in each move by these kinds of chunks, 0 where it is no candidate."""
        out = self.found[:, RAW].copy() if visual else np.zeros(len(self.texts))
        if text and self.node is not None:
            total = sum(one.games for one in self.node.moves.values())
            for played, following in self.node.known().items():
                if played in self.texts:
                    row = self.texts.index(played)
                    out[row] = max(out[row], following.games / total)
        return out


class Seen(NamedTuple):
    """A turn of the player, seen by a model that has not learned the turn's game."""

    view: View
    turn: Turn
    block: int
    """The number of the first game of its block."""


@dataclass(frozen=True, slots=True)
class Lessons:
    """The turns that probabilities are fitted to."""

    crossed: list[Seen]
    """Turns with predictions by models of all other blocks; the weights of columns are fitted to them."""
    onward: list[Seen]
    """Turns of the later blocks with predictions by models of the blocks before; the curve is fitted to them."""

    def fitter(self, matrix: Callable[[Seen], Floats]) -> Callable[[NDArray[np.bool_]], Calibration]:
        """Return a function that fits the weights of a choice of columns; ``matrix`` returns the columns of a turn."""
        choices, later = (
            Choices.of([matrix(seen) for seen in some], [seen.turn.chosen for seen in some])
            for some in (self.crossed, self.onward)
        )
        blocks = np.array([seen.block for seen in self.crossed])
        before = np.searchsorted(blocks, [seen.block for seen in self.onward])
        return lambda columns: calibrate(choices, columns, later, before)


class Model:
    """Learns from games and predicts. Not thread-safe. Raises ValueError for a game that has no templates."""

    def __init__(self, game: Game, player: PlayerName) -> None:
        self.game = game
        self.player = player
        self.templates = templates_of(game.name)
        self.games = 0
        self.seats = tuple(Seat(Openings(), Chunks(self.templates)) for _ in game.seats)
        self.frequencies = MoveFrequencies()
        self.calibration: Calibration | None = None
        """Turns columns into probabilities; None before calibration."""
        self._reader = MoveReader(game, self.templates)
        self._collector = Collector(self.templates)
        self._mirrors = np.unique(np.stack([np.arange(CELLS), self.templates.mirror]), axis=0)

    # ---------------------------------------------------------------- learning

    def learn(self, records: Iterable[Record]) -> Skips:
        """Learn from games, and return the skipped ones by reason. May be called again with newer games."""
        skips = Skips()
        for one in replays(self.game, records, self.player, skips):
            self.add(one)
        return skips

    def add(self, played: Replay) -> None:
        """Learn from one game."""
        seat = self.seats[played.seat]
        number = self.games
        self.games += 1
        if played.whole:
            seat.openings.add(played.texts, played.points, number)
        seen: list[tuple[int, tuple[int, ...], int]] = []
        after = np.zeros(CELLS, np.int8)
        before = np.zeros(CELLS, np.int8)
        for turn in played.turns():
            ply = len(turn.past)
            legal = self._reader.read(turn.position, ply)
            self.frequencies.add(legal.spans, turn.chosen, legal.phase)
            if ply < EARLY:
                self.frequencies.note(turn.position.key, played.texts[ply])
            trace(turn.position.state, turn.move, before, after)
            seen += [(key, items, legal.number) for key, items in self._collector.patterns(before, after)]
        seat.chunks.add(seen, 0.5 if played.points is None else played.points, number)

    def calibrate(self, records: Iterable[Record]) -> None:
        """Fit probabilities to games, which should be those that were learned, in the order in which they were played.

        Raises ValueError when they are too few.
        """
        self.calibrate_on(replays(self.game, records, self.player, Skips()))

    def calibrate_on(self, games: Sequence[Replay]) -> None:
        """Fit probabilities to games that were replayed; see ``calibrate``."""
        self.calibrate_on_lessons(self.lessons(games))

    def calibrate_on_lessons(self, lessons: "Lessons") -> Calibration:
        """Fit probabilities to lessons, and return the new calibration."""
        self.calibration = lessons.fitter(lambda seen: self.columns(seen.view))(self.calibrated_columns())
        return self.calibration

    def calibrated_columns(self) -> NDArray[np.bool_]:
        """Return the columns that calibrated probabilities weigh: all but those of searches."""
        return features.chosen(self.templates, lambda group: group != features.SEARCH)

    def lessons(self, games: Sequence[Replay], most: int = MOST) -> "Lessons":
        """Return the player's turns in games, each seen by models that have not learned the games around it.

        Games are cut into blocks as they follow each other. Of more turns than ``most`` every n'th is taken. Raises
        ValueError when there are less than two games.
        """
        if len(games) < 2:
            raise ValueError("probabilities cannot be calibrated by less than two games")
        total = sum((len(game.moves) + 1) // 2 for game in games)
        every = max(1, -(-total // most))
        crossed: list[Seen] = []
        onward: list[Seen] = []
        blocks = [block.tolist() for block in np.array_split(np.arange(len(games)), min(BLOCKS, len(games)))]
        for block in blocks:
            turns = [turn for number in block for turn in games[number].turns() if len(turn.position.moves) > 1]
            first, last = block[0], block[-1] + 1
            without = self._taught([*games[:first], *games[last:]])
            crossed += [Seen(without.view(turn.position, turn.past), turn, first) for turn in turns[::every]]
            if first >= len(games) // 3:
                before = self._taught(games[:first])
                onward += [Seen(before.view(turn.position, turn.past), turn, first) for turn in turns[::every]]
        return Lessons(crossed, onward)

    def _taught(self, games: Iterable[Replay]) -> "Model":
        """Return another model of the player that knows these games."""
        other = Model(self.game, self.player)
        for one in games:
            other.add(one)
        return other

    # ---------------------------------------------------------------- predicting

    def predict(self, position: Position, recent: Sequence[Ply] = ()) -> Predictions:
        """Return each legal move with the probability that it is played, the most likely first.

        ``recent``: the moves before, from the game's start where they are all known. Without calibration the raw
        beliefs are scaled to probabilities.
        """
        view = self.view(position, recent)
        if self.calibration is None:
            raw = view.raw()
            probabilities = (raw + 1 / len(raw)) / (1 + raw.sum())
        else:
            probabilities = self.calibration.probabilities(self.columns(view))
        return _ranked(view, probabilities)

    def candidates(self, position: Position, recent: Sequence[Ply] = ()) -> Predictions:
        """Return the moves that complete a chunk with their raw beliefs, the greatest first."""
        view = self.view(position, recent)
        return [(move, belief) for move, belief in _ranked(view, view.raw()) if belief > 0]

    def view(self, position: Position, recent: Sequence[Ply] = ()) -> View:
        """LegalMoves at a position in which the player is to move. Raises ValueError when there is no legal move."""
        if not position.moves:
            raise ValueError("the game is over")
        game = self.game
        legal = self._reader.read(position, len(recent))
        seat = self.seats[position.to_move]
        memory = self._reader.memory(recent)
        found = np.zeros((len(legal.moves), FOUND))
        match(
            seat.chunks.index(),
            RULES,
            legal.before,
            legal.after,
            len(legal.moves),
            memory.earlier,
            self._mirrors,
            self.templates.heavy,
            legal.number,
            found,
        )
        node = None
        if len(recent) <= DEEPEST and (not recent or recent[0].state == game.start()):
            node = seat.openings.find(game.format_move(ply.state, ply.move) for ply in recent)
        texts = [game.format_move(position.state, move) for move in position.moves]
        return View(legal, texts, node, found, memory, self.frequencies)

    def columns(self, view: View, values: Floats | None = None, choice: int = -1) -> Floats:
        """Return the columns of each legal move; see ``bots.modelling.features``, ``search`` for the last two."""
        return np.concatenate(
            [
                features.text(view.legal, view.texts, view.node),
                features.visual(view.found),
                features.frequency(view.legal, view.texts, view.frequencies),
                features.move(view.legal, self._reader.facts(view.legal), view.memory, self.templates),
                features.search(values, choice, len(view.texts)),
            ],
            axis=1,
        )


def _ranked(view: View, probabilities: Floats) -> Predictions:
    order = np.argsort(-probabilities, kind="stable")
    return [(int(view.legal.moves[row]), float(probabilities[row])) for row in order]
