# SPDX-License-Identifier: GPL-3.0-or-later
"""Dynamics of numbers around a given search: its program stays, and only the chosen numbers change."""

import json
from pathlib import Path

import msgspec
import pytest

from arena.cli import main
from bots.evolution.breeding import VERSION, Breed, arenas_of, first, played
from bots.evolution.evochess.genome import SEARCH, Genome, read, schema_for, write
from bots.evolution.evochess.numbers import Numbers
from bots.evolution.evochess.searches import genotype_of
from bots.evolution.family import CHANGING

CHECKERS = schema_for("checkers")
BASE = Genome(("if", "threatens", "deeper", "horizon", "horizon"), SEARCH.standard, CHECKERS.standard)
BREED = Breed(
    VERSION, "checkers/search", "spsa", 8, 5, {"generations": 4.0}, plies=100, nodes=200, guests=(genotype_of(BASE),)
)


@pytest.mark.parametrize("dynamics", ["spsa", "cma-es", "kendall-whitwell"])
@pytest.mark.parametrize("changing", CHANGING)
def test_only_the_chosen_numbers_change(dynamics: str, changing: str) -> None:
    breed = msgspec.structs.replace(BREED, dynamics=dynamics, options={}, numbers=changing)
    kind = breed.genes
    assert isinstance(kind, Numbers)
    generation = first(breed)
    with arenas_of(breed, 2) as arenas:
        for _ in range(2):
            generation = played(breed, [one.population for one in generation], arenas)
    (island,) = generation
    assert island.population.games == 2 * len(island.results) * 2
    for member in island.population.members:
        genome = kind.genome(member.genotype)
        assert genome.program == BASE.program
        assert (genome.search == BASE.search) == (changing == "weights")
        assert (genome.weights == BASE.weights) == (changing == "search")
        for gene, value in zip(SEARCH.genes, genome.search, strict=True):
            assert gene.low <= value <= gene.high


def test_spsa_begins_at_the_given_genome_and_averages_its_second_half() -> None:
    breed = msgspec.structs.replace(BREED, options={"generations": 4.0, "average": 1.0})
    generation, points = first(breed), []
    assert generation[0].population.members[0].values == genotype_of(BASE).values
    with arenas_of(breed, 1) as arenas:
        for _ in range(4):
            generation = played(breed, [one.population for one in generation], arenas)
            points.append(generation[0].population.members[0].values)
    mean = [sum(column) / 2 for column in zip(*points[2:], strict=True)]
    assert breed.best(generation[0].population).values == pytest.approx(mean)


def test_the_command_tunes_a_genome(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (path := tmp_path / "start.json").write_text(write(CHECKERS, BASE, 60))
    arguments = ["evolve", "--game", "checkers", "--dynamics", "spsa", "--schema", "checkers/search", "--nodes", "100"]
    arguments += ["--population", "8", "--generations", "3", "--plies", "100", "--out", str(tmp_path / "run")]
    assert main([*arguments, "--guest", str(path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    kept = read(Path(told["best"]).read_bytes())
    assert (kept.genome.program, kept.genome.weights, kept.nodes) == (BASE.program, BASE.weights, 100)
    assert kept.genome.search != BASE.search
    assert kept.lineage["numbers"] == "search"
    assert main(["evolve", "--show", str(tmp_path / "run")]) == 0
    assert "threatens ? deeper(horizon) : horizon" in capsys.readouterr().out
    assert main([*arguments]) != 0
    assert "give one genome with --guest, whose program stays" in capsys.readouterr().err


def test_unknown_numbers_and_another_game_s_genome_are_refused() -> None:
    with pytest.raises(ValueError, match="search, weights, both"):
        Numbers(CHECKERS, base=genotype_of(BASE), changing="program")
    with pytest.raises(ValueError, match="genes"):
        Numbers(schema_for("chess"), base=genotype_of(BASE))
