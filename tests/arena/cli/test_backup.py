# SPDX-License-Identifier: GPL-3.0-or-later
import asyncio
import json
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.cli import main
from arena.store import Store
from arena.store.backups import restoring
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


def answer(capsys: pytest.CaptureFixture[str], *command: str) -> dict[str, Any]:
    """Return the answer of a command in JSON."""
    capsys.readouterr()
    assert main([*command, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def error(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    """Return the error of a command, which is one line."""
    capsys.readouterr()
    assert main([*command]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    return told


def test_a_backup_is_restored_with_its_uploads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found(tmp_path / "arena")
    main(["bots", "add", "marion", "--data", str(tmp_path / "arena")])
    (tmp_path / "arena" / "uploads" / "abab").mkdir(parents=True)
    (tmp_path / "arena" / "uploads" / "abab" / "bot.py").write_text("print()")
    file = str(tmp_path / "backup.zip")
    made = answer(capsys, "backup", file, "--data", str(tmp_path / "arena"))
    assert (made["file"], made["files"], made["matches"]) == (file, 1, 0)
    assert made["bytes"] == (tmp_path / "backup.zip").stat().st_size
    assert answer(capsys, "restore", file, "--check")["parts"] > 20
    done = answer(capsys, "restore", file, "--verify", "--data", str(tmp_path / "new" / "folder"))
    assert done == {"rows": made["rows"], "files": 1, "schema": made["schema"], "kept": None}
    assert (tmp_path / "new" / "folder" / "uploads" / "abab" / "bot.py").read_text() == "print()"
    bots = answer(capsys, "bots", "list", "--data", str(tmp_path / "new" / "folder"))
    assert [bot["name"] for bot in bots["items"]] == ["marion"]
    log = answer(capsys, "database", "audit", "--data", str(tmp_path / "arena"))
    assert log["items"][0]["action"] == "arena backup"
    assert "exists already" in error(capsys, "backup", file, "--data", str(tmp_path / "arena"))
    monkeypatch.setenv("ARENA_UPLOAD_FOLDER", str(tmp_path / "elsewhere"))
    main(["restore", file, "--data", str(tmp_path / "third")])
    assert (tmp_path / "elsewhere" / "abab" / "bot.py").read_text() == "print()"


def test_an_arena_is_replaced_only_with_the_option(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found(tmp_path / "arena")
    main(["backup", str(tmp_path / "backup.zip"), "--data", str(tmp_path / "arena")])
    main(["bots", "add", "marion", "--data", str(tmp_path / "arena")])
    command = ["restore", str(tmp_path / "backup.zip"), "--data", str(tmp_path / "arena")]
    assert "arena.db exists: restore into another folder, or replace it with --force" in error(capsys, *command)
    bots = ["bots", "list", "--data", str(tmp_path / "arena")]
    assert len(answer(capsys, *bots)["items"]) == 1
    kept = Path(answer(capsys, *command, "--force")["kept"])
    assert answer(capsys, *bots)["items"] == []
    answer(capsys, "restore", str(kept), "--force", "--data", str(tmp_path / "arena"))
    assert len(answer(capsys, *bots)["items"]) == 1, "the way back"


def test_a_damaged_backup_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found(tmp_path / "arena")
    main(["bots", "add", "marion", "--data", str(tmp_path / "arena")])
    file = tmp_path / "backup.zip"
    main(["backup", str(file), "--data", str(tmp_path / "arena")])
    body = bytearray(file.read_bytes())
    body[len(body) // 2] ^= 1
    file.write_bytes(body)
    for option in ("--check", "--force"):
        told = error(capsys, "restore", str(file), option, "--data", str(tmp_path / "arena"))
        assert f"{file}: its checksum is wrong: the file is damaged" in told
    assert len(answer(capsys, "bots", "list", "--data", str(tmp_path / "arena"))["items"]) == 1
    assert "is not a backup of an arena" in error(capsys, "restore", __file__, "--data", str(tmp_path / "new"))


def test_nothing_is_restored_under_a_running_server(
    live: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(restoring, "PATIENCE", 0.1)
    main(["backup", str(tmp_path / "backup.zip"), "--data", str(live)])
    told = error(capsys, "restore", str(tmp_path / "backup.zip"), "--force", "--data", str(live))
    assert f"a server runs on {live / 'arena.db'}: stop it first" in told


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


LOST, LIVE = "no record of the backup is missing", "the database file is whole"


def restored(data: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Make a backup and restore it into a folder, which is returned; the backup has the same name with ``.zip``."""
    answer(capsys, "backup", f"{folder}.zip", "--data", str(data))
    answer(capsys, "restore", f"{folder}.zip", "--data", str(folder))
    return folder


def test_a_backup_of_a_running_server_is_complete(
    live: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = restored(live, tmp_path / "copy", capsys)
    with zipfile.ZipFile(tmp_path / "copy.zip") as file:
        manifest = json.loads(file.read("manifest.json"))
    counts = manifest["counts"]
    assert counts["matches"] == counts["finished"] == PLAYED
    assert counts["match_numbers"] == [[1, PLAYED]]
    assert counts["last_matches"] == list(range(PLAYED, PLAYED - 10, -1))
    assert (counts["events"], counts["ratings"], counts["bots"]) == (2 * PLAYED, 2, 2)
    for folder in (copy, live):
        assert verify(folder, capsys, "--backup", str(tmp_path / "copy.zip")) == {}
    with sqlite3.connect(copy / "arena.db") as database:
        assert database.execute("SELECT count(*) FROM match").fetchone() == (PLAYED,)
    database.close()


def test_a_copy_of_a_live_file_without_its_log_is_detected(
    live: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    shutil.copyfile(live / "arena.db", copy / "arena.db")
    assert verify(copy, capsys) == {LIVE: 1}
    with sqlite3.connect(copy / "arena.db") as connection:
        assert connection.execute("SELECT count(*) FROM match").fetchone() == (0,), "the matches are lost"
    connection.close()
    told = error(capsys, "restore", str(copy / "arena.db"), "--data", str(tmp_path / "new"))
    assert "copied while a server ran on it, without its write-ahead log" in told


def test_missing_records_of_the_backup_are_found(
    live: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cut = restored(live, tmp_path / "cut", capsys)
    with sqlite3.connect(cut / "arena.db") as connection:
        for table, key in (("event", "match_id"), ("player", "match_id"), ("match", "id")):
            connection.execute(f"DELETE FROM {table} WHERE {key} IN (7, 8, {PLAYED})")
    connection.close()
    capsys.readouterr()
    assert main(["verify", "--data", str(cut), "--backup", str(tmp_path / "cut.zip")]) == 1
    printed = capsys.readouterr().out
    assert "compared with a backup of" in printed
    for line in ("matches 7 to 8: missing", f"match {PLAYED}: missing", "finished: 28, not 31", "events: 56, not 62"):
        assert line in printed


def test_an_arena_that_is_served_again_has_more_than_its_backup(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found(tmp_path / "arena")
    copy = restored(tmp_path / "arena", tmp_path / "copy", capsys)

    async def serve() -> None:
        async with await Store.open(f"sqlite:///{copy / 'arena.db'}") as store:
            await store.claim()
            first, second = await versions(store, "marion", "tinsley")
            await play(store, first, second)

    asyncio.run(serve())
    assert verify(copy, capsys, "--backup", str(tmp_path / "copy.zip")) == {}


def test_an_unreadable_backup_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found(tmp_path)
    (tmp_path / "backup.zip").write_text("{}")
    verification = ["verify", "--data", str(tmp_path), "--backup"]
    assert "is not a backup of an arena" in error(capsys, *verification, str(tmp_path / "backup.zip"))
    assert "cannot be read: No such file" in error(capsys, *verification, str(tmp_path / "none.zip"))
