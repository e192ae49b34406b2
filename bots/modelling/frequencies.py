# SPDX-License-Identifier: GPL-3.0-or-later
"""Frequencies of a player's moves: opening trees, moves by position, and moves of pieces between cells.

An opening tree holds all games from one seat. Only sequences that two or more games share are used: a position counts
when two games reached it, and a move counts when it was played in two.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from bots.modelling.patterns import CELLS

LEAST = 2
"""Games that a sequence must occur in."""

DEEPEST = 40
"""Plies of a game that the tree stores."""

HALF_LIFE = 100
"""Number of later games that halve the weight of a game."""


@dataclass(slots=True)
class Node:
    """Statistics of a sequence of moves, and its continuations."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    last: int = 0
    """The number of the last game that reached this node."""
    weight: float = 0.0
    """Sum of its games' weights at the last one; a weight halves every HALF_LIFE games."""
    moves: dict[str, "Node"] = field(default_factory=dict)

    @property
    def score(self) -> float:
        """The player's score from 0 to 1; one half without results."""
        told = self.wins + self.draws + self.losses
        return (self.wins + self.draws / 2) / told if told else 0.5

    def recent(self, game: int) -> float:
        """Return the weight of its games at the numbered game."""
        return float(self.weight * 0.5 ** ((game - self.last) / HALF_LIFE))

    def visit(self, points: float | None, game: int) -> None:
        """Count a game that reaches this node; ``points``: 1, 0.5, 0, or None without a result."""
        self.weight = self.recent(game) + 1 if self.games else 1.0
        self.games += 1
        self.wins += points == 1
        self.draws += points == 0.5
        self.losses += points == 0
        self.last = game

    def known(self) -> Mapping[str, "Node"]:
        """Return the moves with enough games."""
        return {text: node for text, node in self.moves.items() if node.games >= LEAST}


class Openings:
    """The opening tree of one seat. It contains only games from the start position."""

    def __init__(self, root: Node | None = None) -> None:
        self.root = root or Node()

    def add(self, moves: Sequence[str], points: float | None, game: int) -> None:
        """Add a game by the moves of both sides."""
        node = self.root
        node.visit(points, game)
        for text in moves[:DEEPEST]:
            node = node.moves.setdefault(text, Node())
            node.visit(points, game)

    def find(self, moves: Iterable[str]) -> Node | None:
        """Return the node of a sequence of moves, None outside the tree."""
        node = self.root
        for text in moves:
            following = node.moves.get(text)
            if following is None or following.games < LEAST:
                return None
            node = following
        return node if node.games >= LEAST else None

    def chunks(self) -> Iterator[tuple[tuple[str, ...], Node]]:
        """Yield every sequence that is used, shorter ones before their continuations."""
        waiting: list[tuple[tuple[str, ...], Node]] = [((), self.root)]
        for line, node in waiting:
            for text, following in node.known().items():
                waiting.append(((*line, text), following))
                yield (*line, text), following


KINDS = 8
PHASES = 3
"""Of a game, by the number of pieces left."""

EARLY = 40
"""Plies of which positions are stored."""

OWN, KIND = 5.0, 10.0
"""Pseudo-counts of opportunities: of a move, and of a kind of piece on a target."""


def phase(men: int, all_men: int) -> int:
    """Return the phase of a game: 0 while nearly all pieces are left, 2 after half of them are gone."""
    return 0 if men > 0.84 * all_men else 1 if men > 0.5 * all_men else 2


class MoveFrequencies:
    """Counts of one player's moves and opportunities, from both seats."""

    def __init__(self) -> None:
        self.offered, self.played = np.zeros((2, KINDS * CELLS * CELLS))
        self.by_phase_offered, self.by_phase_played = np.zeros((2, PHASES * KINDS * CELLS))
        self.positions: dict[int, dict[str, int]] = {}

    def add(self, spans: NDArray[np.int64], chosen: int, phase_: int) -> None:
        """Count a choice: origin, target and kind of each legal move, and the place of the played one."""
        own, arrival = _codes(spans, phase_)
        np.add.at(self.offered, own, 1)
        np.add.at(self.by_phase_offered, arrival, 1)
        self.played[own[chosen]] += 1
        self.by_phase_played[arrival[chosen]] += 1

    def note(self, key: int, text: str) -> None:
        """Count a move of an early position."""
        moves = self.positions.setdefault(key, {})
        moves[text] = moves.get(text, 0) + 1

    def seen(self, key: int) -> Mapping[str, int]:
        """Return the moves that the player made in a position, with their counts."""
        return self.positions.get(key, {})

    def rates(self, spans: NDArray[np.int64], phase_: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the rate of each legal move: of the move itself, and of its kind of piece on its target."""
        own, arrival = _codes(spans, phase_)
        base = (self.by_phase_played.sum() + 1) / (self.by_phase_offered.sum() + 30)
        kinds = (self.by_phase_played[arrival] + KIND * base) / (self.by_phase_offered[arrival] + KIND)
        return (self.played[own] + OWN * kinds) / (self.offered[own] + OWN), kinds


def _codes(spans: NDArray[np.int64], phase_: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    origin, target, kind = spans[:, 0], spans[:, 1], spans[:, 2]
    return (kind * CELLS + origin) * CELLS + target, (phase_ * KINDS + kind) * CELLS + target
