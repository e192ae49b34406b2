# SPDX-License-Identifier: GPL-3.0-or-later
"""The command that shows and stores a genome."""

import asyncio
from pathlib import Path

import msgspec
import pytest

from arena.cli import main
from arena.features.genomes.records import GenomeRecords, GenomeRow
from arena.protocol.genome_views import GenomeView
from arena.store import Store
from bots.evolution import genome as weights
from bots.evolution.evochess.bot import label as search_label
from bots.evolution.evochess.genome import champion, read, standard, write
from bots.evolution.genome import SCHEMAS, schema_for, schema_named
from bots.evolution.player import label
from tests.databases import found


def test_the_champion_is_taken_apart(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["genome", "evochess", "--json"]) == 0
    shown = msgspec.json.decode(capsys.readouterr().out, type=GenomeView)
    assert shown.nodes == champion("chess").nodes
    assert shown.formula
    assert not shown.search_traces
    assert main(["genome", "evochess"]) == 0
    told = capsys.readouterr().out
    assert f"remaining depth: {shown.formula}" in told
    assert "castled king" in told


def test_the_search_trace_of_a_position(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, schema = tmp_path / "mine.json", schema_named("checkers/lecture")
    path.write_text(write(schema, standard(schema), 400))
    assert main(["genome", str(path), "--traces", "--json"]) == 0
    shown = msgspec.json.decode(capsys.readouterr().out, type=GenomeView)
    (look, *_) = shown.search_traces
    assert [search.name for search in look.searches] == ["mine", "f-negascout-5", "alpha-beta-5"]
    assert main(["genome", str(path), "--position", look.position]) == 0
    told = capsys.readouterr().out
    assert look.position in told
    assert f"{look.searches[1].nodes:,}" in told
    assert look.searches[0].branches[0].move in told


def test_a_genome_of_weights_has_only_those(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, schema = tmp_path / "weights.json", schema_for("chess")
    path.write_text(weights.write(schema, schema.standard))
    assert main(["genome", str(path)]) == 0
    assert "knight" in capsys.readouterr().out
    assert main(["genome", str(path), "--traces"]) == 2
    assert "has only evaluation weights" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["nowhere.json"], "No such file"),
        (["evochess", "--game", "nim"], "no champion of 'nim'"),
        (["evochess", "--position", "nonsense"], "arena genome: "),
        (["evochess", "--position", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"], "the game is over"),
    ],
)
def test_invalid_genomes_and_positions_are_errors(
    arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["genome", *arguments]) == 2
    assert why in capsys.readouterr().err


def test_a_genome_is_stored_as_that_of_a_bot(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    data, path, schema = tmp_path / "arena", tmp_path / "genome.json", SCHEMAS["checkers/lecture"]
    found(data)
    place = ("--data", str(data))

    async def genomes() -> list[GenomeRow]:
        async with await Store.open(f"sqlite:///{data / 'arena.db'}") as store:
            return list(await store.records(GenomeRecords).of_game("checkers"))

    path.write_text(weights.write(schema, schema.standard))
    assert main(["genome", str(path), "--bot", "evolved", *place]) == 2
    assert "no bot is called evolved" in capsys.readouterr().err
    for name in ("evolved", "search"):
        assert main(["bots", "add", name, *place]) == 0
    assert main(["genome", str(path), "--bot", "evolved", *place, "--json"]) == 0
    (row,) = asyncio.run(genomes())
    assert (row.bot, row.version, row.view) == ("evolved", label(schema, schema.standard), None)
    assert weights.read(bytes(row.genome)) == (schema, schema.standard)
    path.write_text("{}")
    assert main(["genome", str(path), "--bot", "evolved", *place]) == 2
    assert "no genome" in capsys.readouterr().err
    assert asyncio.run(genomes()) == [row]
    kind = schema_for("checkers")
    path.write_text(write(kind, standard(kind), 200))
    assert main(["genome", str(path), "--bot", "search", *place]) == 0
    _, row = asyncio.run(genomes())
    kept = read(path.read_bytes())
    assert (row.bot, row.version) == ("search", search_label(kept))
    assert read(bytes(row.genome)) == kept
    assert row.view is not None
    assert (row.view.formula, row.view.nodes) == ("horizon", 200)
