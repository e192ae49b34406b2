# SPDX-License-Identifier: GPL-3.0-or-later
import getpass
import json
import socket
from pathlib import Path

import pytest

from arena.cli import main
from tests.databases import found

CHANGING = [
    ["bots", "add", "robin", "--owner", "marion"],
    ["bots", "rotate", "robin"],
    ["bots", "remove", "robin"],
    ["database", "prune", "--days", "7"],
]
READING = [["bots", "list"], ["matches", "list"], ["database", "audit"], ["verify"]]


def listed(data: Path, capsys: pytest.CaptureFixture[str], *options: str) -> list[dict[str, object]]:
    capsys.readouterr()
    assert main(["database", "audit", "--data", str(data), "--json", *options]) == 0
    items: list[dict[str, object]] = json.loads(capsys.readouterr().out)["items"]
    return items


def test_only_changing_commands_are_in_the_audit_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found(tmp_path)
    for words in CHANGING + READING:
        assert main([*words, "--data", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    entries = listed(tmp_path, capsys)[::-1]
    assert [entry["action"] for entry in entries] == [f"arena {' '.join(words[:2])}" for words in CHANGING]
    assert {entry["account"] for entry in entries} == {getpass.getuser()}
    assert {entry["origin"] for entry in entries} == {f"command line on {socket.gethostname()}"}
    assert entries[0]["details"] == {"name": "robin", "owner": "marion"}
    tokens = [line for line in printed.splitlines() if line.startswith("arena_")]
    assert len(tokens) == 2
    assert not any(token in json.dumps(entries) for token in tokens)


def test_the_log_is_shown_as_a_table_and_by_date(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found(tmp_path)
    main(["bots", "add", "robin", "--data", str(tmp_path)])
    capsys.readouterr()
    assert main(["database", "audit", "--data", str(tmp_path)]) == 0
    assert "arena bots add" in capsys.readouterr().out
    assert listed(tmp_path, capsys, "--since", "2100-01-01") == []
    assert len(listed(tmp_path, capsys, "--since", "2020-01-31T12:00", "--limit", "9")) == 1
    assert main(["database", "audit", "--data", str(tmp_path), "--limit", "0"]) == 2
    with pytest.raises(SystemExit):
        main(["database", "audit", "--data", str(tmp_path), "--since", "yesterday"])


def test_filling_a_database_is_in_the_audit_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "fill", "--bots", "4", "--matches", "9", "--data", str(tmp_path), "--json"]) == 0
    (entry,) = listed(tmp_path, capsys)
    assert (entry["action"], entry["details"]) == (
        "arena lab fill",
        {"bots": 4, "matches": 9, "game": "checkers", "seed": 0},
    )
