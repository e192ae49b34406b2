# SPDX-License-Identifier: GPL-3.0-or-later
"""Servers that cannot become nodes, or run beside nodes: each gets a clear error, and nothing has changed."""

import asyncio
import os
import re
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psycopg
import pytest

from arena.features.cluster import FEATURE
from arena.features.cluster.membership import entering
from arena.features.cluster.membership.linked import LinkedTenure
from arena.features.cluster.settings import ClusterSettings
from arena.settings import Settings
from arena.store import Store
from arena.store.database.engines import make_engines
from arena.store.database.migrating import migrate
from arena.store.errors import Claimed, StoreError
from tests.features.cluster.certificates import Certificate, certificate
from tests.nats import Nats, running
from tests.postgres import Postgres, end_sessions

pytestmark = pytest.mark.usefixtures("nats")

OWN = "http://127.0.0.1:8080"

PATIENCE = 300.0
"""Seconds for what should take some, on a machine that is busy with other things."""


@asynccontextmanager
async def server(database: str, **settings: Any) -> AsyncIterator[tuple[Store, LinkedTenure]]:
    """Start a server's store as ``arena serve`` does, without the arena behind it."""
    assert FEATURE.claim is not None
    tenure = FEATURE.claim(Settings(features=(ClusterSettings(**settings),)), database, OWN)
    assert isinstance(tenure, LinkedTenure)
    try:
        await tenure.prepare()
        async with await Store.open(database) as store:
            await store.claim(0.5, tenure)
            yield store, tenure
    finally:
        await tenure.leave()


async def refusal(database: str, **settings: Any) -> str:
    """Return why a server is refused, and check that it has changed nothing."""
    before = content(database)
    with pytest.raises((StoreError, ValueError)) as refused:
        async with server(database, **settings):
            pass
    assert content(database) == before
    return str(refused.value)


def content(database: str) -> list[list[tuple[object, ...]]]:
    """Return the rows that a start changes."""
    if not database.startswith("postgresql"):
        return []
    with psycopg.connect(database) as session:
        queries = (
            "SELECT name FROM node ORDER BY name",
            "SELECT * FROM cluster",
            "SELECT epoch FROM server",
            "SELECT count(*) FROM audit_log",
        )
        return [session.execute(query).fetchall() for query in queries]


def add_node(database: str, name: str, version: str) -> None:
    """Insert a node without a process."""
    with psycopg.connect(database, autocommit=True) as session:
        session.execute(
            "INSERT INTO node (name, url, host, pid, version, key, counter, started)"
            " VALUES (%s, '', 'elsewhere', 7, %s, 5, 17, 0)",
            [name, version],
        )


def set_version(database: str, version: str) -> None:
    """Make all nodes of another version."""
    with psycopg.connect(database, autocommit=True) as session:
        session.execute("UPDATE node SET version = %s", [version])


# ---------------------------------------------------------------- the bus


async def test_a_bus_that_is_not_there(database: str) -> None:
    with running() as gone:
        url = gone.url
    assert "cannot be reached: " in await refusal(database, bus=url, node="a")
    safe = "tls://ann:pw@no-such-host.invalid"
    assert "the bus at no-such-host.invalid:4222 cannot be reached: " in await refusal(database, bus=safe, node="a")


@pytest.mark.parametrize(
    "options",
    [pytest.param(("--user", "ann", "--pass", "secret"), id="user"), pytest.param(("--auth", "s3"), id="token")],
)
async def test_a_bus_that_wants_credentials(database: str, options: tuple[str, ...]) -> None:
    right = "ann:secret" if "--user" in options else "s3"
    with running(*options) as bus:
        place = bus.url.removeprefix("nats://")
        found = await refusal(database, bus=bus.url, node="a")
        assert f"the bus at {place} wants credentials" in found
        found = await refusal(database, bus=f"nats://ann:wrong@{place}", node="a")
        assert f"the bus at {place} refuses these credentials" in found
        assert "wrong" not in found
        async with server(database, bus=f"nats://{right}@{place}", node="a") as (_, tenure):
            assert tenure.links is not None


async def test_a_bus_with_tls(database: str, tmp_path: Path) -> None:
    made: Certificate = certificate(tmp_path)
    with running("--tls", "--tlscert", str(made.file), "--tlskey", str(made.key), "--auth", "s3") as bus:
        url = f"tls://s3@localhost:{bus.port}"
        assert "the certificate of the bus" in await refusal(database, bus=url, node="a")
        async with server(database, bus=url, bus_ca=str(made.authority), node="a") as (_, tenure):
            assert tenure.links is not None


async def test_no_credentials_go_to_a_bus_without_tls(database: str) -> None:
    with running("--auth", "s3", "-DV") as bus:
        found = await refusal(database, bus=f"tls://s3@localhost:{bus.port}", node="a")
        assert "offers no TLS" in found
        assert "s3" not in bus.log


@pytest.mark.parametrize(
    ("bus", "why"),
    [
        ("nats://192.0.2.1:4222", "has no TLS (tls://) and no credentials"),
        ("nats://ann:pw@192.0.2.1:4222", "has no TLS (tls://): write"),
        ("tls://192.0.2.1:4222", "has no credentials: write"),
        ("nats://127.0.0.1:4222,nats://192.0.2.1", "has no TLS"),
        ("nats://host:port", "the URL cannot be read"),
        ("http://127.0.0.1:4222", "the URL cannot be read"),
        ("127.0.0.1:4222", "the URL cannot be read"),
        ("nats://127.0.0.1:4222,tls://127.0.0.1", "the same scheme"),
    ],
)
def test_an_address_of_a_bus_that_is_wrong_or_not_safe(bus: str, why: str) -> None:
    with pytest.raises(ValueError, match="bus") as refused:
        ClusterSettings(bus=bus, node="a")
    assert why in str(refused.value)
    assert "pw" not in str(refused.value)


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"node": "a"}, "node is of a node of a cluster: it needs bus"),
        ({"bus": "nats://127.0.0.1", "node": "a b"}, "node must be up to 63 letters"),
        ({"bus": "nats://127.0.0.1", "node_url": "ftp://x"}, "node_url must be http://HOST:PORT"),
        ({"bus": "nats://127.0.0.1", "bus_ca": "file"}, "bus_ca needs a bus with tls://"),
    ],
)
def test_settings_that_do_not_fit(settings: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        ClusterSettings(**settings)


# ---------------------------------------------------------------- the database


async def test_sqlite_with_a_bus(tmp_path: Path, nats: Nats) -> None:
    found = await refusal(f"sqlite:///{tmp_path / 'arena.db'}", bus=nats.url, node="a")
    assert "share a PostgreSQL database" in found
    assert not os.listdir(tmp_path)  # noqa: PTH208  # no file of it blocks


async def test_a_database_that_is_not_there(nats: Nats) -> None:
    with pytest.raises(StoreError, match="the database cannot be opened"):
        async with server("postgresql://nobody@127.0.0.1:1/arena", bus=nats.url, node="a"):
            pass


async def test_a_clock_that_is_off(database: str, nats: Nats, monkeypatch: pytest.MonkeyPatch) -> None:
    real = time.time
    for off, side in ((600.0, "ahead of"), (-600.0, "behind")):
        monkeypatch.setattr("time.time", lambda off=off: real() + off)
        began = time.monotonic()
        told = await refusal(database, bus=nats.url, node="a")
        # less what the way to the database takes
        found = re.search(rf"the clock of this machine is (\d+) s {side} that of the database", told)
        assert found is not None, told
        assert 599 - (time.monotonic() - began) < int(found[1]) <= 600


# ---------------------------------------------------------------- other servers


async def test_a_name_that_another_node_has(database: str, nats: Nats) -> None:
    async with server(database, bus=nats.url, node="a"):
        assert "a node of the name a (process " in await refusal(database, bus=nats.url, node="a")


async def test_the_name_of_a_dead_node_is_free_after_five_seconds(database: str, nats: Nats) -> None:
    add_node(database, "a", "9.9.0")
    began = time.monotonic()
    async with server(database, bus=nats.url, node="a") as (_, tenure):
        assert time.monotonic() - began > 5.0
        assert tenure.links is not None
        assert "elsewhere" not in {row.host for row in tenure.links.nodes.values()}


async def test_only_patch_releases_run_together(database: str, nats: Nats) -> None:
    own = ".".join(entering.release(version("bot-arena")))
    async with server(database, bus=nats.url, node="a"):
        set_version(database, "9.9.0")
        assert "runs arena 9.9.0, and this is arena" in await refusal(database, bus=nats.url, node="b")
        set_version(database, f"{own}.77")
        async with server(database, bus=nats.url, node="b") as (_, tenure):
            assert tenure.links is not None
            assert len(tenure.links.nodes) == 2


async def test_a_server_without_a_bus_beside_nodes(database: str, nats: Nats, postgres: Postgres) -> None:
    async with server(database, bus=nats.url, node="a") as (store, _):
        found = await refusal(database)
        assert "servers that share this database run on it: start this server as one of them" in found
        assert "a node starts with --bus" in found
        end_sessions(postgres.url)  # the node has no lock until it notices
        assert "the node a (process " in await refusal(database)
        assert await store.lost_claim() == ""
        await store.bots.add("marion", "secret")


async def test_a_node_beside_a_server_without_a_bus(database: str, nats: Nats) -> None:
    async with server(database):
        found = await refusal(database, bus=nats.url, node="a")
        assert "a server that does not share this database runs on it" in found


async def test_a_schema_does_not_change_under_nodes(database: str, nats: Nats) -> None:
    async with server(database, bus=nats.url, node="a"):
        with psycopg.connect(database, autocommit=True) as session:
            session.execute("UPDATE alembic_version SET version_num = '0029'")
        engines = make_engines(database)
        with pytest.raises(Claimed, match="a server runs on the database: stop the server first"):
            migrate(engines)
        engines.dispose()


async def test_two_clusters_on_one_bus_do_not_hear_each_other(database: str, nats: Nats, second_database: str) -> None:
    heard: list[str] = []

    def note(name: str, topic: str, node: int, body: bytes) -> None:
        heard.append(f"{name}: {body.decode()}")

    async with (
        server(database, bus=nats.url, node="a") as (_, one),
        server(second_database, bus=nats.url, node="a") as (_, other),
    ):
        assert one.links is not None
        assert other.links is not None
        assert one.links.me == other.links.me, "only the name of the cluster tells them apart"
        for links, name in ((one.links, "one"), (other.links, "other")):
            links.on_note = partial(note, name)
            links.start()
            links.follow("all")
        async with asyncio.timeout(PATIENCE):
            while len(set(heard)) < 2:
                one.links.publish("all", b"of one")
                other.links.publish("all", b"of other")
                await asyncio.sleep(0.01)
        assert set(heard) == {"one: of one", "other: of other"}
        assert [len(links.nodes) for links in (one.links, other.links)] == [1, 1]


@pytest.fixture
def second_database(postgres: Postgres) -> Iterator[str]:
    """URL of another, empty database on the same server."""
    with psycopg.connect(postgres.url, autocommit=True) as session:
        session.execute("CREATE DATABASE second")
    yield postgres.url.replace("/postgres?", "/second?")
    end_sessions(postgres.url)
    with psycopg.connect(postgres.url, autocommit=True) as session:
        session.execute("DROP DATABASE second")
