# SPDX-License-Identifier: GPL-3.0-or-later
"""Games played over again, as those see them who model a player."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bots.modelling.board import Cells, course, stand, trace
from bots.modelling.players import Who
from bots.modelling.templates import CELLS, Templates
from engine.ending import SCORES
from engine.game import Game, Position, State
from engine.record import Record

"""What each seat scores."""


class Ply(NamedTuple):
    """A move where it was made."""

    state: State
    move: int


class Turn(NamedTuple):
    """The player is to move: the position, what was played before, and what it played."""

    position: Position
    past: list[Ply]
    move: int

    @property
    def chosen(self) -> int:
        """The place of its move among the legal ones."""
        return self.position.moves.index(self.move)


@dataclass(frozen=True)
class Replay:
    """A game in which the player sat on ``seat``: its positions, the last one without a move."""

    seat: int
    points: float | None
    """What the player scored; None where the game has no result."""
    whole: bool
    """Whether it began where the game begins."""
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


class Skips(Counter[str]):
    """Games that are left out, counted by reason."""

    def told(self) -> str:
        """Return the reasons and their numbers for people, "" when nothing was left out."""
        return "; ".join(f"{count:,} {reason}" for reason, count in self.most_common())


def replay(game: Game, record: Record, seat: int) -> Replay:
    """Play a game over again. Raises ValueError when a move is not legal."""
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
    # records hold the game's own spelling, and most often it is found halfway
    for move in position.moves:
        if game.format_move(position.state, move) == text:
            return move
    return game.parse_move(position, text)


def replays(game: Game, records: Iterable[Record], who: Who, skips: Skips) -> list[Replay]:
    """Play a player's games over again; what is no such game, or against the rules, is left out and counted."""
    found = []
    for record in records:
        seat = who.seat(record)
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
    """What the last two moves were, seen by the player; cells are -1 where there is none."""

    arrived: int
    """Where the other side's man arrived."""
    struck: bool
    """Whether it captured there."""
    left: int
    """Where the player's own man came from, the move before."""
    stood: int
    """Where it went."""
    earlier: Cells
    """The player's men before that."""


def remember(templates: Templates, past: Sequence[Ply]) -> Memory:
    """Return what is remembered of the last two plies."""
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
