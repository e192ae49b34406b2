# SPDX-License-Identifier: GPL-3.0-or-later
"""Text chunks: the move sequences that a player repeats, as a tree of all games from one seat.

Only what two games or more have in common is used: a position is in the tree when two games came through it, and a
move of it is known when it was played in two.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

LEAST = 2
"""Games that a sequence must have been seen in."""

DEEPEST = 40
"""Plies that are kept of a game."""

HALF_LIFE = 100
"""Games after which one counts half as much where recency counts."""


@dataclass(slots=True)
class Node:
    """What came after a sequence of moves."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    last: int = 0
    """The number of the last game that came here."""
    weight: float = 0.0
    """Its games when the last one came, each halved by every HALF_LIFE games since."""
    moves: dict[str, "Node"] = field(default_factory=dict)

    @property
    def score(self) -> float:
        """What the player scored of 1, one half where nobody won or lost."""
        told = self.wins + self.draws + self.losses
        return (self.wins + self.draws / 2) / told if told else 0.5

    def recent(self, game: int) -> float:
        """Return the weight of its games when the numbered one is played."""
        return float(self.weight * 0.5 ** ((game - self.last) / HALF_LIFE))

    def visit(self, points: float | None, game: int) -> None:
        """Count a game that came here; ``points``: 1, 0.5, 0, or None where it has no result."""
        self.weight = self.recent(game) + 1 if self.games else 1.0
        self.games += 1
        self.wins += points == 1
        self.draws += points == 0.5
        self.losses += points == 0
        self.last = game

    def known(self) -> Mapping[str, "Node"]:
        """Return the moves that were seen often enough."""
        return {text: node for text, node in self.moves.items() if node.games >= LEAST}


class Openings:
    """The tree of one seat. Games that began elsewhere than the game's own start are not in it."""

    def __init__(self, root: Node | None = None) -> None:
        self.root = root or Node()

    def add(self, moves: Sequence[str], points: float | None, game: int) -> None:
        """Take in a game by its moves, both sides'."""
        node = self.root
        node.visit(points, game)
        for text in moves[:DEEPEST]:
            node = node.moves.setdefault(text, Node())
            node.visit(points, game)

    def find(self, moves: Iterable[str]) -> Node | None:
        """Return where a sequence of moves leads, None where the tree is left."""
        node = self.root
        for text in moves:
            following = node.moves.get(text)
            if following is None or following.games < LEAST:
                return None
            node = following
        return node if node.games >= LEAST else None

    def chunks(self) -> Iterator[tuple[tuple[str, ...], Node]]:
        """Yield every sequence that is used, the shorter before what continues it."""
        waiting: list[tuple[tuple[str, ...], Node]] = [((), self.root)]
        for line, node in waiting:
            for text, following in node.known().items():
                waiting.append(((*line, text), following))
                yield (*line, text), following
