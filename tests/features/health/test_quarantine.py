# SPDX-License-Identifier: GPL-3.0-or-later
"""Bots in a running arena that fail: off the ladder, told to their owners, and back on it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
import pytest_asyncio

from arena.connections.admission import hash_token, make_token
from arena.features.health.part import HealthPart
from arena.features.health.records import Quarantines
from arena.features.health.settings import HealthSettings
from arena.features.uploads.part import UploadsPart
from arena.features.uploads.records.versions import Uploads
from arena.protocol.hosting import Validated
from tests.features.accounts.people import part_of, program
from tests.features.health.failing import failed
from tests.features.uploads.test_records import accepted
from tests.web.door import Door, opened, unhurried
from tests.web.players import RawBot, connected, first_move

pytestmark = pytest.mark.asyncio(loop_scope="session")

GAME = "tictactoe"
PATIENCE = 600.0
HEADERS = dict[str, str]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def door(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Door]:
    """An arena whose ladder the tests run, round by round; two crashes are too many."""
    settings = unhurried(
        GAME,
        ladder=False,
        ladder_pause=0.0,
        ladder_busy=1.0,
        ladder_misordered=0.0,
        features=(HealthSettings(quarantine_crashes=2),),
    )
    async with opened(tmp_path_factory.mktemp("health"), settings) as door, asyncio.timeout(PATIENCE):
        await door.arena.prepared.wait()
        yield door


async def ask(door: Door, path: str, headers: HEADERS | None = None, post: bool = False) -> tuple[int, Any]:
    """Send a request; return the status and the answer."""
    method = "POST" if post else "GET"
    body = b"{}" if post else None
    async with door.http.request(method, f"/api/v1{path}", data=body, headers=headers) as response:
        return response.status, await response.json()


async def until(door: Door, path: str, name: str, value: str) -> None:
    """Wait until a field of an answer has a value."""
    while (await ask(door, path))[1][name] != value:  # noqa: ASYNC110  # the API has no event for it
        await asyncio.sleep(0.01)


async def owned(door: Door, headers: HEADERS, name: str) -> tuple[int, str]:
    """Register a bot of an account; return its number and its token."""
    account = (await ask(door, "/account", headers))[1]
    token = make_token()
    bot = await part_of(door).ownership.register(account["id"], name, hash_token(token))
    return bot.id, token


@asynccontextmanager
async def seated(door: Door, token: str) -> AsyncIterator[RawBot]:
    """Connect a bot."""
    async with connected(door.play_url, token) as bot:
        await bot.hello(token, [GAME])
        yield bot


async def crash(bot: RawBot) -> None:
    """Crash in a pair of matches: resign each of them at the first turn, because of an error."""
    while len(bot.over) % 2 or not bot.over:
        message = await bot.hear("turn", "over")
        if message["type"] == "turn":
            await bot.say("resign", match=message["match"], failure="ZeroDivisionError")


async def test_a_bot_that_crashes_leaves_the_ladder_until_it_is_put_back(door: Door) -> None:
    owner, other, administrator = await program(door), await program(door), await program(door, "administrator")
    number, token = await owned(door, owner, "shaky")
    _, opponent = await door.register("sturdy")
    path = f"/bots/{number}"
    async with seated(door, token) as shaky, seated(door, opponent) as sturdy:
        assert await door.arena.ladder.round() == 1
        playing = asyncio.create_task(sturdy.play(first_move, 2))
        await crash(shaky)
        await playing
        await until(door, path, "off_ladder", "in quarantine")
        assert await door.arena.ladder.round() == 0

        (found,) = (await ask(door, f"{path}/quarantine", owner))[1]["items"]
        assert found["reason"] == "it crashed or disconnected 2 times in its newest 2 rated matches"
        assert (found["matches"], found["lifted"], found["version"]) == (sorted(shaky.over), None, "1")
        (notice,) = (await ask(door, "/account/notices", owner))[1]["items"]
        assert (notice["bot"], notice["matches"]) == (number, sorted(shaky.over))
        assert found["reason"] in notice["text"]
        assert (await ask(door, "/account/notices", other))[1]["items"] == []
        assert (await ask(door, "/account/notices", administrator))[1]["items"] == [], "it is the owner's"
        board = (await ask(door, f"/leaderboard?game={GAME}"))[1]["items"]
        assert {each["bot"]["name"]: each["off_ladder"] for each in board} == {"shaky": "in quarantine", "sturdy": ""}
        assert [each["name"] for each in (await ask(door, "/quarantines", administrator))[1]["items"]] == ["shaky"]

        await sturdy.say("challenge", opponent="shaky", game=GAME, rated=True)
        assert "plays only unrated matches now" in (await sturdy.hear("error"))["message"]
        await sturdy.say("challenge", opponent="shaky", game=GAME)
        assert (await shaky.hear("challenged"))["rated"] is False

        for headers, status in ((None, 401), (other, 403), (owner, 200), (owner, 409)):
            assert (await ask(door, f"{path}/quarantine/lift", headers, post=True))[0] == status
        assert (await ask(door, path))[1]["off_ladder"] == ""
        assert (await ask(door, "/account/notices", owner))[1]["items"] == []
        assert await door.arena.ladder.round() == 1
    entries = {entry.action for entry in (await door.arena.store.audit_log.page(limit=100)).items}
    assert {"quarantine", "POST /api/v1/bots/{id}/quarantine/lift"} <= entries


async def test_administrators_hear_of_bots_without_an_account(door: Door) -> None:
    administrator, store = await program(door, "administrator"), door.arena.store
    built_in = await store.bots.add("built-in-one", "hash of built-in-one", kind="built-in")
    version = await store.bots.version(built_in.id, "1")
    name, _ = await door.register()
    other = await store.bots.named(name)
    assert other is not None
    opponent = await store.bots.version(other.id, "1")
    for _ in range(2):
        await failed(store, version, opponent)
    await door.arena.part(HealthPart).judge(built_in.id, version.id)
    assert door.arena.conductor.excluded(built_in.id) == "in quarantine"
    notices = (await ask(door, "/account/notices", administrator))[1]["items"]
    assert built_in.id in [notice["bot"] for notice in notices]
    assert (await ask(door, f"/bots/{built_in.id}/quarantine/lift", administrator, post=True))[0] == 200


async def test_a_hosted_version_comes_back_by_a_validation(door: Door) -> None:
    owner, store = await program(door), door.arena.store
    number, _ = await owned(door, owner, "hosted")
    uploads = door.arena.part(UploadsPart)
    upload = await accepted(store, number, account=(await ask(door, "/account", owner))[1]["id"])
    version = await store.bots.version(number, upload.label)
    name, _ = await door.register()
    other = await store.bots.named(name)
    assert other is not None
    opponent = await store.bots.version(other.id, "1")
    for _ in range(2):
        await failed(store, version, opponent)
    await door.arena.part(HealthPart).judge(number, version.id)
    shown = (await ask(door, f"/bots/{number}/versions/1", owner))[1]
    assert (shown["state"], shown["reason"][:28]) == ("quarantined", "it crashed or disconnected 2")
    assert number not in [row.bot_id for row in await store.records(Uploads).hosted()]
    assert (await ask(door, f"/bots/{number}/quarantine/lift", owner, post=True))[0] == 409
    assert (await ask(door, f"/bots/{number}/versions/1/validate", owner, post=True))[1]["state"] == "queued"
    assert (await ask(door, f"/bots/{number}"))[1]["off_ladder"] == "in quarantine"
    handling = asyncio.create_task(uploads.handle())
    try:
        await store.records(Uploads).started(upload.id)
        assert uploads.hear(msgspec.json.encode(Validated(upload.id, True, games=[GAME], version="1")))
        await until(door, f"/bots/{number}", "off_ladder", "")
    finally:
        handling.cancel()
    (found,) = (await ask(door, f"/bots/{number}/quarantine", owner))[1]["items"]
    assert found["how"] == "version 1 was accepted"


async def test_a_restart_keeps_bots_in_quarantine(tmp_path: Path) -> None:
    settings = unhurried(GAME, ladder=False, features=(HealthSettings(quarantine_crashes=1),))
    async with opened(tmp_path, settings) as door:
        store = door.arena.store
        shaky, other = [await store.bots.add(name, f"hash of {name}") for name in ("shaky", "other")]
        version, opponent = [await store.bots.version(bot.id, "1") for bot in (shaky, other)]
        await failed(store, version, opponent)
        await door.arena.part(HealthPart).judge(shaky.id, version.id)
    async with opened(tmp_path, settings) as door:
        await until(door, f"/bots/{shaky.id}", "off_ladder", "in quarantine")
        await until(door, f"/bots/{other.id}", "off_ladder", "")
        # as a command in another process does
        await door.arena.store.records(Quarantines).lift(shaky.id)
        await until(door, f"/bots/{shaky.id}", "off_ladder", "")
