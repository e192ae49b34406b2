# SPDX-License-Identifier: GPL-3.0-or-later
"""``arena submit`` without a server: a data bot to start from, and the check of one."""

import json
from pathlib import Path

import pytest

from arena.cli import main


def test_a_template_passes_the_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["submit", "--template", "tictactoe"]) == 0
    file = tmp_path / "mine.json"
    file.write_text(capsys.readouterr().out, "utf-8")
    assert main(["submit", str(file), "--check", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["name"], found["games"]) == ("mine", ["tictactoe"])
    assert main(["submit", str(file), "--check"]) == 0
    assert f"a data bot for tictactoe: version {found['version']}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--template", "go"], "games: no game is called 'go'"),
        (["wrong.json", "--check"], "depth: Expected `int` <= 100"),
        (["none.json", "--check"], "none.json: No such file"),
        (["--check"], "name the file"),
        ([], "name the file"),
        (["wrong.json"], "--token or ARENA_TOKEN must be a token"),
        (
            ["wrong.json", "--token=t", "--url=http://127.0.0.1:9"],
            "http://127.0.0.1:9 does not answer: Connection refused",
        ),
    ],
)
def test_mistakes_are_reported_in_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    why: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_TOKEN", raising=False)
    Path("wrong.json").write_text('{"kind": "search", "version": 1, "games": {"nim": {}}, "depth": 101}', "utf-8")
    assert main(["submit", *words]) == 2
    assert why in capsys.readouterr().err
