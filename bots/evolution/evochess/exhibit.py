# SPDX-License-Identifier: GPL-3.0-or-later
"""A steered genome taken apart for people: its program as a formula and a tree, its numbers, and what it does.

It is what an arena is told to show; whoever tells it knows genomes, and the arena does not.
"""

from collections.abc import Iterable

from arena.protocol.genome_views import GenomeView, SearchTrace, ShownGene, ShownModule, ShownWord
from bots.evolution.evochess.genome import HABITS, ORDERED, Read, express
from bots.evolution.genes import Schema, Values
from bots.evolution.programs.program import word_of, written
from bots.evolution.steered.looking import look, positions
from engine.games import find

ORDER, HABIT, EVALUATION = "which move is tried first", "how the search goes on", "what positions are worth"


def exhibit(kept: Read, looks: Iterable[SearchTrace] = ()) -> GenomeView:
    """Return a genome for people."""
    program, schema = kept.genome.program, kept.schema
    formula = written(program)
    habits = genes(HABITS, kept.genome.habits)
    return GenomeView(
        schema=schema.name,
        nodes=kept.nodes,
        formula=formula.text,
        program=[
            ShownWord(
                label=spot.label,
                meaning="" if (word := word_of(token)) is None else word.meaning,
                parent=spot.parent,
                start=spot.start,
                end=spot.end,
            )
            for token, spot in zip(program, formula.spots, strict=True)
        ],
        modules=[
            ShownModule(ORDER, habits[:ORDERED]),
            ShownModule(HABIT, habits[ORDERED:]),
            ShownModule(EVALUATION, genes(schema, kept.genome.weights)),
        ],
        search_traces=list(looks),
    )


def looks_of(kept: Read, name: str) -> list[SearchTrace]:
    """Return what a genome's player of a name and its rivals look at on the positions of its game: some seconds."""
    game, steering = find(kept.schema.game), express(kept.schema, kept.genome)
    return [look(game, steering, kept.nodes, position, name) for position in positions(game.name)]


def genes(schema: Schema, values: Values) -> list[ShownGene]:
    """Return numbers beside their bounds and what people use."""
    return [
        ShownGene(gene.name, value, gene.low, gene.high, gene.standard)
        for gene, value in zip(schema.genes, values, strict=True)
    ]
