# SPDX-License-Identifier: GPL-3.0-or-later
"""Strategies as files: the probability of each move in each information set of a game.

``arena solve`` writes them. Those in ``strategies`` ship with the arena, and the bot ``cfr`` plays by them.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np
from msgspec import Struct, ValidationError, json

from engine.game import Game, State
from engine.regret.response import Slots
from engine.regret.tree import GameTree, key_of, positions

FOLDER = Path(__file__).with_name("strategies")

VERSION = 1

DIGITS = 6
"""Digits of probabilities."""


class InformationSet(Struct, frozen=True, forbid_unknown_fields=True):
    """What a seat does where it knows the same."""

    key: str
    """The information key: 16 hexadecimal digits."""
    position: str
    """What the seat sees in one of the positions, for people."""
    moves: dict[str, float]
    """The probability of each legal move."""


class BehaviouralStrategy(Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of a file."""

    version: int
    """Version of the format."""
    game: str
    """Name of the game."""
    command: str
    """The command that made the file."""
    value: float
    """The mean payoff of seat 0."""
    exploitability: float
    """NashConv / 2, in points a round."""
    checksum: str
    """SHA-256 of the information sets, each as the line ``key move probability ...`` with a line feed at its end."""
    sets: tuple[InformationSet, ...]
    """All information sets of both seats."""


def path_of(game: Game) -> Path:
    """Return the place of the strategy that ships with the arena."""
    return FOLDER / f"{game.name.replace('/', '_')}.json"


def rounded(tree: GameTree, strategy: Slots) -> Slots:
    """Return a strategy with probabilities of few digits; the last move of each information set takes the rest."""
    found = strategy.copy()
    for first, count in zip(tree.set_slots, tree.set_counts, strict=True):
        head = np.round(found[first : first + count - 1], DIGITS)
        found[first : first + count] = [*head, max(0.0, round(1.0 - float(head.sum()), DIGITS))]
    return found


def write(
    game: Game, tree: GameTree, strategy: Slots, command: str, value: float, exploitability: float, state: State = None
) -> bytes:
    """Return the contents of a file. ``state``: the root of the tree, as for ``build``."""
    sets = []
    for place, position in enumerate(positions(game, tree, state)):
        first = int(tree.set_slots[place])
        text = position.state
        seen = game.format_position(text) if game.secrets is None else game.secrets.observe(text, position.to_move)
        texts = [game.format_move(position.state, move) for move in position.moves]
        chances = strategy[first : first + len(texts)].tolist()
        where = seen if isinstance(seen, str) else seen.position
        sets.append(InformationSet(f"{int(tree.keys[place]):016x}", where, dict(zip(texts, chances, strict=True))))
    made = BehaviouralStrategy(VERSION, game.name, command, value, exploitability, _checksum(sets), tuple(sets))
    return json.format(json.encode(made), indent=1) + b"\n"


def read(game: Game, content: bytes) -> BehaviouralStrategy:
    """Read a file. Raises ValueError if it is no strategy for this game, or damaged."""
    try:
        found = json.decode(content, type=BehaviouralStrategy)
    except ValidationError as error:
        raise ValueError(f"this is no strategy: {error}") from None
    if found.version != VERSION:
        raise ValueError(f"the strategy is of version {found.version}; this is version {VERSION}")
    if found.game != game.name:
        raise ValueError(f"the strategy is for {found.game[:40]!r}, not for {game.name}")
    if found.checksum != _checksum(found.sets):
        raise ValueError("the strategy is damaged: its checksum does not fit its information sets")
    return found


def _checksum(sets: Sequence[InformationSet]) -> str:
    lines = (" ".join([each.key, *(f"{move} {chance}" for move, chance in each.moves.items())]) for each in sets)
    return sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


class Strategy:
    """A strategy to play by."""

    def __init__(self, game: Game, file: BehaviouralStrategy) -> None:
        self._game = game
        self._moves = {int(each.key, 16): each.moves for each in file.sets}

    def chances(self, state: State, seat: int) -> Mapping[str, float]:
        """Return the probability of each legal move of a seat in a state. Raises KeyError for an unknown one."""
        return self._moves[key_of(self._game, state, seat)]

    def slots(self, tree: GameTree) -> Slots:
        """Return the strategy for a tree. Raises KeyError if an information set of the tree is unknown."""
        return np.array([chance for key in tree.keys.tolist() for chance in self._moves[key].values()])


_shipped: dict[str, Strategy] = {}


def shipped(game: Game) -> Strategy:
    """Return the strategy of a game that ships with the arena. Raises KeyError if there is none."""
    if game.name not in _shipped:
        path = path_of(game)
        if not path.exists():
            raise KeyError(f"there is no strategy for {game.title}")
        _shipped[game.name] = Strategy(game, read(game, path.read_bytes()))
    return _shipped[game.name]
