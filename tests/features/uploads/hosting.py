# SPDX-License-Identifier: GPL-3.0-or-later
"""An arena with uploads whose process beside the server is played by the test, and requests to its API."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
import pytest_asyncio

from arena.features.uploads.part import UploadsPart
from arena.features.uploads.settings import UploadSettings
from arena.protocol.hosting import (
    HostingReport,
    HostingState,
)
from arena.settings import Settings
from tests.features.uploads.zips import BOT
from tests.web.door import Door, opened

PATIENCE = 600.0
HEADERS = dict[str, str]


def part_of(door: Door) -> UploadsPart:
    """Return the part of the arena that keeps uploads."""
    return door.arena.part(UploadsPart)


@asynccontextmanager
async def arena(folder: Path, **settings: Any) -> AsyncIterator[Door]:
    """Open an arena that works on the reports of the process that is not there."""
    features = (UploadSettings(**settings),)
    async with opened(folder, Settings(games="tictactoe,nim", ladder=False, features=features)) as door:
        handling = asyncio.create_task(part_of(door).handle())
        try:
            yield door
        finally:
            handling.cancel()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def door(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Door]:
    """An arena for the tests of this module."""
    async with arena(tmp_path_factory.mktemp("uploads")) as door:
        yield door


async def post(door: Door, path: str, headers: HEADERS, body: bytes = b"{}") -> tuple[int, Any]:
    """Post a file, or an empty object; return the status and the answer."""
    async with door.http.post(f"/api/v1{path}", data=body, headers=headers) as response:
        return response.status, await response.json()


async def get(door: Door, path: str, headers: HEADERS | None = None) -> tuple[int, Any]:
    """Return the status and the answer."""
    async with door.http.get(f"/api/v1{path}", headers=headers or {}) as response:
        return response.status, await response.json()


async def bot(door: Door, headers: HEADERS, name: str) -> int:
    """Register a bot of an account."""
    async with door.http.post("/api/v1/bots", json={"name": name}, headers=headers) as response:
        answer = await response.json()
        assert response.status == 200, answer
        return int(answer["bot"]["id"])


async def upload(
    door: Door, headers: HEADERS, bot_id: int, body: bytes = BOT, query: str = "file=mine.py"
) -> tuple[int, Any]:
    """Upload a version."""
    return await post(door, f"/bots/{bot_id}/versions?{query}", headers, body)


def tell(door: Door, *reports: HostingReport) -> None:
    """Say what the process would."""
    for report in reports:
        assert part_of(door).hear(msgspec.json.encode(report))


async def until(door: Door, headers: HEADERS, path: str, **wanted: object) -> Any:
    """Return an answer once some of its fields are as wanted."""
    async with asyncio.timeout(PATIENCE):
        while True:
            status, answer = await get(door, path, headers)
            assert status == 200, answer
            if all(answer[name] == value for name, value in wanted.items()):
                return answer
            await asyncio.sleep(0.02)


async def newest(door: Door) -> int:
    """Return the number of the newest upload."""
    return (await part_of(door).records.all(limit=1)).items[0].id


async def state_of(door: Door) -> HostingState:
    """Return the order that the process would receive after the next change."""
    told: asyncio.Queue[HostingState] = asyncio.Queue()
    part_of(door)._changed.set()
    telling = asyncio.create_task(part_of(door).states(told.put_nowait))
    try:
        async with asyncio.timeout(PATIENCE):
            return await told.get()
    finally:
        telling.cancel()
