# SPDX-License-Identifier: GPL-3.0-or-later
"""A database tells that it does not work: by a probe where nobody writes, and for good once it is damaged."""

import asyncio
import sqlite3
from pathlib import Path

import pytest

from arena.store import Store
from arena.store.database.engines import FRESH, Health
from arena.store.errors import StoreError
from tests.databases import database_url, store

__all__ = ["database_url", "store"]


class Probe:
    """A clock that is set by hand, and a probe that fails on demand."""

    def __init__(self) -> None:
        self.now = 100.0
        self.calls = 0
        self.error: StoreError | None = None
        self.held = asyncio.Event()
        self.held.set()
        self.health = Health(lambda: self.now)

    async def write(self) -> None:
        self.calls += 1
        await self.held.wait()
        if self.error is not None:
            raise self.error

    async def trouble(self) -> str:
        return await self.health.trouble(self.write)


async def test_it_is_probed_at_most_once_a_second() -> None:
    probe = Probe()
    probe.error = StoreError("disk full")
    assert await probe.trouble() == "nothing can be written: disk full"
    probe.error = None
    assert await probe.trouble() == "nothing can be written: disk full"
    assert probe.calls == 1
    probe.now += FRESH
    assert [await probe.trouble() for _ in range(3)] == ["", "", ""]
    assert probe.calls == 2


async def test_a_commit_is_as_good_as_a_probe() -> None:
    probe = Probe()
    probe.error = StoreError("disk full")
    assert await probe.trouble() != ""
    probe.now += 0.1
    probe.health.committed()
    assert (await probe.trouble(), probe.calls) == ("", 1)


async def test_a_probe_that_hangs_is_reported_and_not_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.store.database.engines.PATIENCE", 0.01)
    probe = Probe()
    probe.held.clear()
    assert await probe.trouble() == "the database accepted no write for 0 s"
    probe.now += 5
    assert await probe.trouble() == "the database accepted no write for 5 s"
    assert probe.calls == 1
    probe.held.set()
    probe.now += FRESH
    await asyncio.sleep(0)
    assert await probe.trouble() == ""


async def test_a_store_that_writes_is_well(store: Store) -> None:
    assert await store.trouble() == ""


def garble(file: Path) -> None:
    """Overwrite all pages of a database but the first, as a broken disk does."""
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    with file.open("r+b") as pages:
        size = pages.seek(0, 2)
        pages.seek(4096)
        pages.write(b"\xa5" * (size - 4096))


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_damaged_database_is_reported_until_the_end(store: Store, tmp_path: Path) -> None:
    assert await store.trouble() == ""
    garble(tmp_path / "arena.db")
    with pytest.raises(StoreError, match="malformed"):
        await store.tournaments.page(limit=1)
    assert "the database is damaged (database disk image is malformed)" in await store.trouble()
    assert "restore the newest backup" in await store.trouble()
