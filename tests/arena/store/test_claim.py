# SPDX-License-Identifier: GPL-3.0-or-later
import asyncio
import os
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import text

from arena.store import Store
from arena.store.database.claim import _LOCK
from arena.store.database.engines import make_engines
from arena.store.errors import Claimed, StoreError, Superseded
from tests.postgres import PATIENCE, Postgres

ROOT = Path(__file__).parents[3]
HOLDER = """
import asyncio, sys
from arena.store import Store

async def main():
    store = await Store.open(sys.argv[1])
    await store.claim()
    print("claimed", flush=True)
    await asyncio.sleep(60)

asyncio.run(main())
"""


async def test_a_second_server_is_refused_until_the_first_has_gone(database_url: str) -> None:
    async with await Store.open(database_url) as first:
        await first.claim()
        async with await Store.open(database_url) as second:
            with pytest.raises(Claimed):
                await second.claim(patience=0.1)
            # A command may work beside the server all the same.
            await second.bots.add("marion", "secret")
        assert await first.bots.named("marion") is not None
    async with await Store.open(database_url) as third:
        await third.claim(PATIENCE)


async def test_a_claim_dies_with_its_holder(database_url: str) -> None:
    claim_and_die(database_url)
    async with await Store.open(database_url) as store:
        await store.claim(PATIENCE)


def claim_and_die(url: str) -> None:
    """Have another process claim the database, and kill it."""
    command = [sys.executable, "-c", HOLDER, url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "claimed\n"
        holder.kill()


def link(folder: Path, kind: str) -> Path:
    """Give the database of a folder a second name, of this kind."""
    other = folder / "other"
    other.mkdir()
    if kind == "symlinked folder":
        (folder / "way").symlink_to(folder)
        return folder / "way" / "arena.db"
    name = other / "arena.db"
    if kind == "symlink":
        name.symlink_to(folder / "arena.db")
    else:  # a lock file that was tidied away
        (folder / "arena.db-server").unlink()
        return folder / "arena.db"
    return name


@pytest.mark.parametrize("kind", ["symlink", "symlinked folder", "deleted lock file"])
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_database_is_claimed_under_all_its_names(database_url: str, tmp_path: Path, kind: str) -> None:
    async with await Store.open(database_url) as first:
        await first.claim()
        async with await Store.open(f"sqlite:///{link(tmp_path, kind)}") as second:
            with pytest.raises(Claimed, match="another server runs on this database"):
                await second.claim(patience=0.1)
        assert await first.lost_claim() == ""
        await first.bots.add("marion", "secret")
    async with await Store.open(database_url) as third:
        await third.claim()


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_file_with_two_names_is_not_opened(database_url: str, tmp_path: Path) -> None:
    """Each name would get a write-ahead log of its own."""
    async with await Store.open(database_url) as first:
        await first.bots.add("marion", "secret")
        os.link(tmp_path / "arena.db", tmp_path / "other.db")
        for name in ("arena.db", "other.db"):
            with pytest.raises(StoreError, match="hard links"):
                await Store.open(f"sqlite:///{tmp_path / name}")
        assert await first.bots.named("marion") is not None


def take_over(url: str) -> None:
    """Begin another epoch, as a server does that got past the lock."""
    engines = make_engines(url)
    with engines.writing.begin() as connection:
        connection.execute(text("UPDATE server SET epoch = epoch + 1, version = '9.9', host = 'elsewhere', pid = 7"))
    engines.dispose()


async def test_a_server_that_was_overtaken_writes_no_more(database_url: str) -> None:
    async with await Store.open(database_url) as store:
        await store.claim()
        await store.bots.add("marion", "secret")
        take_over(database_url)
        with pytest.raises(
            Superseded, match=r"another server took over this database: arena 9\.9, process 7 on elsewhere"
        ):
            await store.bots.add("robin", "hood")
        assert "took over" in await store.lost_claim()
    async with await Store.open(database_url) as other:
        assert await other.bots.named("marion") is not None
        assert await other.bots.named("robin") is None, "nothing of it is written"


async def test_commands_beside_a_server_are_of_no_epoch(database_url: str) -> None:
    async with await Store.open(database_url) as store:
        take_over(database_url)
        await store.bots.add("marion", "secret")
        assert await store.lost_claim() == ""


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("replaced", [True, False])
async def test_a_server_whose_file_is_replaced_writes_no_more(
    database_url: str, tmp_path: Path, replaced: bool
) -> None:
    async with await Store.open(database_url) as store:
        await store.claim()
        (tmp_path / "arena.db").rename(tmp_path / "moved.db")
        if replaced:
            (tmp_path / "arena.db").write_bytes((tmp_path / "moved.db").read_bytes())
        assert ("replaced" if replaced else "gone") in await store.lost_claim()
        with pytest.raises(Superseded):
            await store.bots.add("marion", "secret")


def lock_sessions(server: Postgres) -> int:
    """Count the sessions that hold the server's lock."""
    with psycopg.connect(server.url, autocommit=True) as connection:
        held = connection.execute(
            "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND objid = %s", [_LOCK]
        )
        return len(held.fetchall())


def end_lock_session(server: Postgres) -> int:
    """End the sessions that hold the server's lock; returns how many there were."""
    with psycopg.connect(server.url, autocommit=True) as connection:
        ended = connection.execute(
            "SELECT pg_terminate_backend(pid, 600000) FROM pg_locks WHERE locktype = 'advisory' AND objid = %s", [_LOCK]
        )
        return len(ended.fetchall())


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_a_lost_session_is_made_again(database_url: str, postgres: Postgres) -> None:
    async with await Store.open(database_url) as store:
        await store.claim()
        assert end_lock_session(postgres) == 1
        assert await store.lost_claim() == ""  # notices
        assert await store.lost_claim() == ""  # has it again
        async with await Store.open(database_url) as second:
            with pytest.raises(Claimed):
                await second.claim(patience=0.1)
        await store.bots.add("marion", "secret")


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_a_lost_session_whose_lock_another_took_stops_the_server(database_url: str, postgres: Postgres) -> None:
    async with await Store.open(database_url) as store:
        await store.claim()
        assert end_lock_session(postgres) == 1
        async with await Store.open(database_url) as second:
            await second.claim(PATIENCE)
            await second.bots.add("marion", "secret")
            assert "took over" in await store.lost_claim()
            with pytest.raises(Superseded):
                await store.bots.add("robin", "hood")
            assert await second.lost_claim() == ""


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_a_database_that_is_away_for_a_while_is_still_the_servers(database_url: str, postgres: Postgres) -> None:
    async with await Store.open(database_url) as store:
        await store.claim()
        postgres.stop("immediate")
        try:
            assert await store.lost_claim() == ""
            assert await store.lost_claim() == ""
        finally:
            postgres.start()
        async with asyncio.timeout(PATIENCE):
            while not lock_sessions(postgres):
                assert await store.lost_claim() == ""
        await store.bots.add("marion", "secret")
