# SPDX-License-Identifier: GPL-3.0-or-later
"""The command that solves games with hidden information."""

from pathlib import Path

import msgspec
import pytest

from arena.cli import main
from engine.games import find
from engine.regret.strategy import read


def test_json_for_programs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "kuhn.json"
    assert main(["solve", "kuhn", "--algorithm", "cfr+", "--iterations", "200", "--output", str(file), "--json"]) == 0
    found = msgspec.json.decode(capsys.readouterr().out)
    assert found["value"] == pytest.approx(-1 / 18, abs=1e-3)
    assert found["exploitability"] < 1e-3
    assert found["seconds"] > 0
    assert found["compile_seconds"] > 0
    assert (found["algorithm"], found["iterations"], found["information_sets"]) == ("cfr+", 200, 12)
    strategy = read(find("kuhn"), file.read_bytes())
    assert strategy.command == "arena solve kuhn --algorithm cfr+ --iterations 200"
    assert strategy.exploitability == pytest.approx(found["exploitability"], abs=1e-5)


def test_a_table_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "kuhn", "--algorithm", "mccfr", "--iterations", "20", "--seed", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["iterations", "1", "10", "20", "55"]
    assert "12 information sets; compiled in" in lines[-1]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["kuhn", "--iterations", "0"], "--iterations must be 1 or more"),
        (["kuhn", "--output", "/no/such/folder/kuhn.json"], "is not a directory"),
        (["poker"], "no game is called 'poker'"),
    ],
)
def test_mistakes_are_reported_in_one_line(
    arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["solve", *arguments]) == 2
    assert reason in capsys.readouterr().err
