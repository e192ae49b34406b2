# SPDX-License-Identifier: GPL-3.0-or-later
import asyncio
import hashlib
import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.cli import main
from arena.store import Store
from tests.arena.store.company import play, versions
from tests.databases import found

ROOT = Path(__file__).parents[3]
PLAYED = 31
"""Matches that only the write-ahead log holds."""
HOLDER = """
import asyncio, sqlite3, sys
from arena.store import Store
from tests.arena.store.company import play, versions

async def main():
    store = await Store.open(sys.argv[1])
    await store.claim()
    with sqlite3.connect(store.file) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    first, second = await versions(store, "marion", "tinsley")
    for _ in range(int(sys.argv[2])):
        await play(store, first, second)
    print("played", flush=True)
    sys.stdin.read()

asyncio.run(main())
"""
"""A server on a database, in which matches are played; it ends with its standard input, and not in good order."""


def test_a_backup_is_an_arena(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found(tmp_path / "arena")
    main(["bots", "add", "marion", "--data", str(tmp_path / "arena")])
    copy = tmp_path / "copy" / "arena.db"
    copy.parent.mkdir()
    assert main(["database", "backup", str(copy), "--data", str(tmp_path / "arena")]) == 0
    capsys.readouterr()
    assert main(["bots", "list", "--data", str(copy.parent), "--json"]) == 0
    assert [bot["name"] for bot in json.loads(capsys.readouterr().out)["items"]] == ["marion"]
    assert main(["database", "backup", str(copy), "--data", str(tmp_path / "arena")]) == 2
    assert "exists already" in capsys.readouterr().err


def test_prune_prints_the_number_of_matches(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found(tmp_path)
    assert main(["database", "prune", "--days", "30", "--data", str(tmp_path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"matches": 0}


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Path]:
    """The folder of a running server; its last matches are only in the write-ahead log."""
    folder = tmp_path / "live"
    found(folder)
    command = [sys.executable, "-c", HOLDER, f"sqlite:///{folder / 'arena.db'}", str(PLAYED)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == "played\n"
        yield folder
        server.kill()


def verify(data: Path, capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, int]:
    """Return how often ``arena verify`` found that something is missing; what these matches hold is no game."""
    capsys.readouterr()
    code = main(["verify", "--data", str(data), "--json", *options])
    counts: dict[str, int] = json.loads(capsys.readouterr().out)["report"]["counts"]
    assert code == bool(counts)
    return {check: times for check, times in counts.items() if check in (LOST, LIVE)}


LOST, LIVE = "nothing of the backup's manifest is missing", "the database file is whole"


def backup(data: Path, folder: Path) -> Path:
    """Make a backup in a folder of its own; returns the folder."""
    folder.mkdir()
    assert main(["database", "backup", str(folder / "arena.db"), "--data", str(data)]) == 0
    return folder


def test_a_backup_of_a_running_server_is_complete_and_has_a_manifest(
    live: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = backup(live, tmp_path / "copy")
    manifest = json.loads((copy / "arena.db.manifest.json").read_text())
    assert manifest["matches"] == manifest["finished"] == PLAYED
    assert manifest["match_numbers"] == [[1, PLAYED]]
    assert manifest["last_matches"] == list(range(PLAYED, PLAYED - 10, -1))
    assert manifest["sha256"] == hashlib.sha256((copy / "arena.db").read_bytes()).hexdigest()
    assert (manifest["events"], manifest["ratings"], manifest["bots"]) == (2 * PLAYED, 2, 2)
    assert verify(copy, capsys) == {}
    assert verify(live, capsys) == {}, "the server's own file is whole, with its log"
    assert main(["database", "backup", str(copy / "arena.db"), "--data", str(live)]) == 2


def test_a_copy_of_a_live_file_without_its_log_is_detected(
    live: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    shutil.copyfile(live / "arena.db", copy / "arena.db")
    assert verify(copy, capsys) == {LIVE: 1}
    with sqlite3.connect(copy / "arena.db") as connection:
        assert connection.execute("SELECT count(*) FROM match").fetchone() == (0,), "the matches are lost"
    connection.close()


def test_missing_rows_of_the_manifest_are_found(live: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = backup(live, tmp_path / "copy")
    cut = tmp_path / "cut"
    cut.mkdir()
    shutil.copyfile(copy / "arena.db.manifest.json", cut / "arena.db.manifest.json")
    shutil.copyfile(copy / "arena.db", cut / "arena.db")
    with sqlite3.connect(cut / "arena.db") as connection:
        for table, key in (("event", "match_id"), ("player", "match_id"), ("match", "id")):
            connection.execute(f"DELETE FROM {table} WHERE {key} IN (7, 8, {PLAYED})")
    connection.close()
    capsys.readouterr()
    assert main(["verify", "--data", str(cut)]) == 1
    printed = capsys.readouterr().out
    assert "compared with the manifest" in printed
    for line in ("matches 7 to 8: missing", f"match {PLAYED}: missing", "finished: 28, not 31", "events: 56, not 62"):
        assert line in printed
    named = str(copy / "arena.db.manifest.json")
    assert verify(tmp_path / "live", capsys, "--manifest", named) == {}, "it may have more"


def test_a_changed_byte_of_an_unused_backup_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found(tmp_path / "arena")
    copy = backup(tmp_path / "arena", tmp_path / "copy")
    with sqlite3.connect(copy / "arena.db") as connection:
        connection.execute("UPDATE server SET host = 'elsewhere'")
    connection.close()
    assert verify(copy, capsys) == {LOST: 1}


def test_a_backup_that_is_served_again_has_more_than_its_manifest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found(tmp_path / "arena")
    copy = backup(tmp_path / "arena", tmp_path / "copy")

    async def serve() -> None:
        async with await Store.open(f"sqlite:///{copy / 'arena.db'}") as store:
            await store.claim()
            first, second = await versions(store, "marion", "tinsley")
            await play(store, first, second)

    asyncio.run(serve())
    assert verify(copy, capsys) == {}


def test_an_unreadable_manifest_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found(tmp_path)
    (tmp_path / "arena.db.manifest.json").write_text("{}")
    assert main(["verify", "--data", str(tmp_path)]) == 2
    assert "the manifest" in capsys.readouterr().err
