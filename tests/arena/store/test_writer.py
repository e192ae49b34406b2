# SPDX-License-Identifier: GPL-3.0-or-later
import asyncio
import resource
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import psycopg
import pytest
from sqlalchemy import Connection, event, text

from arena.store import Store
from arena.store.database import writer as writing
from arena.store.database.engines import Engines, make_engines
from arena.store.database.migrating import migrate
from arena.store.database.writer import Writer
from arena.store.errors import Busy, StoreError, StoreRejected, UnknownMatch
from arena.store.rows import EventRow
from tests.arena.store.company import CHECKERS, versions

only_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
def engines(database_url: str) -> Iterator[Engines]:
    made = make_engines(database_url)
    migrate(made)
    yield made
    made.dispose()


def add_bot(connection: Connection, name: str) -> int:
    """Insert a bot; returns how many there are."""
    insert = "INSERT INTO bot (name, kind, owner, description, created) VALUES (:name, 'own', '', '', 0)"
    connection.execute(text(insert), {"name": name})
    return int(connection.execute(text("SELECT count(*) FROM bot")).scalar_one())


def names(engines: Engines) -> set[str]:
    with engines.reading.connect() as connection:
        return set(connection.scalars(text("SELECT name FROM bot")))


async def test_commands_that_come_together_are_committed_together_and_refused_alone(engines: Engines) -> None:
    """Failed commands leave no trace, not even of writes before the failure.

    One transaction is for all; since some fail in it, it is undone, and another keeps them apart.
    """
    writer = Writer(engines)
    begun, gate = threading.Event(), threading.Event()
    transactions: list[object] = []

    def wait(connection: Connection) -> None:
        begun.set()
        gate.wait(600)

    def command(connection: Connection, name: str) -> int:
        transactions.append(connection.get_transaction())
        count = add_bot(connection, name)
        if name.startswith("refused"):
            raise StoreRejected(name)
        if name.startswith("broken"):
            raise ZeroDivisionError(name)
        if name.startswith("clash"):
            add_bot(connection, name)
        return count

    first = asyncio.create_task(writer.run(wait))
    assert await asyncio.to_thread(begun.wait, 60)
    wanted = ["good-1", "refused", "good-2", "broken", "good-3", "clash", "good-4"]
    tasks = [asyncio.create_task(writer.run(partial(command, name=name))) for name in wanted]
    await asyncio.sleep(0)
    assert writer.backlog == len(wanted)
    gate.set()
    await first
    outcomes = dict(zip(wanted, await asyncio.gather(*tasks, return_exceptions=True), strict=True))
    await asyncio.to_thread(writer.close)
    assert [outcomes[f"good-{number}"] for number in (1, 2, 3, 4)] == [1, 2, 3, 4]
    assert isinstance(outcomes["refused"], StoreRejected)
    assert isinstance(outcomes["broken"], ZeroDivisionError)
    assert isinstance(outcomes["clash"], StoreError)
    assert len(set(map(id, transactions))) == 2
    assert names(engines) == {"good-1", "good-2", "good-3", "good-4"}


async def test_an_append_that_is_refused_does_its_neighbours_no_harm(store: Store) -> None:
    first, second = await versions(store, "marion", "tinsley")
    new = replace(CHECKERS, players=(first.id, second.id))
    started = [await store.matches.start(new) for _ in range(20)]
    await store.matches.append(started[3], [(0, b'"another"')])
    unknown = max(started) + 1
    commands = [store.matches.append(match_id, [(0, b"0"), (1, b"1")]) for match_id in [*started, unknown]]
    outcomes = await asyncio.gather(*commands, return_exceptions=True)
    assert isinstance(outcomes[-1], UnknownMatch)
    assert isinstance(outcomes[3], StoreRejected)
    for match_id, outcome in zip(started, outcomes, strict=False):
        stored = await store.matches.get(match_id)
        assert stored is not None
        if match_id == started[3]:
            assert stored.events == [EventRow(0, b'"another"')]
        else:
            assert outcome is None
            assert stored.events == [EventRow(0, b"0"), EventRow(1, b"1")]


async def test_queued_commands_are_written_before_the_store_closes(database_url: str) -> None:
    store = await Store.open(database_url)
    first, second = await versions(store, "marion", "tinsley")
    match_id = await store.matches.start(replace(CHECKERS, players=(first.id, second.id)))
    tasks = [asyncio.create_task(store.matches.append(match_id, [(n, b"%d" % n)])) for n in range(300)]
    await asyncio.sleep(0)
    await store.close()
    await asyncio.gather(*tasks)
    with pytest.raises(StoreError, match="closed"):
        await store.matches.append(match_id, [(300, b"300")])
    async with await Store.open(database_url) as store:
        stored = await store.matches.get(match_id)
        assert stored is not None
        assert len(stored.events) == 300


async def test_a_task_that_gave_up_waiting_stops_nobody(store: Store) -> None:
    first, second = await versions(store, "marion", "tinsley")
    match_id = await store.matches.start(replace(CHECKERS, players=(first.id, second.id)))
    tasks = [asyncio.create_task(store.matches.append(match_id, [(n, b"0")])) for n in range(10)]
    await asyncio.sleep(0)
    for task in tasks[::2]:
        task.cancel()
    await asyncio.gather(*tasks[1::2])
    await store.matches.append(match_id, [(10, b"0")])


@only_sqlite
async def test_a_full_queue_is_reported_after_a_while(engines: Engines) -> None:
    for patience in (0.1, 60.0):
        writer = Writer(engines, limit=2, patience=patience)
        begun, gate = threading.Event(), threading.Event()

        def wait(_: Connection, begun: threading.Event = begun, gate: threading.Event = gate) -> None:
            begun.set()
            gate.wait(600)

        blocker = asyncio.create_task(writer.run(wait))
        assert await asyncio.to_thread(begun.wait, 60)
        waiting = [asyncio.create_task(writer.run(lambda _: None)) for _ in range(2)]
        await asyncio.sleep(0)
        late = asyncio.create_task(writer.run(lambda _: "written"))
        await asyncio.sleep(0.05)
        if patience < 1:
            with pytest.raises(Busy, match="2 commands wait"):
                await late
        gate.set()
        if patience > 1:
            assert await late == "written"
        await asyncio.gather(blocker, *waiting)
        await asyncio.to_thread(writer.close)


@only_sqlite
async def test_a_lock_of_another_program_is_waited_for(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store._writer, "_patience", 600.0)
    failed = threading.Event()
    monkeypatch.setattr(store._health, "came_across", lambda error: failed.set())
    with closing(sqlite3.connect(tmp_path / "arena.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        task = asyncio.create_task(store.bots.add("marion", "secret"))
        assert await asyncio.to_thread(failed.wait, 600)  # SQLite itself waits no longer
        assert not task.done()
        other.execute("ROLLBACK")
        assert (await task).name == "marion"


@only_sqlite
async def test_a_lock_that_stays_is_reported_and_the_writer_lives_on(engines: Engines, tmp_path: Path) -> None:
    writer = Writer(engines, patience=0.1)
    with closing(sqlite3.connect(tmp_path / "arena.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="locked"):
            await writer.run(lambda connection: add_bot(connection, "marion"))
        other.execute("ROLLBACK")
    assert await writer.run(lambda connection: add_bot(connection, "tinsley")) == 1
    await asyncio.to_thread(writer.close)


@contextmanager
def full_disk(bytes_left: int, *files: Path) -> Iterator[None]:
    """Let no file grow larger than the largest of ``files`` is, and a little: to write fails as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (max(file.stat().st_size for file in files) + bytes_left, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@only_sqlite
async def test_a_full_disk_fails_the_command_whole_and_the_writer_lives_on(store: Store, tmp_path: Path) -> None:
    first, second = await versions(store, "marion", "tinsley")
    match_id = await store.matches.start(replace(CHECKERS, players=(first.id, second.id)))
    await store.matches.append(match_id, [(0, b"0")])
    big = [(number, b'"%s"' % (b"x" * 1000)) for number in range(1, 2000)]
    with full_disk(100_000, tmp_path / "arena.db", tmp_path / "arena.db-wal"):
        with pytest.raises(StoreError, match="the database failed"):
            await store.matches.append(match_id, big)
        with pytest.raises(StoreError, match="the database failed"):
            await store.matches.finish(match_id, result="1-0", termination="decided", plies=9, events=big)
        stored = await store.matches.get(match_id)
    assert stored is not None
    assert stored.row.status == "live"
    assert stored.events == [EventRow(0, b"0")]
    assert (await store.ratings.get(first.id, "checkers", "bullet")).games == 0
    finished = await store.matches.finish(match_id, result="1-0", termination="decided", plies=9, events=big)
    assert finished.changes is not None


async def test_a_lone_command_waits_for_no_others_and_no_timer(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The writer sleeps for a moment after each commit, and otherwise until a command wakes it."""
    slept = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        time.sleep(seconds)

    monkeypatch.setattr(writing, "_RESTING", 600.0)
    monkeypatch.setattr(writing, "time", SimpleNamespace(monotonic=time.monotonic, sleep=sleep))
    first, second = await versions(store, "marion", "tinsley")
    match_id = await store.matches.start(replace(CHECKERS, players=(first.id, second.id)))
    for number in range(30):
        await store.matches.append(match_id, [(number, b"0")])
    assert slept
    assert all(seconds <= writing._GATHERING for seconds in slept)


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_a_lost_connection_is_made_again_and_the_command_with_it(engines: Engines, database_url: str) -> None:
    """The server ends the session between two statements of a transaction; nothing of the first try stays."""
    writer = Writer(engines)
    tries = []

    def work(connection: Connection) -> int:
        tries.append(connection)
        count = add_bot(connection, "marion")
        if len(tries) == 1:
            session = connection.execute(text("SELECT pg_backend_pid()")).scalar_one()
            with psycopg.connect(database_url, autocommit=True) as other:
                other.execute("SELECT pg_terminate_backend(%s, 600000)", [session])
        return count + add_bot(connection, "tinsley")

    assert await writer.run(work) == 3
    assert len(tries) == 2
    await asyncio.to_thread(writer.close)
    assert names(engines) == {"marion", "tinsley"}


async def test_a_loop_that_is_gone_stops_nobody(store: Store) -> None:
    """Tasks of another event loop gave up with it while their commands were still to be written."""

    async def leave() -> None:
        task = asyncio.ensure_future(store.bots.add("marion", "secret"))
        await asyncio.sleep(0)
        task.cancel()

    await asyncio.to_thread(asyncio.run, leave())
    await store.bots.add("tinsley", "another")
    assert await store.bots.named("marion") is not None


@only_sqlite
async def test_a_connection_that_cannot_be_given_back_stops_nothing(engines: Engines) -> None:
    """The writer gives it back when it has nothing to do."""
    writer = Writer(engines)
    failed = threading.Event()

    def fails(*_: object) -> None:
        failed.set()
        raise RuntimeError("the pool is broken")

    await writer.run(partial(add_bot, name="before"))
    event.listen(engines.writing, "checkin", fails)
    assert await asyncio.to_thread(failed.wait, 60)
    await asyncio.sleep(0.05)
    event.remove(engines.writing, "checkin", fails)
    async with asyncio.timeout(600):
        await writer.run(partial(add_bot, name="after"))
    await asyncio.to_thread(writer.close)
    assert names(engines) == {"before", "after"}
