# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports about nodes: the API, the command, the page, metrics and readiness, over a real bus and database."""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from arena.application import Arena
from arena.cli import main
from arena.cli.features import FEATURES
from arena.features.cluster.part import ClusterPart
from arena.features.cluster.settings import ClusterSettings
from arena.settings import Settings
from tests.browser.test_accessibility import sound
from tests.browser.test_disclosure import fits, visited
from tests.features.accounts.people import signed_in, use
from tests.features.cluster.company import PATIENCE, company
from tests.features.cluster.test_refusals import server
from tests.nats import Nats, running
from tests.web.door import Door, opened, unhurried


@asynccontextmanager
async def arena(database: str, bus: str, node: str) -> AsyncIterator[Arena]:
    """Run an arena without a web server that is a node."""
    settings = Settings(games="tictactoe", features=(ClusterSettings(bus=bus, node=node),))
    async with server(database, bus=bus, node=node) as (store, _):
        running_arena = Arena(settings, store, FEATURES)
        await running_arena.start()
        try:
            yield running_arena
        finally:
            await running_arena.stop()


def metrics(arena: Arena) -> dict[str, float]:
    """Return the metrics of the cluster; those of a link by the other node's name."""
    found = {}
    for family in arena.metrics.registry.collect():
        for sample in family.samples:
            if sample.name.startswith("arena_cluster_"):
                found["".join([sample.name.removeprefix("arena_cluster_"), *sample.labels.values()])] = sample.value
    return found


async def test_metrics_and_readiness_follow_the_bus(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.features.cluster.part.AWAY", 0.0)
    with running() as bus:
        async with company("b", database, bus.url), arena(database, bus.url, "a") as one:
            part = one.part(ClusterPart)
            linked = {"nodes": 2.0, "unacknowledged_messagesb": 0.0}.items()
            await until(lambda: metrics(one).get("silence_secondsb", 99) < 2 and not part.trouble())
            await until(lambda: linked <= metrics(one).items())
            bus.kill()
            await until(lambda: metrics(one)["bus_away_seconds"] > 0)
            health = await one.health()
            assert not health.ready
            assert [why for why in health.problems if "the bus between the nodes has not answered" in why]
            bus.start()
            await until(lambda: metrics(one)["bus_away_seconds"] == 0)
            assert part.trouble() == ""


async def until(holds: Any) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(PATIENCE):
        while not holds():  # noqa: ASYNC110  # there is no event for it
            await asyncio.sleep(0.02)


async def test_the_command_lists_the_nodes(database: str, nats: Nats, capsys: pytest.CaptureFixture[str]) -> None:
    assert await asyncio.to_thread(main, ["nodes", "--database-url", database]) == 0
    assert "no node uses this database" in capsys.readouterr().out
    async with company("ab", database, nats.url) as members:
        assert await asyncio.to_thread(main, ["nodes", "--database-url", database, "--json"]) == 0
        found = json.loads(capsys.readouterr().out)["items"]
        assert [(node["name"], node["matches"]) for node in found] == [("a", 0), ("b", 0)]
        assert [node["id"] for node in found if node["leads"]] == [members[0].links.leader]
        assert await asyncio.to_thread(main, ["nodes", "--database-url", database]) == 0
        assert "http://127.0.0.1:1" in capsys.readouterr().out


async def test_a_server_alone_has_no_nodes(tmp_path: Path) -> None:
    async with opened(tmp_path, unhurried("tictactoe")) as door:
        async with door.http.get("/api/v1/nodes") as response:
            assert response.status == 401
        async with signed_in(door, role="administrator") as (administrator, _):
            answer = {"node": "", "term": 0, "bus_away": 0.0, "items": []}
            assert await administrator.get("/nodes") == (200, answer)
        async with door.http.get("/metrics") as response:
            assert "arena_cluster" not in await response.text()


def test_the_page_of_nodes(tmp_path: Path, chromium_path: str | None) -> None:
    visited(tmp_path, chromium_path, "tictactoe", look)


async def look(page: Page, door: Door) -> None:
    """Look as an administrator."""
    async with signed_in(door, role="administrator") as (administrator, _):
        await use(page, administrator)
        await page.goto(f"http://{door.address}/administration/nodes")
        await expect(page.get_by_role("heading", name="This server is alone")).to_be_visible()
        await sound(page)
        await fits(page)
        with sqlite3.connect(door.arena.store.file or "") as session:  # of nodes that this server does not know
            session.executemany(
                "INSERT INTO node VALUES (?, ?, 'http://192.0.2.1:8080', 'host', 7, '1.2.3', 5, 17, 1e9)",
                [(3, "north"), (4, "south")],
            )
            session.execute("INSERT INTO leadership VALUES (1, 4, 12)")
        status, answer = await administrator.get("/nodes")
        assert status == 200
        assert [(node["name"], node["leads"], node["renewed"]) for node in answer["items"]] == [
            ("north", False, None),
            ("south", True, None),
        ]
        await page.reload()
        await expect(page.locator("#nodes tbody tr")).to_have_count(2)
        await expect(page.get_by_role("row").filter(has_text="south")).to_contain_text("leads")
        await expect(page.locator("#bus")).to_contain_text("Number of leaders so far: 12.")
        await sound(page)
        await fits(page)
        await page.goto("about:blank")
