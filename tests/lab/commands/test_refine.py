# SPDX-License-Identifier: GPL-3.0-or-later
"""The command that refines genomes."""

import json
from pathlib import Path

import pytest

from arena.cli import main
from bots.evolution.evochess.genome import SEARCH, read, schema_for, standard, write
from bots.evolution.history import BEST

QUICK = ("--pairs", "2", "--nodes", "40")


def genome(folder: Path) -> str:
    path = folder / "start.json"
    schema = schema_for("checkers")
    path.write_text(write(schema, standard(schema), 60))
    return str(path)


def test_a_genome_is_refined(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run"
    assert main(["lab", "refine", genome(tmp_path), "--out", str(out), *QUICK, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["game"], told["pairs"], told["best"]) == ("checkers", 2, str(out / BEST))
    kept = read((out / BEST).read_bytes())
    assert list(told["after"].values()) == list(kept.genome.search)
    assert list(told["after"]) == [gene.name for gene in SEARCH.genes]
    assert main(["lab", "refine", genome(tmp_path), "--out", str(tmp_path / "w"), "--what", "weights", *QUICK]) == 0
    assert f"the genome is in {tmp_path / 'w' / BEST}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["none.json"], "none.json: No such file"),
        (["broken.json"], "no genome"),
        (["evochess", "--game", "nim"], "nim"),
        (["start.json", "--nodes", "0"], "--nodes must be 1 or more"),
        (["start.json", "--trial", "7"], "trial must be from"),
    ],
)
def test_invalid_input_is_refused_before_any_game(
    arguments: list[str],
    complaint: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    genome(tmp_path)
    Path("broken.json").write_text("{}")
    assert main(["lab", "refine", *arguments, "--out", "run"]) != 0
    assert complaint in capsys.readouterr().err
    assert not Path("run").exists()
