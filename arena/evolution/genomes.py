# SPDX-License-Identifier: GPL-3.0-or-later
"""Genomes as the arena handles them: texts that a registered reader parses."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import NamedTuple

from arena.protocol.exhibits import Exhibit


class Readable(NamedTuple):
    """The parsed genome."""

    game: str
    canonical: bytes
    """The same bytes for the same genome, with no lineage."""
    nodes: int
    """A move, on average."""
    formula: str
    """Its program, for people."""


@dataclass(frozen=True, slots=True)
class Genomes:
    """The readers of genomes. ``read`` raises ValueError, with a message for people, if a text is not a genome."""

    games: Collection[str]
    highest: int
    """The depth of the deepest rival."""
    plies: int
    """After which a game is drawn."""
    read: Callable[[bytes], Readable]
    show: Callable[[bytes], Exhibit]
    """Takes apart a text that ``read`` takes."""
