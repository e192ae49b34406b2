# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits by address hold over all nodes, whichever of them leads: real processes, a real bus, a real database."""

import asyncio
import re
import struct
from http import HTTPStatus
from pathlib import Path

import nats as client
from aiohttp import ClientSession

from tests.end_to_end.server import Server
from tests.features.cluster.playing import PATIENCE, cluster
from tests.nats import Nats

OPTIONS = ("--games=nim", "--sign-up=open", "--sign-ups-per-hour=2")

COUNTED = re.compile(b"sign-ups\x81.[^\xcb]*\xcb(.{8})", re.DOTALL)
"""In a frame of the bus: the name of the limit, and a map of an address and the seconds that are counted."""


async def sign_up(node: Server, name: str) -> int:
    """Make an account at a node, and return the status of the answer, once a node leads."""
    account = {"name": name, "password": "correct horse battery staple"}
    async with asyncio.timeout(PATIENCE), ClientSession(node.url) as http:
        while True:
            async with http.post("/api/v1/accounts", json=account) as response:
                if response.status != HTTPStatus.SERVICE_UNAVAILABLE:
                    return response.status
            await asyncio.sleep(0.1)


async def test_a_limit_holds_over_all_nodes_whichever_leads(tmp_path: Path, database: str, nats: Nats) -> None:
    async with cluster(tmp_path, database, nats.url, "ab", *OPTIONS) as nodes:
        a, b = nodes["a"], nodes["b"]
        assert [await sign_up(b, "anna"), await sign_up(a, "berta")] == [HTTPStatus.OK, HTTPStatus.OK]
        assert await sign_up(b, "carla") == HTTPStatus.TOO_MANY_REQUESTS
        await a.stop()
        assert await sign_up(b, "carla") == HTTPStatus.TOO_MANY_REQUESTS, "the next leader goes on counting"
        await a.start()
        await a.ready()
        async with asyncio.timeout(PATIENCE):
            while any(node.log.count("linked with a node") < 2 for node in (a, b)):  # noqa: ASYNC110  # in other processes
                await asyncio.sleep(0.01)
        await b.stop()
        assert await sign_up(a, "carla") == HTTPStatus.TOO_MANY_REQUESTS, "a new node learns the counts"


async def test_a_leader_that_is_killed_has_sent_its_counts(tmp_path: Path, database: str, nats: Nats) -> None:
    async with cluster(tmp_path, database, nats.url, "ab", *OPTIONS) as nodes:
        bus = await client.connect(nats.url)
        told = await bus.subscribe(">")
        assert [await sign_up(nodes["a"], name) for name in ("anna", "berta")] == [HTTPStatus.OK, HTTPStatus.OK]
        async with asyncio.timeout(PATIENCE):
            while True:
                counted = COUNTED.search((await told.next_msg(PATIENCE)).data)
                if counted is not None and struct.unpack(">d", counted[1])[0] > 1800:
                    break  # of two sign-ups: each counts for half an hour
        await nodes["a"].kill()
        assert await sign_up(nodes["b"], "carla") == HTTPStatus.TOO_MANY_REQUESTS
        await bus.close()
