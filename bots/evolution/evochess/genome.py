# SPDX-License-Identifier: GPL-3.0-or-later
"""Genomes of three modules: a depth program, search parameters, and an evaluation's weights; and the shipped champions.

A genome file is versioned JSON that names the schema of its weights; see ``bots.evolution.genome`` for genomes that are
weights alone. A champion is a genome file with its lineage and the seed that it follows from, one for each bot and
game.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from math import isfinite

import msgspec

from bots.evolution.evochess import CHAMPION
from bots.evolution.evochess.growth import gibberish
from bots.evolution.evochess.player import SearchSettings
from bots.evolution.genome import Gene, Schema, Values, schema_named, schema_written
from bots.evolution.operators import Chance
from engine.search.margins import PARAMETERS, Margins
from engine.search.programs.program import Program, Token, check

VERSION = 5
"""Of genome files. Version 5 has parameters of the selective search; earlier ones had a search of their own."""

PLAIN: Program = ("horizon",)
"""The program that searches every branch to the same depth."""

SEARCH = Schema(
    "search parameters",
    3,
    "",
    "",
    tuple(
        Gene(name, float(row.least), float(row.most), (float(row.least), float(row.most)), float(row.neutral))
        for name, row in PARAMETERS.items()
        if not row.models
    ),
)
"""The genes of search: the rows of ``engine.search.margins``. The standard values are the neutral ones."""

SCHEMAS = {"chess": "chess/evochess", "checkers": "checkers/lecture"}
"""The schema of the weights by game."""


class Genome(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A genome: program, search parameters, and weights."""

    program: Program
    """The program in prefix notation: words and numbers."""
    search: Values
    """The search parameters, in the order of their schema."""
    weights: Values
    """The weights of the evaluation, in the order of their schema."""


class GenomeFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The contents of a genome file."""

    version: int
    """Version of the format."""
    kind: str
    """``evolved search``."""
    schema: str
    """Name of the schema of the weights."""
    schema_version: int
    """Version of this schema."""
    program: tuple[Token, ...]
    """The program in prefix notation: words and numbers."""
    search: dict[str, float]
    """The search parameters, by name. Those that are missing have their neutral values."""
    weights: dict[str, float]
    """The weights of the evaluation, by name."""
    nodes: int
    """Average number of nodes per move."""
    lineage: dict[str, object] = {}
    """The genome's origin, for people and programs; no code depends on it."""


class _Head(msgspec.Struct, frozen=True):
    """The fields that all versions have."""

    kind: str
    version: int


KIND = "evolved search"
_EARLIER = "steered"
"""The kind of earlier versions."""


@dataclass(frozen=True, slots=True)
class Read:
    """A genome file after reading."""

    schema: Schema
    genome: Genome
    nodes: int
    lineage: Mapping[str, object] = field(default_factory=dict, compare=False, hash=False)


def schema_for(game: str) -> Schema:
    """Return the schema of the weights of a game. Raises KeyError, with a message that lists the games."""
    if game not in SCHEMAS:
        raise KeyError(f"there are no search genomes for {game[:60]!r}; there are genomes for {', '.join(SCHEMAS)}")
    return schema_named(SCHEMAS[game])


def checked(schema: Schema, genome: Genome) -> Genome:
    """Return a validated genome. Raises ValueError, with a message for people, for another schema."""
    if not all(map(isfinite, (*genome.search, *genome.weights))):
        raise ValueError("a genome is made of finite numbers")
    return Genome(check(genome.program), SEARCH.check(genome.search), schema.check(genome.weights))


def express(schema: Schema, genome: Genome) -> SearchSettings:
    """Return the search settings of a genome's player. Raises ValueError as ``checked`` does."""
    genome = checked(schema, genome)
    return SearchSettings(genome.program, margins_of(genome.search), schema.express(genome.weights))


def margins_of(search: Values) -> Margins:
    """Return search parameters, rounded to whole numbers, from the values of their genes."""
    return Margins(**{gene.name: round(value) for gene, value in zip(SEARCH.genes, search, strict=True)})


def drawn(schema: Schema, chance: Chance, weights: Values = ()) -> Genome:
    """Return a genome with a random program, neutral search parameters, and random weights or given ones."""
    own = weights or schema.fitted([chance.uniform(*gene.first) for gene in schema.genes])
    return Genome(gibberish(chance), SEARCH.standard, own)


def standard(schema: Schema) -> Genome:
    """Return the default genome: the same depth everywhere, neutral search parameters."""
    return Genome(PLAIN, SEARCH.standard, schema.standard)


def write(schema: Schema, genome: Genome, nodes: int, lineage: Mapping[str, object] | None = None) -> str:
    """Write a genome as JSON."""

    def named(of: Schema, values: Values) -> dict[str, float]:
        return {gene.name: value for gene, value in zip(of.genes, values, strict=True)}

    file = GenomeFile(
        VERSION,
        KIND,
        schema.name,
        schema.version,
        genome.program,
        named(SEARCH, genome.search),
        named(schema, genome.weights),
        nodes,
        dict(lineage or {}),
    )
    return msgspec.json.format(msgspec.json.encode(file)).decode() + "\n"


def is_one(text: str | bytes) -> bool:
    """Return whether a file has the kind of these genomes, rather than weights alone."""
    try:
        return msgspec.json.decode(text, type=dict[str, object]).get("kind") in (KIND, _EARLIER)
    except msgspec.DecodeError:
        return False


def read(text: str | bytes) -> Read:
    """Return the contents of a file.

    Raises ValueError, with a message for people, for another version or kind, an unknown schema, unknown or missing
    genes, values out of bounds, and an invalid program.
    """
    try:
        head = msgspec.json.decode(text, type=_Head)
        if head.kind in (KIND, _EARLIER) and head.version != VERSION:
            raise ValueError(f"the genome is of version {head.version}; this program reads version {VERSION}")
        file = msgspec.json.decode(text, type=GenomeFile)
    except msgspec.DecodeError as error:
        raise ValueError(f"no genome: {error}") from None
    if file.kind != KIND:
        raise ValueError(f"the genome is of kind {file.kind[:40]!r}, not {KIND!r}")
    schema = schema_written(file.schema, file.schema_version)
    if file.nodes < 1:
        raise ValueError(f"a player needs a node a move, not {file.nodes}")

    def values(of: Schema, named: dict[str, float]) -> Values:
        names = [gene.name for gene in of.genes]
        if strange := sorted(set(named) ^ set(names)):
            raise ValueError(f"{strange[0][:60]!r} is in the genome or in {of.name}, but not in both")
        return tuple(named[name] for name in names)

    neutral = {gene.name: gene.standard for gene in SEARCH.genes}
    genome = Genome(file.program, values(SEARCH, neutral | file.search), values(schema, file.weights))
    return Read(schema, checked(schema, genome), file.nodes, file.lineage)


_CHAMPIONS = files(__package__) / "champions"


def champion_games(bot: str = CHAMPION) -> tuple[str, ...]:
    """Return the games for which a bot has a shipped champion."""
    names = (each.name for each in (_CHAMPIONS / bot).iterdir())
    return tuple(sorted(name.removesuffix(".json") for name in names if name.endswith(".json")))


def champion(game: str, bot: str = CHAMPION) -> Read:
    """Return a bot's champion of a game. Raises KeyError, with a message that lists the games, where there is none."""
    if game not in (games := champion_games(bot)):
        raise KeyError(f"{bot} has no champion of {game[:60]!r}; it has those of {', '.join(games)}")
    return read((_CHAMPIONS / bot / f"{game}.json").read_bytes())
