# SPDX-License-Identifier: GPL-3.0-or-later
"""Genomes as the arena sees them: texts that whoever put it together can read."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import NamedTuple

from arena.protocol.exhibits import Exhibit


class Readable(NamedTuple):
    """What a genome says."""

    game: str
    canonical: bytes
    """The same bytes for the same genome, with no lineage."""
    nodes: int
    """A move, on average."""
    formula: str
    """Its program, for people."""


@dataclass(frozen=True, slots=True)
class Genomes:
    """What genomes there may be. ``read`` raises ValueError, with a message for people, for a text that is none."""

    games: Collection[str]
    highest: int
    """The depth of the deepest rival."""
    plies: int
    """After which a game is drawn."""
    read: Callable[[bytes], Readable]
    show: Callable[[bytes], Exhibit]
    """Takes apart a text that ``read`` takes."""
