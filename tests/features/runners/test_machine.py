# SPDX-License-Identifier: GPL-3.0-or-later
"""A runner beside a real arena: its bots play there, its link comes back, and its errors are clear."""

import asyncio
import os
from pathlib import Path

import msgspec
import pytest

from arena.cli.features import FEATURES
from arena.features.runners.link import RunnerRefused
from arena.features.runners.machine import Machine
from arena.protocol.errors import CloseCode
from arena.protocol.orders import FurtherOrders
from arena.settings import Settings
from bots.client import Client
from tests.features.runners.company import OFFER, PATIENCE, First, arena, connected, part_of, token_of
from tests.web.door import Door, opened

pytestmark = pytest.mark.asyncio(loop_scope="session")


def machine(door: Door, token: str, folder: Path, told: list[str], patience: float | None = None) -> Machine:
    """Return a runner for an arena."""
    base = f"http://{door.address}"
    return Machine(base, door.play_url, token, OFFER, folder, told.append, proxied=False, patience=patience)


async def test_a_runner_plays_built_in_bots_until_they_play_elsewhere(tmp_path: Path) -> None:
    async with arena(tmp_path) as door:
        places = door.arena.places
        places.offer([("random", "random", "moves at random")])
        await places.start(os.getpid())
        told: list[str] = []
        stop = asyncio.Event()
        one = machine(door, await token_of(door, "cellar"), tmp_path / "runner", told)
        running = asyncio.create_task(one.run(stop))
        await connected(door, "random")
        assert told == ["cellar"]
        assert places.elsewhere("random")
        (runner,) = part_of(door).connected.values()
        assert runner.built_in == {"random"}

        # a lost connection: the bot is given to the server, and comes back with the runner
        runner.connection.end(CloseCode.GOING_AWAY, "lost")
        async with asyncio.timeout(PATIENCE):
            while not (  # noqa: ASYNC110  # there is no event for it
                part_of(door).connected and door.arena.roster.named("random") and places.elsewhere("random")
            ):
                await asyncio.sleep(0.01)
        assert told == ["cellar", "cellar"]

        coming: list[asyncio.Task[None]] = []

        def tell(further: FurtherOrders) -> None:
            """Let bots come back, as the server's own process does."""
            for bot in further.enter:
                client = Client(First, url=door.play_url, token=bot.token, games=["tictactoe"])
                coming.append(asyncio.create_task(client.run()))

        places.tell = tell
        stop.set()
        async with asyncio.timeout(PATIENCE):
            await running
        for task in coming:
            task.cancel()
        assert not places.elsewhere("random")
        assert part_of(door).connected == {}


async def refusal(one: Machine) -> str:
    """Return why a runner ends."""
    with pytest.raises(RunnerRefused) as caught:
        async with asyncio.timeout(PATIENCE):
            await one.run(asyncio.Event())
    return str(caught.value)


async def test_a_runner_says_why_the_arena_does_not_take_it_on(tmp_path: Path) -> None:
    async with arena(tmp_path) as door:
        token = await token_of(door, "cellar")
        assert "does not know this token" in await refusal(machine(door, "wrong", tmp_path / "one", []))
        old = machine(door, token, tmp_path / "two", [])
        old._link._offer = msgspec.structs.replace(OFFER, version="0.0.1")
        assert "install version" in await refusal(old)
        base = f"http://{door.address}/elsewhere"
        lost = Machine(base, door.play_url, token, OFFER, tmp_path / "three", lambda name: None, proxied=False)
        assert "answers HTTP 404 to a runner: it is not an arena" in await refusal(lost)
        nobody = Machine(
            "http://127.0.0.1:1", door.play_url, token, OFFER, tmp_path, lambda name: None, proxied=False, patience=0.0
        )
        assert "http://127.0.0.1:1: " in await refusal(nobody)


async def test_an_arena_without_the_feature(tmp_path: Path) -> None:
    features = tuple(feature for feature in FEATURES if feature.name != "runners")
    async with opened(tmp_path, Settings(games="tictactoe", ladder=False), features=features) as door:
        assert "a version without runners" in await refusal(machine(door, "any", tmp_path / "one", []))
