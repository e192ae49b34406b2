# SPDX-License-Identifier: GPL-3.0-or-later
"""Uploads from their validation to their end, by the reports of the process beside the server, which the test plays."""

import asyncio
import hashlib
from pathlib import Path

import msgspec
import pytest

from arena.features.uploads.part import due_now
from arena.features.uploads.records import versions
from arena.protocol.hosting import (
    ErrorOutput,
    FilesFree,
    SeatLeft,
    Validated,
    ValidationEnded,
    ValidationLine,
    ValidationStarted,
)
from tests.features.accounts.people import program
from tests.features.uploads.hosting import (
    PATIENCE,
    arena,
    bot,
    door,
    get,
    newest,
    part_of,
    post,
    state_of,
    tell,
    until,
    upload,
)
from tests.features.uploads.zips import BOT
from tests.web.door import Door

pytestmark = pytest.mark.asyncio(loop_scope="session")

__all__ = ["door"]


async def test_a_version_is_validated_and_hosted(door: Door) -> None:
    owner = await program(door)
    mine = await bot(door, owner, "hosted-one")
    status, made = await upload(door, owner, mine, query="file=%1b[2J/mine.py&games=nim")
    assert (status, made["bot"], made["name"], made["version"], made["state"]) == (200, mine, "hosted-one", 1, "queued")
    assert (made["language"], made["file"], made["games"], made["size"]) == ("python", "mine.py", ["nim"], len(BOT))
    assert made["digest"] == hashlib.sha256(BOT).hexdigest()
    number = await newest(door)
    (validation,) = [each for each in (await state_of(door)).validations if each.upload == number]
    assert (validation.games, validation.program.entry) == (["nim"], "bot.py")
    assert (Path(validation.program.folder) / "bot.py").read_bytes() == BOT
    path = f"/bots/{mine}/versions/1"
    tell(door, ValidationStarted(number), ValidationLine(number, "hello"))
    assert (await until(door, owner, path, state="validating", log=["hello"]))["reason"] == ""
    tell(door, ValidationLine(number, "accepted"), Validated(number, True, "", ["nim"], "5", "It plays nim."))
    found = await until(door, owner, path, state="accepted")
    assert (found["label"], found["games"], found["log"]) == ("5", ["nim"], ["hello", "accepted"])
    (seat,) = [each for each in (await state_of(door)).seats if each.bot == mine]
    assert (seat.upload, seat.name, seat.label, seat.games) == (number, "hosted-one", "5", ["nim"])
    known = await door.arena.store.bots.named("hosted-one")
    assert known is not None
    assert known.description == "It plays nim."
    again = await state_of(door)
    assert [each.token for each in again.seats if each.bot == mine] == [seat.token], "one for each run of the server"
    assert seat.token not in (await get(door, path, owner))[1].values()


async def test_error_output_is_for_the_owner(door: Door) -> None:
    owner, other, administrator = await program(door), await program(door), await program(door, "administrator")
    mine = await bot(door, owner, "writes-errors")
    await upload(door, owner, mine)
    number = await newest(door)
    tell(door, ErrorOutput(number, 7, "Traceback:\n  secret"), ErrorOutput(number, 8, "again"))
    async with asyncio.timeout(PATIENCE):
        while len((await get(door, f"/bots/{mine}/logs", owner))[1]["items"]) < 2:  # noqa: ASYNC110  # likewise
            await asyncio.sleep(0.02)  # the API has no event for it
    for reader in (owner, administrator):
        items = (await get(door, f"/bots/{mine}/logs", reader))[1]["items"]
        assert [(each["match"], each["text"]) for each in items] == [(8, "again"), (7, "Traceback:\n  secret")]
    assert (await get(door, f"/bots/{mine}/logs", other))[0] == 403
    assert (await get(door, f"/bots/{mine}/logs"))[0] == 401


async def test_a_validation_that_ends_without_a_result_starts_again(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = await program(door)
    mine = await bot(door, owner, "interrupted-one")
    await upload(door, owner, mine)
    number = await newest(door)
    path = f"/bots/{mine}/versions/1"
    tell(door, ValidationStarted(number))
    await until(door, owner, path, state="validating")
    tell(door, ValidationEnded(number, "killed"))
    found = await until(door, owner, path, state="queued")
    assert found["reason"].startswith("attempt 1 of ")
    assert "(killed)" in found["reason"]
    assert number in [each.upload for each in (await state_of(door)).validations]
    monkeypatch.setattr(versions, "MOST_ATTEMPTS", 2)
    tell(door, ValidationStarted(number), ValidationEnded(number, "killed"))
    found = await until(door, owner, path, state="rejected")
    assert found["reason"].startswith("validation failed 2 times")
    assert (await post(door, f"{path}/validate", owner))[1]["state"] == "queued"


async def test_a_validation_that_ended_twice_without_a_result_waits(door: Door) -> None:
    owner = await program(door)
    mine = await bot(door, owner, "waiting-one")
    await upload(door, owner, mine)
    number = await newest(door)
    path = f"/bots/{mine}/versions/1"
    for attempt in (1, 2):
        tell(door, ValidationStarted(number))
        await until(door, owner, path, state="validating")
        tell(door, ValidationEnded(number, "killed"))
        found = await until(door, owner, path, state="queued")
        assert found["reason"].startswith(f"attempt {attempt} of ")
    assert number not in [each.upload for each in (await state_of(door)).validations]
    (row,) = [row for row in await part_of(door).records.waiting() if row.id == number]
    assert due_now([row], row.queued - 5.0) == ([], 5.0)
    assert due_now([row], row.queued) == ([row], None)


async def test_a_bot_that_is_not_let_in_is_left_alone(door: Door) -> None:
    owner = await program(door)
    mine = await bot(door, owner, "left-one")
    await upload(door, owner, mine)
    number = await newest(door)
    path = f"/bots/{mine}/versions/1"
    tell(door, ValidationStarted(number), Validated(number, True, "", ["nim"], "1"))
    await until(door, owner, path, state="accepted")
    assert mine in [seat.bot for seat in (await state_of(door)).seats]
    tell(door, SeatLeft(number, mine, "the token is another's now"))
    await until(door, owner, path, absent="the token is another's now")
    assert mine not in [seat.bot for seat in (await state_of(door)).seats]
    assert (await post(door, f"{path}/validate", owner))[0] == 200
    await until(door, owner, path, absent="", state="queued")


async def test_a_bot_of_a_disabled_account_comes_back_with_it(door: Door) -> None:
    owner, administrator = await program(door), await program(door, "administrator")
    mine = await bot(door, owner, "comes-and-goes")
    account = (await get(door, "/account", owner))[1]["id"]
    await upload(door, owner, mine)
    number = await newest(door)
    path = f"/bots/{mine}/versions/1"
    tell(door, ValidationStarted(number), Validated(number, True, "", ["nim"], "1"))
    await until(door, owner, path, state="accepted")
    for disabled in (True, False):
        assert (
            await post(door, f"/accounts/{account}/disable", administrator, msgspec.json.encode({"disabled": disabled}))
        )[0] == 200
        if disabled:
            tell(door, SeatLeft(number, mine, "its token is not valid"))
            await until(door, administrator, path, absent="its token is not valid")
        assert (mine in [seat.bot for seat in (await state_of(door)).seats]) is not disabled


async def test_files_go_with_their_bot(door: Door) -> None:
    owner = await program(door)
    mine = await bot(door, owner, "goes")
    _, made = await upload(door, owner, mine, BOT + b"# goes")
    place = part_of(door).files.place((made["digest"], "python"))
    assert place.is_dir()
    assert (await post(door, f"/bots/{mine}/remove", owner))[0] == 200
    assert not place.exists()


async def test_files_stay_while_a_program_may_run(door: Door) -> None:
    owner = await program(door)
    for number, end in enumerate(("versions/1/withdraw", "remove")):
        mine = await bot(door, owner, f"plays-{number}")
        _, made = await upload(door, owner, mine, BOT + f"# plays {number}".encode())
        upload_id = await newest(door)
        place = part_of(door).files.place((made["digest"], "python"))
        tell(door, ValidationStarted(upload_id), Validated(upload_id, True, "", ["nim"], "1"))
        await until(door, owner, f"/bots/{mine}/versions/1", state="accepted")
        assert upload_id in [seat.upload for seat in (await state_of(door)).seats]
        assert (await post(door, f"/bots/{mine}/{end}", owner))[0] == 200
        if number == 0:
            assert (await get(door, f"/bots/{mine}/versions/1/file", owner))[0] == 404
        state = await state_of(door)
        assert upload_id in state.leaving
        assert upload_id not in [seat.upload for seat in state.seats]
        assert place.is_dir()
        tell(door, FilesFree(upload_id))
        async with asyncio.timeout(PATIENCE):
            while place.exists():  # noqa: ASYNC110  # it has no event
                await asyncio.sleep(0.02)
        assert upload_id not in (await state_of(door)).leaving


async def test_files_stay_while_a_validation_runs(door: Door) -> None:
    owner = await program(door)
    mine = await bot(door, owner, "validates")
    _, made = await upload(door, owner, mine, BOT + b"# validates")
    number = await newest(door)
    place = part_of(door).files.place((made["digest"], "python"))
    assert number in [each.upload for each in (await state_of(door)).validations]
    tell(door, ValidationStarted(number))
    await until(door, owner, f"/bots/{mine}/versions/1", state="validating")
    assert (await post(door, f"/bots/{mine}/versions/1/withdraw", owner))[0] == 200
    assert number in (await state_of(door)).leaving
    assert place.is_dir()
    tell(door, FilesFree(number))
    async with asyncio.timeout(PATIENCE):
        while place.exists():  # noqa: ASYNC110  # it has no event
            await asyncio.sleep(0.02)


async def test_validating_again_waits_for_room(tmp_path: Path) -> None:
    async with arena(tmp_path, validation_queue=1) as door:
        owner, other = await program(door), await program(door)
        mine, theirs = await bot(door, owner, "mine"), await bot(door, other, "theirs")
        await upload(door, owner, mine)
        number = await newest(door)
        tell(door, ValidationStarted(number), Validated(number, False, "slow"))
        await until(door, owner, f"/bots/{mine}/versions/1", state="rejected")
        assert (await upload(door, other, theirs))[0] == 200
        assert (await post(door, f"/bots/{mine}/versions/1/validate", owner))[0] == 429


async def test_a_restart_takes_up_what_a_crash_left(tmp_path: Path) -> None:
    async with arena(tmp_path) as door:
        owner = await program(door)
        mine = await bot(door, owner, "restarted")
        await upload(door, owner, mine)
        number = await newest(door)
        tell(door, ValidationStarted(number))
        found = await until(door, owner, f"/bots/{mine}/versions/1", state="validating")
    orphan = tmp_path / "uploads" / f"{'0' * 64}.python"
    orphan.mkdir()
    async with arena(tmp_path) as door:
        await until(door, owner, f"/bots/{mine}/versions/1", state="queued")
        async with asyncio.timeout(PATIENCE):
            await part_of(door).needed.wait()
        assert [each.name for each in (tmp_path / "uploads").iterdir()] == [f"{found['digest']}.python"]
        assert [each.upload for each in (await state_of(door)).validations] == [number]
