# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading genomes of evolved searches. The only module of a feature's server side that uses code of the bots."""

from collections.abc import Collection
from typing import NamedTuple

from arena.feature import Part
from arena.protocol.genome_views import GenomeView
from bots.evolution.dynamics.evochess import HIGHEST
from bots.evolution.evochess.genome import SCHEMAS, read, write
from bots.evolution.evochess.genome_view import genome_view
from bots.evolution.refereed import PLIES
from engine.search.programs.program import formula


class ReadGenome(NamedTuple):
    """A parsed genome."""

    game: str
    canonical: bytes
    """The same bytes for the same genome, without lineage."""
    nodes: int
    """Average number of nodes per move."""
    formula: str
    """Its program, for people."""


class Genomes(Part):
    """The reader of genomes."""

    games: Collection[str] = tuple(SCHEMAS)
    """The games that genomes can play."""
    highest: int = HIGHEST
    """Depth of the deepest rival in evolution."""
    plies: int = PLIES
    """Number of plies after which a game of evolution is drawn."""

    def read(self, text: bytes) -> ReadGenome:
        """Parse a genome. Raises ValueError, with a message for people."""
        found = read(text)
        canonical = write(found.schema, found.genome, found.nodes)
        return ReadGenome(found.schema.game, canonical.encode(), found.nodes, formula(found.genome.program))

    def view(self, text: bytes) -> GenomeView:
        """Return the view of a genome that ``read`` accepts, without search traces."""
        return genome_view(read(text))
