# SPDX-License-Identifier: GPL-3.0-or-later
import asyncio
import json
from pathlib import Path

import pytest

from arena.cli import main
from arena.connections.admission import hash_token
from arena.store import Store
from tests.databases import found


async def holder(data: Path, token: str) -> str | None:
    """Return the bot of a token."""
    async with await Store.open(f"sqlite:///{data / 'arena.db'}") as store:
        bot = await store.bots.by_token(hash_token(token))
        return bot.name if bot else None


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an arena, as the environment names it."""
    monkeypatch.setenv("ARENA_DATA", str(tmp_path / "arena"))
    monkeypatch.delenv("ARENA_DATABASE_URL", raising=False)
    found(tmp_path / "arena")
    return tmp_path / "arena"


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    """Run a command and return its JSON."""
    capsys.readouterr()
    assert main([*arguments, "--json"]) == 0
    parsed = json.loads(capsys.readouterr().out)
    assert isinstance(parsed, dict)
    return parsed


def test_a_bot_comes_gets_a_new_token_and_goes(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = str(answer(capsys, "bots", "add", "marion", "--owner", "Arthur")["token"])
    assert asyncio.run(holder(data, first)) == "marion"
    listed = answer(capsys, "bots", "list")["items"]
    assert isinstance(listed, list)
    assert [(bot["name"], bot["owner"]) for bot in listed] == [("marion", "Arthur")]
    assert first not in json.dumps(listed)
    second = str(answer(capsys, "bots", "rotate", "Marion")["token"])
    assert asyncio.run(holder(data, first)) is None
    assert asyncio.run(holder(data, second)) == "marion"
    answer(capsys, "bots", "remove", "marion")
    assert asyncio.run(holder(data, second)) is None
    assert answer(capsys, "bots", "list")["items"] == []


def test_people_are_shown_the_token_once(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bots", "add", "marion"]) == 0
    token = capsys.readouterr().out.splitlines()[-1]
    assert asyncio.run(holder(data, token)) == "marion"
    assert main(["bots", "list"]) == 0
    shown = capsys.readouterr().out
    assert "marion" in shown
    assert token not in shown


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["bots", "remove", "tinsley"], "no bot is called tinsley"),
        (["bots", "add", "two words"], "not a name for a bot"),
        (["bots", "add", "marion"], "taken"),
        (["bots", "list", "--database-url", "mysql://x/y"], "SQLite file or in PostgreSQL"),
        (["backup", "/nowhere/at/all.zip"], "the backup failed: No such file or directory"),
        (["restore", "/nowhere/at/all.zip"], "cannot be read: No such file or directory"),
        (["database", "prune", "--days", "-1"], "--days must be 0 or more (got -1)"),
        (["database", "prune", "--days", "nan"], "--days must be 0 or more (got nan)"),
        (["verify", "--findings", "-1"], "--findings must be 0 or more (got -1)"),
    ],
)
def test_errors_are_one_line(data: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], reason: str) -> None:
    main(["bots", "add", "marion"])
    capsys.readouterr()
    assert main(arguments) == 2
    told = capsys.readouterr().err
    assert reason in told
    assert told.count("\n") == 1


@pytest.mark.parametrize(
    "command",
    [
        ["bots", "list"],
        ["bots", "add", "marion"],
        ["matches", "list"],
        ["leaderboard", "nim"],
        ["tournament", "list"],
        ["verify"],
        ["database", "prune", "--days", "1"],
        ["backup", "backup.zip"],
    ],
    ids=" ".join,
)
def test_where_there_is_no_arena_none_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    for folder in (tmp_path / "wrong", tmp_path):
        assert main([*command, "--data", str(folder)]) == 2
        assert (
            f"there is no arena in {folder}; start `arena serve` to create one, or choose another folder with --data\n"
            in capsys.readouterr().err
        )
    assert list(tmp_path.iterdir()) == []
