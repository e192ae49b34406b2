# SPDX-License-Identifier: GPL-3.0-or-later
"""Models as files: versioned JSON that is validated against a schema.

A file holds everything that a model learned, so the model can learn more games: the opening trees, every chunk with its
pieces as text ("Kg1"), the frequencies, and the weights of calibrated probabilities.
"""

from typing import Annotated, Any

import msgspec
import numpy as np

from bots.modelling import features
from bots.modelling.chunks import Chunk
from bots.modelling.frequencies import Node, Openings
from bots.modelling.logit import CURVE_TERMS, Calibration
from bots.modelling.model import Model
from bots.modelling.patterns import CELLS, Templates
from bots.modelling.sources import PlayerName
from engine.games import find

VERSION = 2

KIND = "opponent model"

Count = Annotated[int, msgspec.Meta(ge=0)]


class NodeFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A node of the opening tree; see ``bots.modelling.frequencies``."""

    games: Count
    """Number of games that reached the node."""
    wins: Count = 0
    """Number of these games that the player won."""
    draws: Count = 0
    """Number of these games that were drawn."""
    losses: Count = 0
    """Number of these games that the player lost."""
    last: Count = 0
    """Number of the last game that reached the node."""
    weight: float = 0.0
    """Sum of the games' weights at the last one; a weight halves every 100 games."""
    moves: dict[str, "NodeFile"] = {}
    """The next nodes by the move that leads to them."""


class ChunkFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A chunk; its pieces as kind and cell, seen by the player, whose pieces move up ("Kg1", "b12")."""

    men: Annotated[list[str], msgspec.Meta(min_length=2, max_length=16)]
    """The pieces."""
    games: Annotated[int, msgspec.Meta(ge=1)]
    """Number of games with the chunk."""
    points: float
    """Points of the player in these games: 1, 0.5 or 0 each."""
    moves: Count
    """Sum of the numbers of the player's moves that completed it first in a game."""
    last: Count
    """Number of the last game with it."""


class SeatFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The data of one seat."""

    games: Count
    """Number of games."""
    openings: NodeFile
    """Root of the opening tree."""
    chunks: list[ChunkFile]
    """The chunks of pieces."""


class FrequenciesFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Frequencies of the player's moves."""

    own: dict[str, tuple[float, float]]
    """By piece, origin and target: how often such a move was legal, and how often the player chose it."""
    arrival: dict[str, tuple[float, float]]
    """By phase of the game, piece and target: the same numbers."""
    positions: dict[str, dict[str, int]]
    """By position, as 16 hexadecimal digits of its hash: the chosen moves, and how often each was chosen."""


class ModelFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A model."""

    kind: str
    """``opponent model``."""
    version: int
    """Version of the format."""
    game: str
    """Name of the game."""
    player: str
    """Name of the player, as the games call it."""
    games: Count
    """Number of learned games."""
    seats: tuple[SeatFile, SeatFile]
    """The data of both seats."""
    frequencies: FrequenciesFile
    """Frequencies of moves."""
    weights: dict[str, float] | None = None
    """Of the columns by name; None: not calibrated."""
    curve: list[float] | None = None
    """Numbers of the calibration curve."""


class _Head(msgspec.Struct, frozen=True):
    kind: str = ""
    version: int = 0


def schema() -> dict[str, Any]:
    """Return the JSON schema of a model."""
    return msgspec.json.schema(ModelFile)


def save(model: Model) -> bytes:
    """Write a model as a line of JSON."""
    frequencies = model.frequencies
    calibration = model.calibration
    names = features.names(model.templates)
    file = ModelFile(
        kind=KIND,
        version=VERSION,
        game=model.game.name,
        player=model.player.pattern,
        games=model.games,
        seats=tuple(  # type: ignore[arg-type]  # as many as there are seats, which are two
            SeatFile(
                seat.chunks.games,
                _node(seat.openings.root),
                [
                    ChunkFile(men(model.templates, one.items), one.games, one.points, one.moves, one.last)
                    for one in seat.chunks.known.values()
                ],
            )
            for seat in model.seats
        ),
        frequencies=FrequenciesFile(
            _sparse(frequencies.offered, frequencies.played),
            _sparse(frequencies.by_phase_offered, frequencies.by_phase_played),
            {f"{key:016x}": moves for key, moves in frequencies.positions.items()},
        ),
        weights=None if calibration is None else dict(zip(names, calibration.weights.tolist(), strict=True)),
        curve=None if calibration is None else calibration.curve.tolist(),
    )
    return msgspec.json.encode(file) + b"\n"


def load(text: bytes) -> Model:
    """Return the model of a file. Raises ValueError, with a message for people, for other files and versions."""
    try:
        head = msgspec.json.decode(text, type=_Head)
    except msgspec.DecodeError as error:
        raise ValueError(f"not a model: {error}") from error
    if head.kind != KIND:
        raise ValueError("not an opponent model")
    if head.version != VERSION:
        raise ValueError(f"the model is of version {head.version}; this program reads version {VERSION}")
    file = msgspec.json.decode(text, type=ModelFile)
    try:
        model = Model(find(file.game), PlayerName(file.player))
    except KeyError as error:
        raise ValueError(str(error.args[0])) from error
    model.games = file.games
    for seat, kept in zip(model.seats, file.seats, strict=True):
        seat.openings = Openings(_tree(kept.openings))
        seat.chunks.games = kept.games
        for one in kept.chunks:
            seat.chunks.put(Chunk(items(model.templates, one.men), one.games, one.points, one.moves, one.last))
    frequencies = model.frequencies
    _fill(file.frequencies.own, frequencies.offered, frequencies.played)
    _fill(file.frequencies.arrival, frequencies.by_phase_offered, frequencies.by_phase_played)
    for key, moves in file.frequencies.positions.items():
        frequencies.positions[int(key, 16)] = moves
    if file.weights is not None and file.curve is not None:
        names = features.names(model.templates)
        if strange := sorted(set(names) ^ set(file.weights)):
            raise ValueError(f"the weight {strange[0][:60]!r} is in the model or in this program, but not in both")
        if len(file.curve) != CURVE_TERMS:
            raise ValueError(f"the calibration curve has {CURVE_TERMS} numbers, not {len(file.curve)}")
        model.calibration = Calibration(np.array([file.weights[name] for name in names]), np.array(file.curve))
    return model


def men(templates: Templates, chunk: tuple[int, ...]) -> list[str]:
    """Return the pieces of a chunk as text."""
    return [templates.letters[item // CELLS - 1] + cell_name(item % CELLS) for item in chunk]


def items(templates: Templates, names: list[str]) -> tuple[int, ...]:
    """Undo ``men``. Raises ValueError for an unknown kind or cell."""
    found = []
    for name in names:
        kind = templates.letters.find(name[:1]) + 1
        if not name or not kind or name[1:] not in _CELLS:
            raise ValueError(f"{name[:20]!r} is not a piece on a cell")
        found.append(kind * CELLS + _CELLS[name[1:]])
    return tuple(sorted(found))


def cell_name(cell: int) -> str:
    """Return a cell's name: a letter for its column, from the left, and the number of its row, from below."""
    return "abcdefgh"[cell % 8] + str(cell // 8 + 1)


_CELLS = {cell_name(cell): cell for cell in range(CELLS)}


def _node(node: Node) -> NodeFile:
    return NodeFile(
        node.games,
        node.wins,
        node.draws,
        node.losses,
        node.last,
        node.weight,
        {text: _node(following) for text, following in node.moves.items()},
    )


def _tree(file: NodeFile) -> Node:
    moves = {text: _tree(following) for text, following in file.moves.items()}
    return Node(file.games, file.wins, file.draws, file.losses, file.last, file.weight, moves)


def _sparse(offered: np.ndarray, played: np.ndarray) -> dict[str, tuple[float, float]]:
    return {str(place): (float(offered[place]), float(played[place])) for place in np.flatnonzero(offered)}


def _fill(counts: dict[str, tuple[float, float]], offered: np.ndarray, played: np.ndarray) -> None:
    for place, (given, made) in counts.items():
        if not place.isdecimal() or int(place) >= len(offered):
            raise ValueError(f"unknown frequency {place[:20]!r}")
        offered[int(place)], played[int(place)] = given, made
