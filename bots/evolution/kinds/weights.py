# SPDX-License-Identifier: GPL-3.0-or-later
"""Genomes that are the weights of an evaluation: the registered schemas."""

from bots.evolution.family import Family
from bots.evolution.genome import SCHEMAS, schema_named

FAMILY = Family(
    f"one of {', '.join(SCHEMAS)}",
    "a set of weights of an evaluation; players look --depth plies ahead",
    lambda game: [schema.name for schema in SCHEMAS.values() if schema.game == game],
    lambda breed: schema_named(breed.schema),
    usual=True,
)
