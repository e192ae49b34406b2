# SPDX-License-Identifier: GPL-3.0-or-later
"""Uploaded bots on runners: which runner gets them, with which file, and what it may report."""

import asyncio
from pathlib import Path

import msgspec
import pytest

from arena.features.uploads.settings import UploadSettings
from arena.protocol.hosting import ErrorOutput, SeatLeft, Validated, ValidationStarted
from arena.protocol.runner_messages import UPLOADS_PATH, HostUploads
from tests.features.accounts.people import program
from tests.features.runners.company import OFFER, PATIENCE, Played, arena, hosted, runner
from tests.features.uploads import hosting
from tests.features.uploads.zips import BOT
from tests.web.door import Door

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def accepted(door: Door, name: str, headers: hosting.HEADERS) -> tuple[int, int]:
    """Upload a bot, and let it be accepted; return its number, and that of the upload."""
    bot = await hosting.bot(door, headers, name)
    status, _ = await hosting.upload(door, headers, bot)
    assert status == 200
    number = await hosting.newest(door)
    hosting.tell(door, ValidationStarted(number), Validated(number, True, "", ["tictactoe"], "1", ""))
    await hosting.until(door, headers, f"/bots/{bot}/versions/1", state="accepted")
    return bot, number


async def fetched(door: Door, one: Played, upload: int) -> tuple[int, bytes]:
    """Return what a runner gets for an upload."""
    headers = {"Authorization": f"Bearer {one.token}"}
    async with door.http.get(f"{UPLOADS_PATH}/{upload}", headers=headers) as response:
        return response.status, await response.read()


async def test_an_uploaded_bot_plays_on_a_runner_and_on_the_server_when_it_is_gone(tmp_path: Path) -> None:
    async with arena(tmp_path, UploadSettings(native_uploads="open")) as door:
        handling = asyncio.create_task(hosting.part_of(door).handle())
        owner = await program(door)
        bot, upload = await accepted(door, "mine", owner)
        (before,) = (await hosting.state_of(door)).seats
        async with runner(door, "bare") as bare, runner(door, "cellar") as cellar, runner(door, "tiny") as tiny:
            await bare.join(msgspec.structs.replace(OFFER, sandbox="none"))
            await tiny.join(msgspec.structs.replace(OFFER, memory=0))
            await cellar.join()
            (seat,) = (await cellar.hear(HostUploads)).bots
            assert (seat.bot, seat.upload, seat.name, seat.label) == (bot, upload, "mine", "1")
            assert seat.token != before.token
            assert (await hosting.state_of(door)).seats == [], "the server's own process does not host it"
            assert door.arena.processor_time.hosts(bot)
            assert await fetched(door, cellar, upload) == (200, BOT)
            assert (await fetched(door, bare, upload))[0] == 404, "it does not host this upload"
            assert (await fetched(door, cellar, 999))[0] == 404

            await bare.say(SeatLeft(upload, bot, "a lie"))
            await bare.say(ErrorOutput(999, 1, "of an upload that no runner has"))
            await cellar.say(ErrorOutput(upload, 7, "Traceback"))
            async with asyncio.timeout(PATIENCE):
                while not (  # noqa: ASYNC110  # there is no event for it
                    await hosting.get(door, f"/bots/{bot}/logs", owner)
                )[1]["items"]:
                    await asyncio.sleep(0.01)
            _, logs = await hosting.get(door, f"/bots/{bot}/logs", owner)
            assert [(each["match"], each["text"]) for each in logs["items"]] == [(7, "Traceback")]

            other, _ = await accepted(door, "other", owner)
            assert sorted(await hosted(cellar)) == [bot, other]
            status, _ = await hosting.post(door, f"/bots/{bot}/versions/1/withdraw", owner)
            assert status == 200
            assert await hosted(cellar) == [other]
            assert (await fetched(door, cellar, upload))[0] == 404
            await cellar.hang_up()
            async with asyncio.timeout(PATIENCE):
                while not (  # noqa: ASYNC110  # there is no event for it
                    seats := (await hosting.state_of(door)).seats
                ):
                    await asyncio.sleep(0.01)
            assert [each.bot for each in seats] == [other], "a machine without a sandbox or memory does not get it"
        handling.cancel()


async def test_the_arena_hears_that_a_bot_left_only_from_its_runner(tmp_path: Path) -> None:
    async with arena(tmp_path, UploadSettings(native_uploads="open")) as door:
        handling = asyncio.create_task(hosting.part_of(door).handle())
        owner = await program(door)
        bot, upload = await accepted(door, "mine", owner)
        async with runner(door, "cellar") as cellar:
            await cellar.join()
            assert await hosted(cellar) == [bot]
            await cellar.say(SeatLeft(upload, bot, "the arena has too many versions"))
            assert await hosted(cellar) == []
            version = await hosting.until(door, owner, f"/bots/{bot}/versions/1", state="accepted")
            assert "too many versions" in str(version)
        handling.cancel()
