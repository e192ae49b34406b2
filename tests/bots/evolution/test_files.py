# SPDX-License-Identifier: GPL-3.0-or-later
"""Genomes and populations as files: read back as they were, or refused."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.evolution import genome, population
from bots.evolution.genome import SCHEMAS, schema_for, schema_named
from bots.evolution.operators import chance_for
from bots.evolution.population import Result, checked, founded
from engine.games import find

CHESS = SCHEMAS["chess/men-and-mobility"]


@pytest.mark.parametrize("name", SCHEMAS)
def test_standard_values_are_the_evaluations_that_the_game_has(name: str) -> None:
    schema = SCHEMAS[name]
    evaluation = schema.express(schema.standard)
    base = find(schema.game).evaluations[schema.evaluation]
    expressed = [weight * base.points(1) for weight in evaluation.weights]
    assert expressed == [weight * evaluation.points(1) for weight in base.weights]
    assert schema.check(schema.standard) == schema.standard
    if schema.sooner:
        assert evaluation.sooner == base.sooner


@given(st.sampled_from(sorted(SCHEMAS)), st.integers(0, 2**32))
def test_a_genome_is_read_back_to_the_bit(name: str, seed: int) -> None:
    schema = SCHEMAS[name]
    for member in founded(schema, 3, chance_for(seed)).members:
        assert genome.read(genome.write(schema, member.values, {"generation": 3})) == (schema, member.values)
        schema.express(member.values).words()


def changed(**fields: Any) -> bytes:
    """Return a genome of chess with other fields; None takes one out."""
    whole = msgspec.json.decode(genome.write(CHESS, CHESS.standard)) | fields
    return msgspec.json.encode({name: value for name, value in whole.items() if value is not None})


GOOD = dict(zip((gene.name for gene in CHESS.genes), CHESS.standard, strict=True))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"", "no genome"),
        (b"[1, 2", "no genome"),
        (b"null", "no genome"),
        (genome.write(CHESS, CHESS.standard).encode()[:80], "no genome"),
        (changed(version=2), "version 2; this is version 1"),
        (changed(schema="go/stones"), "no schema of genomes is called 'go/stones'"),
        (changed(schema_version=9), "version 9 of chess/men-and-mobility"),
        (changed(values=GOOD | {"knight": 31}), "knight is 31, not from -10 to 30"),
        (changed(values=GOOD | {"pawn": 2}), "pawn is 2, not from 1 to 1"),
        (changed(values=GOOD | {"unicorn": 2}), "'unicorn' is in the genome or in"),
        (changed(values={"pawn": 1}), "but not in both"),
        (changed(values=GOOD | {"knight": "three"}), "no genome"),
        (changed(values=None), "no genome"),
        (changed(more=1), "no genome"),
        (b'{"version":1,"schema":"chess/men-and-mobility","schema_version":1,"values":{"knight":1e999}}', "genome"),
    ],
)
def test_invalid_genomes_are_refused(text: bytes, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        genome.read(text)


def test_whole_numbers_are_whole() -> None:
    checkers = schema_for("checkers")
    with pytest.raises(ValueError, match="not a whole number"):
        checkers.check((100_000, 300_000.5, 0, 0, 0))
    assert checkers.fitted((1, 300_000.4, -5, 2e9, 7)) == (100_000, 300_000, 0, 100_000, 7)


def test_games_without_genomes_are_refused() -> None:
    with pytest.raises(KeyError, match="there are no genomes for 'nim'; there are genomes for checkers, chess"):
        schema_for("nim")
    with pytest.raises(KeyError, match="no schema"):
        schema_named("x")


def spoilt(**fields: Any) -> bytes:
    """Return a population with other fields."""
    whole = msgspec.json.decode(population.write(founded(CHESS, 4, chance_for(1))))
    return msgspec.json.encode(whole | fields)


MEMBER = msgspec.to_builtins(founded(CHESS, 4, chance_for(1)).members[0])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (population.write(founded(CHESS, 4, chance_for(1)))[:500], "cut short"),
        (spoilt(version=7), "version 7"),
        (spoilt(schema="nim/heaps"), "no schema"),
        (spoilt(schema_version=2), "version 2 of"),
        (spoilt(members=[]), "numbers of the members"),
        (spoilt(members=[MEMBER, MEMBER]), "numbers of the members"),
        (spoilt(next_number=1), "numbers of the members"),
        (spoilt(members=[MEMBER, MEMBER | {"number": 1, "values": [1, 99, 3, 5, 9, 100, 0]}]), "knight is 99"),
        (spoilt(members=[MEMBER, MEMBER | {"number": 1, "values": [1, 2]}]), "has 7 genes, not 2"),
    ],
)
def test_invalid_populations_are_refused(text: bytes, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        population.read(text)


@pytest.mark.parametrize(
    ("results", "why"),
    [
        ([Result(0, 1, (1, 1)), Result(2, 9, (1, 1))], "names member 9"),
        ([Result(0, 1, (1, 1))], "not those of the pairs"),
        ([Result(2, 3, (1, 1)), Result(0, 1, (1, 1))], "not those of the pairs"),
        ([Result(0, 1, (1, 1)), Result(0, 1, (1, 1))], "not those of the pairs"),
        ([Result(0, 1, (1, 1)), Result(2, 3, (1, 1)), Result(2, 3, (1, 1))], "not those of the pairs"),
        ([Result(0, 1, (1, 2)), Result(2, 3, (1, 1))], "won, drawn or lost"),
    ],
)
def test_results_that_were_not_asked_for_are_refused(results: list[Result], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        checked(founded(CHESS, 4, chance_for(1)), results, [(0, 1), (2, 3)])
