# SPDX-License-Identifier: GPL-3.0-or-later
"""Winning strategies: the moves of the first plies that win, where the solver takes long to prove it.

A strategy is a file in ``strategies``; any game with a solver may have one. It lists lines of moves from the start,
each up to a winning move: after it the seat to move is lost. ``arena lab strategy`` makes the file.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from msgspec import Struct, json

from engine.game import Game, Position
from engine.search.solver import symmetric

FOLDER = Path(__file__).with_name("strategies")

VERSION = 1


class Strategy(Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of a file."""

    version: int
    """Version of the format."""
    game: str
    """Name of the game."""
    nodes: int
    """After each line and any reply, a further line begins, or the solver proves the win within this many positions."""
    command: str
    """The command that made the file."""
    checksum: str
    """SHA-256 of the lines, each ended by a line feed."""
    lines: tuple[str, ...]
    """The moves of each line, separated by blanks."""


def path_of(game: Game) -> Path:
    """Return the place of the strategy of a game."""
    return FOLDER / f"{game.name.replace('/', '_')}.json"


def write(game: Game, nodes: int, command: str, lines: Sequence[str]) -> bytes:
    """Return the contents of a file."""
    made = Strategy(VERSION, game.name, nodes, command, _checksum(lines), tuple(lines))
    return json.format(json.encode(made), indent=1) + b"\n"


def read(game: Game, content: bytes) -> Strategy:
    """Read a file. Raises ValueError if it is no strategy for this game, or damaged."""
    strategy = json.decode(content, type=Strategy)
    if strategy.version != VERSION:
        raise ValueError(f"the strategy is of version {strategy.version}; this is version {VERSION}")
    if strategy.game != game.name:
        raise ValueError(f"the strategy is for {strategy.game[:40]!r}, not for {game.name}")
    if strategy.checksum != _checksum(strategy.lines):
        raise ValueError("the strategy is damaged: its checksum does not fit its lines")
    return strategy


def _checksum(lines: Sequence[str]) -> str:
    return sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def positions(game: Game, lines: Sequence[str]) -> Iterator[Position]:
    """Yield the position after each line. Raises ValueError for a move that is not legal."""
    known = {"": game.look(game.start())}

    def after(line: str) -> Position:
        if line not in known:
            before, _, move = line.rpartition(" ")
            position = after(before)
            known[line] = game.play(position, game.parse_move(position, move))
        return known[line]

    yield from map(after, lines)


_lost: dict[str, frozenset[int]] = {}


def lost_positions(game: Game) -> frozenset[int]:
    """Return the ``symmetric`` keys of positions that are lost for the seat to move, by the strategy of a game."""
    if game.name not in _lost:
        path = path_of(game)
        lines = read(game, path.read_bytes()).lines if path.exists() else ()
        _lost[game.name] = frozenset(symmetric(position.state) for position in positions(game, lines))
    return _lost[game.name]
