# SPDX-License-Identifier: GPL-3.0-or-later
"""Games replayed for a model: positions, the player's turns, and the legal moves with their properties."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bots.modelling.board import FACTS, Cells, course, courses, spread_out, stand, trace, weigh
from bots.modelling.frequencies import phase
from bots.modelling.patterns import CELLS, Templates
from bots.modelling.sources import PlayerName, Skips
from engine.game import Game, Position, State
from engine.match.ending import SCORES
from engine.match.record import Record


class Ply(NamedTuple):
    """A move with the state before it."""

    state: State
    move: int


class Turn(NamedTuple):
    """A position with the player to move, the plies before, and the player's move."""

    position: Position
    past: list[Ply]
    move: int

    @property
    def chosen(self) -> int:
        """The place of the move among the legal ones."""
        return self.position.moves.index(self.move)


@dataclass(frozen=True)
class Replay:
    """A game in which the player sat on ``seat``: its positions, the last one without a move."""

    seat: int
    points: float | None
    """The player's points; None without a result."""
    whole: bool
    """Whether it began at the start position."""
    positions: tuple[Position, ...]
    moves: tuple[int, ...]
    texts: tuple[str, ...]

    def turns(self) -> list[Turn]:
        """Return the player's moves in order."""
        plies = [Ply(position.state, move) for position, move in zip(self.positions, self.moves, strict=False)]
        return [
            Turn(self.positions[ply], plies[:ply], move)
            for ply, (_, move) in enumerate(plies)
            if self.positions[ply].to_move == self.seat
        ]


def replay(game: Game, record: Record, seat: int) -> Replay:
    """Replay a game. Raises ValueError when a move is not legal."""
    start = game.start()
    position = game.look(start if record.start is None else game.parse_position(record.start))
    positions, moves, texts = [position], list[int](), list[str]()
    for text in (*record.opening, *(played.move for played in record.moves)):
        move = _named(game, position, text)
        texts.append(game.format_move(position.state, move))
        moves.append(move)
        position = game.play(position, move)
        positions.append(position)
    points = SCORES.get(record.result)
    whole = positions[0].key == game.look(start).key
    return Replay(seat, points[seat] if points else None, whole, tuple(positions), tuple(moves), tuple(texts))


def _named(game: Game, position: Position, text: str) -> int:
    # records use the game's own notation, so the loop mostly ends early
    for move in position.moves:
        if game.format_move(position.state, move) == text:
            return move
    return game.parse_move(position, text)


def replays(game: Game, records: Iterable[Record], name: PlayerName, skips: Skips) -> list[Replay]:
    """Replay a player's games; count other games, and those with illegal moves, as skipped."""
    found = []
    for record in records:
        seat = name.seat(record)
        if record.game != game.name:
            skips[f"of {record.game[:40]}, not {game.name}"] += 1
        elif seat is None:
            skips["without the player on one seat"] += 1
        else:
            try:
                found.append(replay(game, record, seat))
            except ValueError:
                skips["against the rules"] += 1
    return found


class Memory(NamedTuple):
    """The last two moves, seen by the player; cells are -1 if there are none."""

    arrived: int
    """Target of the opponent's move."""
    struck: bool
    """Whether it captured."""
    left: int
    """Origin of the player's move before."""
    stood: int
    """Target of that move."""
    earlier: Cells
    """The player's pieces before that move."""


def remember(templates: Templates, past: Sequence[Ply]) -> Memory:
    """Return the properties of the last two plies."""
    earlier, before, after = np.zeros((3, CELLS), np.int8)
    arrived, struck, left, stood = -1, False, -1, -1
    if past:
        state, move = past[-1]
        trace(state, move, before, after)
        _, target, _ = course(before, after)
        arrived = int(templates.across[target])
        stand(state, before, after)
        struck = bool(after[arrived])
    if len(past) > 1:
        state, move = past[-2]
        trace(state, move, earlier, after)
        left, stood, _ = course(earlier, after)
    return Memory(arrived, struck, int(left), int(stood), earlier)


@dataclass(frozen=True, slots=True)
class LegalMoves:
    """The legal moves of a position as a model sees them, one row each, in the order of the rules."""

    position: Position
    moves: NDArray[np.int64]
    before: Cells
    """The player's pieces."""
    after: NDArray[np.int8]
    """(moves, 64): after each move."""
    spans: NDArray[np.int64]
    """(moves, 3): origin, target and kind."""
    number: int
    """Of the player's move, from 1."""
    phase: int


class MoveReader:
    """Reads the legal moves of positions."""

    def __init__(self, game: Game, templates: Templates) -> None:
        self.game = game
        self._templates = templates
        self._moves, self._scratch = np.empty((2, game.width), np.int64)
        self._after = np.zeros((game.width, CELLS), np.int8)
        self._facts = np.zeros((game.width, FACTS))
        self._spans = np.zeros((game.width, 3), np.int64)
        self._before = np.zeros(CELLS, np.int8)
        spread_out(game.start(), self._moves, self._before, self._after)
        self._men = int(np.count_nonzero(self._before))

    def read(self, position: Position, ply: int) -> LegalMoves:
        """Return the legal moves of a position."""
        count = spread_out(position.state, self._moves, self._before, self._after)
        courses(self._before, self._after, count, self._spans)
        return LegalMoves(
            position,
            self._moves[:count].copy(),
            self._before.copy(),
            self._after[:count].copy(),
            self._spans[:count].copy(),
            ply // 2 + 1,
            phase(int(np.count_nonzero(self._before)), self._men),
        )

    def facts(self, legal: LegalMoves) -> NDArray[np.float64]:
        """Return the properties of each move; see ``bots.modelling.board``."""
        count = len(legal.moves)
        weigh(legal.position.state, legal.moves, count, self._facts, self._scratch)
        return self._facts[:count].copy()

    def memory(self, past: Sequence[Ply]) -> Memory:
        """Return the properties of the last plies."""
        return remember(self._templates, past)
