# SPDX-License-Identifier: GPL-3.0-or-later
"""Genomes that are whole searches: programs with search parameters and weights, or the numbers of a given search."""

from pathlib import Path
from typing import TYPE_CHECKING

from bots import weights
from bots.evolution.evochess import CHAMPIONS
from bots.evolution.evochess.genome import SCHEMAS, champion, read, schema_for
from bots.evolution.evochess.numbers import Numbers
from bots.evolution.evochess.searches import SEARCHES, Searches, genotype_of
from bots.evolution.family import Family
from bots.evolution.genome import Genotype, Values
from engine.games import find

if TYPE_CHECKING:
    from bots.evolution.breeding import Breed


def made(breed: "Breed") -> Searches:
    """Return the kind of a run: dynamics of numbers keep the program of the only guest."""
    settings = schema_for(breed.game), breed.nodes, breed.share, breed.plies
    if breed.dynamic.numeric and len(breed.guests) == 1 and not breed.weights:
        return Numbers(*settings, base=breed.guests[0], changing=breed.numbers)
    return Searches(*settings, breed.weights, breed.guests)


def guest(name: str, path: Path) -> Genotype:
    """Return the genome of a file, or a champion. Raises KeyError and ValueError, for people, and OSError."""
    game = name.partition("/")[0]
    try:
        kept = champion(game, str(path)) if str(path) in CHAMPIONS else read(path.read_bytes())
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    if kept.schema != schema_for(game):
        raise ValueError(f"{path}: the genome has the schema {kept.schema.name}, not {schema_for(game).name}")
    return genotype_of(kept.genome)


def given(name: str, path: Path) -> Values:
    """Return the weights that ``arena lab tune`` wrote, as genes.

    Raises KeyError and ValueError, with a message for people, and OSError.
    """
    game = name.partition("/")[0]
    schema = schema_for(game)
    try:
        evaluation = weights.from_json(find(game), path.read_bytes())
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    if evaluation.name != schema.evaluation or evaluation.terms.names != tuple(gene.name for gene in schema.genes):
        raise ValueError(f"{path}: the weights are for {evaluation.name}, not for {schema.name}")
    return schema.check(tuple(weight / schema.unit for weight in evaluation.weights))


FAMILY = Family(
    f"GAME/{SEARCHES}, of {' and '.join(SCHEMAS)}",
    "a depth program with search parameters and weights",
    lambda game: [f"{game}/{SEARCHES}"] if game in SCHEMAS else [],
    made,
    usual=True,
    rivals=True,
    guest=guest,
    weights=given,
)
