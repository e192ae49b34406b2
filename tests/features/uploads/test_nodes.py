# SPDX-License-Identifier: GPL-3.0-or-later
"""A bot that was uploaded at one node is hosted by any node that leads: real processes, sandboxes, bus and database."""

import asyncio
import os
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from aiohttp import ClientSession

from arena.cli.features import FEATURES
from arena.features.uploads.files import CACHE
from arena.records.verification import verify
from arena.store import Store
from bots.sandbox import find
from tests.end_to_end.server import Server
from tests.features.uploads.test_end_to_end import BOT, CONTROLS, Owner, hosting, result
from tests.nats import running
from tests.postgres import Postgres
from tools.debian import BIN

playing = pytest.importorskip("tests.features.cluster.playing", reason="the arena has no clusters")

PATIENCE = 1200.0
OPTIONS = ("--games=tictactoe", "--uploads-per-day=2", *CONTROLS)


async def until_hosting(node: Server) -> None:
    """Wait until a node hosts bots: the system may leave a child out of its list while another one ends."""
    async with asyncio.timeout(PATIENCE):
        while not hosting(node):  # noqa: ASYNC110  # it happens in another process
            await asyncio.sleep(0.05)


@pytest.mark.timeout(PATIENCE)
async def test_a_bot_uploaded_at_one_node_is_hosted_by_the_next_leader_too(
    postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its file, its logs and its account's quota are those of the cluster; each node has a folder of its own."""
    monkeypatch.setenv("PATH", f"{os.environ['PATH']}:{BIN}")
    if (await find()).sandbox is None:
        pytest.skip("no sandbox here")  # the arena hosts uploaded bots only in a sandbox
    os.chmod(tmp_path, 0o755)  # noqa: PTH101  # for the user of the sandbox
    postgres.sweep()
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(asyncio.timeout(PATIENCE - 20))
        bus = stack.enter_context(running())
        nodes = await stack.enter_async_context(playing.cluster(tmp_path, postgres.url, bus.url, "ab", *OPTIONS))
        a, b = nodes["a"], nodes["b"]
        anna, berta = Owner(b, tmp_path, "anna"), Owner(a, tmp_path, "berta")
        await anna.register()
        await berta.register()
        first, second = await anna.submit("first.py", BOT), await berta.submit("second.py", BOT)
        status, answer, _ = await result(first)
        assert (status, answer["state"]) == (0, "accepted")
        assert (await result(second))[0] == 0
        bot = f"/bots/{answer['bot']}"
        await anna.until(bot, lambda bot: any(rating["games"] >= 1 for rating in bot["ratings"]))
        before = await anna.until(f"{bot}/logs", lambda logs: logs["items"])
        assert (await result(await anna.submit("first.py", BOT + "# 2")))[1]["version"] == 2
        assert await refused(anna), "two a day"
        await until_hosting(a)
        assert not hosting(b)
        assert not (b.folder / "uploads" / CACHE).exists()

        await a.kill()
        while "this node leads the arena" not in b.log:  # noqa: ASYNC110  # it happens in another process
            await asyncio.sleep(0.05)
        played = sum(rating["games"] for rating in (await anna.ask(bot))["ratings"])
        await anna.until(bot, lambda bot: sum(rating["games"] for rating in bot["ratings"]) > played)
        await until_hosting(b)
        after = await anna.until(f"{bot}/logs?limit=100", lambda logs: logs["items"][0] not in before["items"])
        kept = {item["match"]: item["text"] for item in after["items"]}
        assert all(kept[item["match"]] == item["text"] for item in before["items"])
        assert "accepted for tictactoe" in (await anna.ask(f"{bot}/versions/1"))["log"]
        http = ClientSession(b.url, headers={"Authorization": f"Bearer {anna.token}"})
        async with http, http.get(f"/api/v1{bot}/versions/2/file") as response:
            assert (response.status, await response.text()) == (200, BOT + "# 2")
        assert await refused(anna), "two a day, whichever node leads"
    async with await Store.open(postgres.url) as store:
        report = await store.audit(lambda audit: verify(audit, features=FEATURES))
    assert report.findings == []
    assert report.checked["uploaded files"] == 2


async def refused(owner: Owner) -> bool:
    """Submit a file more than the account may; return whether it was refused for that reason."""
    submitting = await owner.submit("first.py", BOT + "# 3")
    _, said = await submitting.communicate()
    assert submitting.returncode == 2, said
    return "may upload 2 files in 24 hours" in said.decode()
