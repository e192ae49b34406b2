# SPDX-License-Identifier: GPL-3.0-or-later
"""Genomes as files: versioned JSON that names its schema, every value under the name of its gene."""

from collections.abc import Mapping
from math import isfinite

import msgspec

from bots.evolution.genes import Schema, Values, schema_written

VERSION = 1


class GenomeFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What stands in a file."""

    version: int
    schema: str
    schema_version: int
    values: dict[str, float]
    lineage: dict[str, object] = {}
    """Where it comes from, for people and programs; nothing depends on it."""


def write(schema: Schema, values: Values, lineage: Mapping[str, object] | None = None) -> str:
    """Write a genome as JSON."""
    named = {gene.name: value for gene, value in zip(schema.genes, values, strict=True)}
    file = GenomeFile(VERSION, schema.name, schema.version, named, dict(lineage or {}))
    return msgspec.json.format(msgspec.json.encode(file)).decode() + "\n"


def read(text: str | bytes) -> tuple[Schema, Values]:
    """Return the schema and the values of a genome.

    Raises ValueError, with a message for people, when it is none, is of another version or of a schema that is not
    registered, has other genes than it, or one is out of bounds.
    """
    try:
        file = msgspec.json.decode(text, type=GenomeFile)
    except msgspec.DecodeError as error:
        raise ValueError(f"no genome: {error}") from None
    if file.version != VERSION:
        raise ValueError(f"the genome is of version {file.version}; this is version {VERSION}")
    schema = schema_written(file.schema, file.schema_version)
    names = [gene.name for gene in schema.genes]
    if strange := sorted(set(file.values) ^ set(names)):
        raise ValueError(f"{strange[0][:60]!r} is in the genome or in {schema.name}, but not in both")
    values = [file.values[name] for name in names]
    if not all(map(isfinite, values)):
        raise ValueError("a genome is made of finite numbers")
    return schema, schema.check(values)
