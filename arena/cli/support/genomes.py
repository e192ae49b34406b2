# SPDX-License-Identifier: GPL-3.0-or-later
"""How the arena reads the genomes of steered players."""

from arena.evolution.genomes import Genomes, Readable
from bots.evolution.evochess.breeding import HIGHEST
from bots.evolution.evochess.contests import PLIES
from bots.evolution.evochess.exhibit import exhibit
from bots.evolution.evochess.genome import SCHEMAS, read, write
from bots.evolution.programs.program import formula


def steered_genomes() -> Genomes:
    """Return how an arena reads genomes of steered players."""
    return Genomes(
        games=tuple(SCHEMAS), highest=HIGHEST, plies=PLIES, read=_read, show=lambda text: exhibit(read(text))
    )


def _read(text: bytes) -> Readable:
    kept = read(text)
    canonical = write(kept.schema, kept.genome, kept.nodes)
    return Readable(kept.schema.game, canonical.encode(), kept.nodes, formula(kept.genome.program))
