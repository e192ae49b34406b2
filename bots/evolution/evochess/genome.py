# SPDX-License-Identifier: GPL-3.0-or-later
"""Genomes of three modules: a depth program, the order of moves with the frame's habits, and an evaluation's weights.

As files they are versioned JSON that names the schema of its weights; see ``bots.evolution.genome`` for genomes that
are weights alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite

import msgspec

from bots.evolution.genes import Gene, Schema, Values, schema_named, schema_written
from bots.evolution.operators import Chance
from bots.evolution.programs.growth import gibberish
from bots.evolution.programs.program import Program, Token, check
from bots.evolution.steered.steering import ALL, CAPTURES_FIRST, NEVER, NOTHING, PLAIN, Daring, Steering

VERSION = 3

_ORDER = (
    "a man captured",
    "a losing capture",
    "first killer",
    "second killer",
    "history",
    "answer",
    "a wasted move",
    "sequel",
    "own sequel",
    "a clean capture",
)
_DARES = (
    ("standing", 0.05, NEVER, (0.3, 1.2)),
    ("hope", 0.0, NEVER, (0.0, 1.0)),
    ("hope a ply", 0.0, 5.0, (0.2, 0.8)),
    ("few", 1.0, ALL, (2.0, 10.0)),
    ("risk", 0.05, NEVER, (0.3, 1.5)),
    ("trust", 0.0, NEVER, (0.3, 1.5)),
    ("despair", 0.0, NEVER, (0.3, 1.5)),
    ("late", 0.0, 2.0, (0.3, 0.9)),
    ("settled", 0.0, 20.0, (1.0, 4.0)),
    ("lighter", 0.0, 4.0, (1.0, 3.0)),
    ("narrow", 0.1, NEVER, (0.3, 1.2)),
    ("esteem", 0.0, 3.0, (0.0, 1.0)),
    ("refuted", 0.0, 3.0, (0.0, 1.0)),
    ("principal", 0.0, 3.0, (0.0, 1.0)),
    ("worse", 0.0, 3.0, (0.0, 1.0)),
    ("disdain", 0.01, NEVER, (0.1, 1.0)),
    ("unknown", 0.0, 3.0, (0.0, 1.0)),
    ("surplus", 0.0, 3.0, (0.0, 1.0)),
    ("learning", 0.0, 0.5, (0.01, 0.2)),
    ("better", 0.0, 3.0, (0.0, 1.0)),
    ("foresight", 0.0, 1.0, (0.0, 1.0)),
    ("evasive", 0.0, 3.0, (0.0, 1.0)),
)
"""Bounds of the margins of ``Daring``, and where they begin: about where engines have theirs."""

HABITS = Schema(
    "habits",
    1,
    "",
    "",
    (
        *(
            Gene(name, 0.0, 400.0, (0.0, 100.0), standard)
            for name, standard in zip(_ORDER, CAPTURES_FIRST, strict=True)
        ),
        Gene("verifies", 0.0, 1.0, (0.0, 1.0), 0.0),
        Gene("passes", 0.0, 1.0, (0.0, 1.0), 0.0),
        Gene("patience", 0.1, 1.0, (0.2, 0.6), 0.5),
        Gene("follows", 0.0, 1.0, (0.0, 1.0), 0.0),
        Gene("recalls", 0.0, 1.0, (0.0, 1.0), 0.0),
        Gene("remembers", 0.0, 1.0, (0.0, 1.0), 0.0),
        Gene("steady", 0.0, 0.5, (0.0, 0.2), 0.0),
        *(
            Gene(name, low, high, first, standard)
            for (name, low, high, first), standard in zip(_DARES, NOTHING, strict=True)
        ),
    ),
)
"""The order of moves, and what the frame does. It verifies, passes, follows, recalls and remembers where
the gene is more than 1/2. Standard are the rivals' habits."""

ORDERED = len(_ORDER)
"""So many genes of the habits are the order of moves."""
VERIFIES, PASSES, PATIENCE, FOLLOWS, RECALLS, REMEMBERS, STEADY, DARES = range(ORDERED, ORDERED + 8)

SWITCHES = (VERIFIES, PASSES, FOLLOWS, RECALLS, REMEMBERS)
"""Places of the habits that the frame has or has not."""

SCHEMAS = {"chess": "chess/evochess", "checkers": "checkers/lecture"}
"""What the weights of a game's players are."""


class Genome(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an individual is bred from."""

    program: Program
    habits: Values
    weights: Values


class GenomeFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What stands in a file."""

    version: int
    kind: str
    schema: str
    schema_version: int
    program: tuple[Token, ...]
    habits: dict[str, float]
    weights: dict[str, float]
    nodes: int
    """Visited a move, on average."""
    lineage: dict[str, object] = {}
    """Where it comes from, for people and programs; nothing depends on it."""


KIND = "steered"


@dataclass(frozen=True, slots=True)
class Read:
    """What a file said."""

    schema: Schema
    genome: Genome
    nodes: int
    lineage: Mapping[str, object] = field(default_factory=dict, compare=False, hash=False)


def schema_for(game: str) -> Schema:
    """Return what the weights of a game's players are. Raises KeyError, with a message that lists the games."""
    if game not in SCHEMAS:
        raise KeyError(f"no steered players are bred in {game[:60]!r}; they are for {', '.join(SCHEMAS)}")
    return schema_named(SCHEMAS[game])


def checked(schema: Schema, genome: Genome) -> Genome:
    """Return a genome as it is kept. Raises ValueError, with a message for people, when it is none of the schema."""
    if not all(map(isfinite, (*genome.habits, *genome.weights))):
        raise ValueError("a genome is made of finite numbers")
    return Genome(check(genome.program), HABITS.check(genome.habits), schema.check(genome.weights))


def express(schema: Schema, genome: Genome) -> Steering:
    """Return how the player of a genome searches. Raises ValueError as ``checked`` does."""
    genome = checked(schema, genome)
    habits = genome.habits
    return Steering(
        program=genome.program,
        order=habits[:ORDERED],
        evaluation=schema.express(genome.weights),
        verifies=habits[VERIFIES] > 0.5,
        passes=habits[PASSES] > 0.5,
        patience=habits[PATIENCE],
        follows=habits[FOLLOWS] > 0.5,
        recalls=habits[RECALLS] > 0.5,
        remembers=habits[REMEMBERS] > 0.5,
        steady=habits[STEADY],
        dares=Daring(*habits[DARES:]),
    )


def drawn(schema: Schema, chance: Chance, weights: Values = ()) -> Genome:
    """Return a genome at random: gibberish, and numbers anywhere they may begin, but for weights that are given."""

    def numbers(of: Schema) -> Values:
        return of.fitted([chance.uniform(*gene.first) for gene in of.genes])

    return Genome(gibberish(chance), numbers(HABITS), weights or numbers(schema))


def standard(schema: Schema) -> Genome:
    """Return what people would begin with: the same depth everywhere, captures first."""
    return Genome(PLAIN, HABITS.standard, schema.standard)


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
        named(HABITS, genome.habits),
        named(schema, genome.weights),
        nodes,
        dict(lineage or {}),
    )
    return msgspec.json.format(msgspec.json.encode(file)).decode() + "\n"


def is_one(text: str | bytes) -> bool:
    """Return whether a text means to be such a genome, rather than one of weights alone."""
    try:
        return msgspec.json.decode(text, type=dict[str, object]).get("kind") == KIND
    except msgspec.DecodeError:
        return False


def read(text: str | bytes) -> Read:
    """Return what a file says.

    Raises ValueError, with a message for people, when it is no genome, is of another version or of a schema that is not
    registered, has other genes than that, one out of bounds, or a program that is none.
    """
    try:
        file = msgspec.json.decode(text, type=GenomeFile)
    except msgspec.DecodeError as error:
        raise ValueError(f"no genome: {error}") from None
    if file.version != VERSION or file.kind != KIND:
        raise ValueError(f"the genome is {file.kind[:40]!r} of version {file.version}; this is {KIND!r} {VERSION}")
    schema = schema_written(file.schema, file.schema_version)
    if file.nodes < 1:
        raise ValueError(f"a player needs a node a move, not {file.nodes}")

    def values(of: Schema, named: dict[str, float]) -> Values:
        names = [gene.name for gene in of.genes]
        if strange := sorted(set(named) ^ set(names)):
            raise ValueError(f"{strange[0][:60]!r} is in the genome or in {of.name}, but not in both")
        return tuple(named[name] for name in names)

    genome = Genome(file.program, values(HABITS, file.habits), values(schema, file.weights))
    return Read(schema, checked(schema, genome), file.nodes, file.lineage)
