# SPDX-License-Identifier: GPL-3.0-or-later
"""Links of three nodes over a real NATS and a real PostgreSQL, which fail meanwhile."""

import asyncio
import math
import os
import signal
import time

import psycopg
import pytest

from arena.features.cluster.membership import judging
from tests.features.cluster.company import PATIENCE, Member, company
from tests.nats import Nats, running
from tests.postgres import Postgres

pytestmark = pytest.mark.usefixtures("nats")


async def talk(members: list[Member], begin: int, count: int) -> None:
    """Have each node send numbers to all others, a few in each iteration of the loop."""
    for number in range(begin, begin + count):
        for member in members:
            member.links.send_all(str(number).encode())
        if number % 3 == 0:
            await asyncio.sleep(0.001)


async def heard_all(members: list[Member], count: int) -> None:
    """Wait until each node has heard the numbers of each other one, and check that each came once and in order."""
    expected = [str(number).encode() for number in range(count)]
    for member in members:
        for other in members:
            if other is not member:
                await member.until_heard(other, count)
                assert member.from_(other) == expected


async def test_messages_come_once_and_in_order(database: str, nats: Nats) -> None:
    async with company("abc", database, nats.url) as members:
        await talk(members, 0, 300)
        await heard_all(members, 300)
        a, b, _ = members
        a.links.send(a.id, b"to itself")
        await a.until(lambda: a.from_(a) == [b"to itself"])
        a.links.send(10**9, b"to nobody")
        a.links.send(b.id, bytes(3_000_000))
        await b.until(lambda: b.from_(a)[-1] == bytes(3_000_000))
        assert a.links.silence(a.id) == 0.0
        assert a.links.silence(b.id) < PATIENCE
        assert a.links.silence(10**9) == math.inf
        assert {row.name for row in a.links.nodes.values()} == {"a", "b", "c"}
        assert len({member.links.leader for member in members} - {None}) == 1


async def test_nothing_is_lost_when_the_bus_is_killed_and_started_again(database: str) -> None:
    with running() as bus:
        async with company("abc", database, bus.url) as members:
            await talk(members, 0, 100)
            for round_ in range(1, 4):
                bus.kill()
                await talk(members, 100 * round_, 50)
                if round_ == 1:
                    await members[0].until_away()
                bus.start()
                await talk(members, 100 * round_ + 50, 50)
            await heard_all(members, 400)
            assert all(not member.gone for member in members), "a lease does not depend on the bus"


async def test_nothing_is_lost_when_the_bus_is_frozen(database: str) -> None:
    with running() as bus:
        async with company("abc", database, bus.url) as members:
            await talk(members, 0, 100)
            bus.freeze()
            await talk(members, 100, 100)
            await members[0].until_away()
            assert members[0].links.silence(members[1].id) > 1.0
            await talk(members, 200, 100)
            bus.thaw()
            await heard_all(members, 300)
            await members[0].until_back()


async def test_notes_come_to_followers(database: str, nats: Nats) -> None:
    async with company("abc", database, nats.url) as members:
        a, b, c = members
        a.links.follow("match.17")
        b.links.follow("match.17")
        async with asyncio.timeout(PATIENCE):
            while not (a.notes and b.notes):  # at most once: the first ones may come before the subscription
                c.links.publish("match.17", b"e4")
                await asyncio.sleep(0.01)
        assert set(a.notes + b.notes) == {("match.17", c.id, b"e4")}
        assert c.notes == []
        a.links.unfollow("match.17")
        c.links.publish("match.18", b"d4")
        c.links.send(a.id, b"after it")
        await a.until(lambda: a.from_(c) == [b"after it"])
        assert ("match.18", c.id, b"d4") not in a.notes


async def test_the_row_of_a_node_that_leaves_is_gone_for_the_others(database: str, nats: Nats) -> None:
    async with company("ab", database, nats.url) as members:
        a, b = members
        if a.links.leader != a.id:
            a, b = b, a
        leader = a.id
        await a.close()
        await b.until(lambda: b.gone == [leader])
        await b.until(lambda: b.links.leader == b.id)
        assert leader not in b.links.nodes
        b.links.send(leader, b"too late")


async def test_a_dead_node_loses_its_lease_and_its_leadership(database: str, nats: Nats) -> None:
    """A node without a process: only its row."""
    with psycopg.connect(database, autocommit=True) as session:
        session.execute(
            "INSERT INTO node (name, url, host, pid, version, key, counter, started)"
            " VALUES ('dead', '', '', 1, '1.2.3', 5, 17, 0)"
        )
        session.execute("INSERT INTO leadership (id, node_id, term) SELECT 1, id, 3 FROM node")
        async with company("ab", database, nats.url) as members:
            a, b = members
            dead = next(row.id for row in a.links.nodes.values() if row.name == "dead")
            await a.until(lambda: a.gone == [dead])
            await b.until(lambda: b.gone == [dead])
            await a.until(lambda: a.links.leader in (a.id, b.id))
            await b.until(lambda: b.links.leader == a.links.leader)
            assert session.execute("SELECT term FROM leadership").fetchall() == [(4,)]


async def test_a_database_that_stands_still_costs_nobody_the_lease(
    database: str, nats: Nats, postgres: Postgres
) -> None:
    async with company("ab", database, nats.url) as members:
        for member in members:  # each has the connections that it needs: else one asks and the other cannot answer
            await member.until_renewed(time.monotonic())
            await member.until_watched()
        processes = [postgres.pid, *sessions(database)]
        for pid in processes:
            os.kill(pid, signal.SIGSTOP)
        try:
            stopped = time.monotonic()
            await talk(members, 0, 50)
            await heard_all(members, 50)
            # as long as it takes to lose a lease
            await asyncio.sleep(stopped + judging.PATIENCE + 1 - time.monotonic())
        finally:
            for pid in processes:
                os.kill(pid, signal.SIGCONT)
        for member in members:
            await member.until_renewed(time.monotonic())
        assert [member.leases.lost for member in members] == ["", ""]
        assert [member.gone for member in members] == [[], []]


def sessions(database: str) -> list[int]:
    """Return the processes of the clients' sessions."""
    query = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
    with psycopg.connect(database) as session:
        return [pid for (pid,) in session.execute(query)]
