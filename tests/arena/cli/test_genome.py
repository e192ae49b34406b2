# SPDX-License-Identifier: GPL-3.0-or-later
"""The command that shows a genome."""

from pathlib import Path

import msgspec
import pytest

from arena.cli import main
from arena.protocol.exhibits import Exhibit
from bots.evolution import genome as weights
from bots.evolution.evochess.champions import champion
from bots.evolution.evochess.genome import standard, write
from bots.evolution.genes import schema_for, schema_named


def test_the_champion_is_taken_apart(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["genome", "evochess", "--json"]) == 0
    shown = msgspec.json.decode(capsys.readouterr().out, type=Exhibit)
    assert shown.nodes == champion("chess").nodes
    assert shown.formula
    assert not shown.looks
    assert main(["genome", "evochess"]) == 0
    told = capsys.readouterr().out
    assert f"depth left: {shown.formula}" in told
    assert "castled king" in told


def test_the_search_trace_of_a_position(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, schema = tmp_path / "mine.json", schema_named("checkers/lecture")
    path.write_text(write(schema, standard(schema), 400))
    assert main(["genome", str(path), "--looks", "--json"]) == 0
    shown = msgspec.json.decode(capsys.readouterr().out, type=Exhibit)
    (look, *_) = shown.looks
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
    assert main(["genome", str(path), "--looks"]) == 2
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
