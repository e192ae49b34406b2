# SPDX-License-Identifier: GPL-3.0-or-later
"""A model of one player: learned from its games, it tells what the player will do.

    model = Model(find("chess"), Who("tal"))
    model.learn(records)
    model.calibrate(records)
    model.predict(position, recent)      # [(move, belief), ...], the most believed first

What is known are chunks, as S. Walczak's Inductive Adversary Modeling has them, and frequencies. A *raw* belief comes
of chunks by rules, as published; a *calibrated* one is a probability over all legal moves, by weights that are fitted
to games the chunks were not learned from.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bots.modelling import features
from bots.modelling.board import trace
from bots.modelling.chunks import FOUND, RAW, RULES, Chunks, match
from bots.modelling.convolution import Collector
from bots.modelling.habits import EARLY, Habits
from bots.modelling.logit import Choices, Floats, Weighing, weigh
from bots.modelling.looking import Look, Looker
from bots.modelling.openings import DEEPEST, Node, Openings
from bots.modelling.players import Who
from bots.modelling.replay import Memory, Ply, Replay, Skips, Turn, replays
from bots.modelling.templates import CELLS, templates_of
from engine.game import Game, Position
from engine.record import Record

BLOCKS = 5
"""Parts that the games are cut into: the beliefs about each are weighed by what the others teach."""

MOST = 5_000
"""Positions that weights are fitted to."""

Predictions = list[tuple[int, float]]


class Seat:
    """What is known of a player on one seat."""

    def __init__(self, openings: Openings, chunks: Chunks) -> None:
        self.openings = openings
        self.chunks = chunks


@dataclass(frozen=True, slots=True)
class View:
    """A position with all that the model finds in it; rows are legal moves."""

    look: Look
    texts: list[str]
    node: Node | None
    """Where the game is in the opening tree; None when that is left."""
    found: Floats
    """What the chunks say; see ``bots.modelling.chunks``."""
    memory: Memory
    habits: Habits

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
    """A turn of the player as a model saw it that had not learned the game."""

    view: View
    turn: Turn
    block: int
    """The number of the first game of its block."""


@dataclass(frozen=True, slots=True)
class Lessons:
    """What beliefs are fitted to."""

    crossed: list[Seen]
    """Turns seen by models of all other blocks: what the columns weigh is learned from them."""
    onward: list[Seen]
    """Turns of the later blocks, seen by models of the blocks before: how sure one can be of later games."""

    def weigher(self, matrix: Callable[[Seen], Floats]) -> Callable[[NDArray[np.bool_]], Weighing]:
        """Return what fits weights of some columns or others; ``matrix`` returns the columns of a turn."""
        choices, later = (
            Choices.of([matrix(seen) for seen in some], [seen.turn.chosen for seen in some])
            for some in (self.crossed, self.onward)
        )
        blocks = np.array([seen.block for seen in self.crossed])
        before = np.searchsorted(blocks, [seen.block for seen in self.onward])
        return lambda columns: weigh(choices, columns, later, before)


class Model:
    """Learns from games and predicts. Not thread-safe. Raises ValueError for a game that has no templates."""

    def __init__(self, game: Game, who: Who) -> None:
        self.game = game
        self.who = who
        self.templates = templates_of(game.name)
        self.games = 0
        self.seats = tuple(Seat(Openings(), Chunks(self.templates)) for _ in game.seats)
        self.habits = Habits()
        self.weighing: Weighing | None = None
        """What turns columns into calibrated beliefs."""
        self._looker = Looker(game, self.templates)
        self._collector = Collector(self.templates)
        self._mirrors = np.unique(np.stack([np.arange(CELLS), self.templates.mirror]), axis=0)

    # ---------------------------------------------------------------- learning

    def learn(self, records: Iterable[Record]) -> Skips:
        """Learn from games, and return what was left out. May be called again with newer games, one or many."""
        skips = Skips()
        for one in replays(self.game, records, self.who, skips):
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
            look = self._looker.look(turn.position, ply)
            self.habits.add(look.spans, turn.chosen, look.phase)
            if ply < EARLY:
                self.habits.note(turn.position.key, played.texts[ply])
            trace(turn.position.state, turn.move, before, after)
            seen += [(key, items, look.number) for key, items in self._collector.patterns(before, after)]
        seat.chunks.add(seen, 0.5 if played.points is None else played.points, number)

    def calibrate(self, records: Iterable[Record]) -> None:
        """Fit beliefs to games, which should be those that were learned, in the order in which they were played.

        Raises ValueError when they are too few.
        """
        self.calibrate_on(replays(self.game, records, self.who, Skips()))

    def calibrate_on(self, games: Sequence[Replay]) -> None:
        """Fit beliefs to games that were replayed; see ``calibrate``."""
        self.calibrate_on_lessons(self.lessons(games))

    def calibrate_on_lessons(self, lessons: "Lessons") -> Weighing:
        """Fit beliefs to lessons, and return how columns are weighed from now on."""
        self.weighing = lessons.weigher(lambda seen: self.columns(seen.view))(self.believed())
        return self.weighing

    def believed(self) -> NDArray[np.bool_]:
        """Return the columns that calibrated beliefs weigh: all but those of searches."""
        return features.chosen(self.templates, lambda group: group != features.SEARCH)

    def lessons(self, games: Sequence[Replay], most: int = MOST) -> "Lessons":
        """Return the player's turns in games, each seen by models that have not learned the games around it.

        Games are cut into blocks as they follow each other. Of more turns than ``most`` every n'th is taken. Raises
        ValueError when there are less than two games.
        """
        if len(games) < 2:
            raise ValueError("beliefs cannot be calibrated by less than two games")
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
        other = Model(self.game, self.who)
        for one in games:
            other.add(one)
        return other

    # ---------------------------------------------------------------- predicting

    def predict(self, position: Position, recent: Sequence[Ply] = ()) -> Predictions:
        """Return each legal move with the probability that it is played, the most likely first.

        ``recent``: the moves before, from the game's start where they are all known. Without calibration the raw
        beliefs are made probabilities as they are.
        """
        view = self.view(position, recent)
        if self.weighing is None:
            raw = view.raw()
            beliefs = (raw + 1 / len(raw)) / (1 + raw.sum())
        else:
            beliefs = self.weighing.beliefs(self.columns(view))
        return _ranked(view, beliefs)

    def candidates(self, position: Position, recent: Sequence[Ply] = ()) -> Predictions:
        """Return the moves that complete a chunk with their raw beliefs, the most believed first."""
        view = self.view(position, recent)
        return [(move, belief) for move, belief in _ranked(view, view.raw()) if belief > 0]

    def view(self, position: Position, recent: Sequence[Ply] = ()) -> View:
        """Look at a position in which the player is to move. Raises ValueError when there is no legal move."""
        if not position.moves:
            raise ValueError("the game is over")
        game = self.game
        look = self._looker.look(position, len(recent))
        seat = self.seats[position.to_move]
        memory = self._looker.memory(recent)
        found = np.zeros((len(look.moves), FOUND))
        match(
            seat.chunks.index(),
            RULES,
            look.before,
            look.after,
            len(look.moves),
            memory.earlier,
            self._mirrors,
            self.templates.heavy,
            look.number,
            found,
        )
        node = None
        if len(recent) <= DEEPEST and (not recent or recent[0].state == game.start()):
            node = seat.openings.find(game.format_move(ply.state, ply.move) for ply in recent)
        texts = [game.format_move(position.state, move) for move in position.moves]
        return View(look, texts, node, found, memory, self.habits)

    def columns(self, view: View, values: Floats | None = None, choice: int = -1) -> Floats:
        """Return the columns of each legal move; see ``bots.modelling.features``, ``search`` for the last two."""
        return np.concatenate(
            [
                features.text(view.look, view.texts, view.node),
                features.visual(view.found),
                features.habit(view.look, view.texts, view.habits),
                features.move(view.look, self._looker.facts(view.look), view.memory, self.templates),
                features.search(values, choice, len(view.texts)),
            ],
            axis=1,
        )


def _ranked(view: View, beliefs: Floats) -> Predictions:
    order = np.argsort(-beliefs, kind="stable")
    return [(int(view.look.moves[row]), float(beliefs[row])) for row in order]
