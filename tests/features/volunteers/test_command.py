# SPDX-License-Identifier: GPL-3.0-or-later
"""The command that lets islands in, lists them, lifts them and lets them in no more."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from arena.cli import main
from arena.connections.admission import hash_token
from arena.features.volunteers.records import IslandRecords
from arena.store import Store


def run(capsys: pytest.CaptureFixture[str], folder: Path, *arguments: str) -> Any:
    """Return what the command prints for programs."""
    assert main(["islands", *arguments, "--data", str(folder), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of an arena."""

    async def found() -> None:
        async with await Store.open(f"sqlite:///{tmp_path / 'arena.db'}"):
            pass

    asyncio.run(found())
    return tmp_path


def test_an_island_is_let_in_listed_and_removed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = run(capsys, folder, "add", "Marion's laptop")

    async def known() -> str | None:
        async with await Store.open(f"sqlite:///{folder / 'arena.db'}") as store:
            row = await store.records(IslandRecords).by_token(hash_token(made["token"]))
            return None if row is None else row.name

    assert asyncio.run(known()) == "Marion's laptop"
    (item,) = run(capsys, folder, "list")["items"]
    assert (item["name"], item["admitted"], item["game"], item["report"]) == ("Marion's laptop", True, None, None)
    assert run(capsys, folder, "lift", "Marion's laptop") == {"lifted": "Marion's laptop"}
    assert run(capsys, folder, "remove", "Marion's laptop") == {"removed": "Marion's laptop"}
    assert asyncio.run(known()) is None
    (item,) = run(capsys, folder, "list")["items"]
    assert (item["admitted"], item["lifts"]) == (False, 1)
    assert main(["islands", "list", "--data", str(folder)]) == 0
    assert "removed" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["add", "one"], "there is an island called one"),
        (["add", " "], "is not a name for an island"),
        (["lift", "nobody"], "no island is called nobody"),
        (["remove", "nobody"], "no island is called nobody"),
    ],
)
def test_impossible_requests_are_reported(
    arguments: list[str], why: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, folder, "add", "one")
    assert main(["islands", *arguments, "--data", str(folder)]) == 2
    assert why in capsys.readouterr().err


def test_what_it_changes_is_in_the_audit_log(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = run(capsys, folder, "add", "sherwood")
    run(capsys, folder, "list")
    run(capsys, folder, "remove", "sherwood")
    assert main(["database", "audit", "--data", str(folder), "--json"]) == 0
    text = capsys.readouterr().out
    assert [entry["action"] for entry in json.loads(text)["items"]] == ["arena islands remove", "arena islands add"]
    assert made["token"] not in text
