# SPDX-License-Identifier: GPL-3.0-or-later
"""Backups of arenas that are in use."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from arena.store import Store
from arena.store.backups import saving
from arena.store.backups.archive import ArchiveReader
from arena.store.backups.restoring import restore
from arena.store.backups.saving import save
from arena.store.errors import NoArena, StoreError
from tests.arena.store.company import CHECKERS, play, versions


async def test_a_backup_of_a_busy_arena_is_of_one_moment(store: Store, database_url: str, tmp_path: Path) -> None:
    first, second = await versions(store, "marion", "tinsley")
    match_id = await store.matches.start(replace(CHECKERS, players=(first.id, second.id)))
    acknowledged = 0
    started, copied = asyncio.Event(), asyncio.Event()

    async def play_on() -> None:
        nonlocal acknowledged
        while not copied.is_set():
            await store.matches.append(match_id, [(acknowledged, b"0")])
            acknowledged += 1
            await play(store, first, second)
            if acknowledged == 10:
                started.set()

    player = asyncio.create_task(play_on())
    await started.wait()
    least = acknowledged
    saved = await asyncio.to_thread(save, database_url, {}, tmp_path / "backup.zip")
    most = acknowledged + 1
    copied.set()
    await player
    await asyncio.to_thread(restore, f"sqlite:///{tmp_path / 'copy.db'}", {}, tmp_path / "backup.zip")
    async with await Store.open(f"sqlite:///{tmp_path / 'copy.db'}") as copy:
        stored = await copy.matches.get(match_id)
        assert stored is not None
        assert least <= len(stored.events) <= most
        assert [event.number for event in stored.events] == list(range(len(stored.events)))
        games = (await copy.ratings.get(first.id, "checkers", "bullet")).games
        assert games == len(await copy.ratings.history(first.bot_id, "checkers", "bullet"))
        assert games in {len(stored.events), len(stored.events) - 1}
        assert saved.manifest.counts.finished == games


def test_there_must_be_an_arena(database_url: str, tmp_path: Path) -> None:
    with pytest.raises(NoArena, match="start `arena serve` to create one"):
        save(database_url, {}, tmp_path / "backup.zip")
    assert not list(tmp_path.glob("backup*"))


async def test_an_existing_file_stays(store: Store, database_url: str, tmp_path: Path) -> None:
    (tmp_path / "backup.zip").write_text("another")
    with pytest.raises(StoreError, match="exists already"):
        await asyncio.to_thread(save, database_url, {}, tmp_path / "backup.zip")
    assert (tmp_path / "backup.zip").read_text() == "another"
    with pytest.raises(StoreError, match="the backup failed: No such file or directory"):
        await asyncio.to_thread(save, database_url, {}, tmp_path / "nowhere" / "backup.zip")


async def test_files_that_are_removed_meanwhile_make_it_begin_again(
    store: Store, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    uploads = tmp_path / "uploads"
    uploads.mkdir()
    for name in ("first", "second"):
        (uploads / name).write_text(name)
    entries = saving._entries
    calls = 0

    def removed(folder: Path) -> set[str]:
        nonlocal calls
        calls += 1
        if calls == 2:
            (uploads / "first").unlink()
        return entries(folder)

    monkeypatch.setattr(saving, "_entries", removed)
    await asyncio.to_thread(save, database_url, {"uploads": uploads}, tmp_path / "backup.zip")
    with ArchiveReader(tmp_path / "backup.zip") as reader:
        assert [part.name for part in reader.manifest.parts if part.name.startswith("files/")] == [
            "files/uploads/second"
        ]


async def test_links_are_left_out(store: Store, database_url: str, tmp_path: Path) -> None:
    uploads = tmp_path / "uploads"
    uploads.mkdir()
    (uploads / "link").symlink_to("/etc/passwd")
    saved = await asyncio.to_thread(save, database_url, {"uploads": uploads}, tmp_path / "backup.zip")
    assert saved.left_out == [str(uploads / "link")]
    assert not any("link" in part.name for part in saved.manifest.parts)
