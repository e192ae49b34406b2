# SPDX-License-Identifier: GPL-3.0-or-later
"""Uploads over the API, in an arena whose process beside the server is played by the test."""

import asyncio
import errno
import hashlib
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
import pytest_asyncio

from arena.features.uploads import records
from arena.features.uploads.api import ENDPOINTS
from arena.features.uploads.part import UploadsPart, due_now
from arena.features.uploads.settings import UploadSettings
from arena.protocol.hosting import (
    ErrorOutput,
    FilesFree,
    HostingReport,
    HostingState,
    SandboxFound,
    SeatLeft,
    Validated,
    ValidationEnded,
    ValidationLine,
    ValidationStarted,
)
from arena.settings import Settings
from tests.features.accounts.people import browser, program
from tests.features.uploads.zips import BOT, packed, project
from tests.web.door import Door, opened

pytestmark = pytest.mark.asyncio(loop_scope="session")

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
    """Return what the process would be told after the next change."""
    told: asyncio.Queue[HostingState] = asyncio.Queue()
    part_of(door)._changed.set()
    telling = asyncio.create_task(part_of(door).states(told.put_nowait))
    try:
        async with asyncio.timeout(PATIENCE):
            return await told.get()
    finally:
        telling.cancel()


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


async def test_the_file_comes_back_as_it_was(door: Door) -> None:
    owner = await program(door)
    mine = await bot(door, owner, "comes-back")
    body = project(("data/book", b"e4 e5"))
    await upload(door, owner, mine, body, "file=b%22%0d%0ax.zip")
    async with door.http.get(f"/api/v1/bots/{mine}/versions/1/file", headers=owner) as response:
        assert (response.status, await response.read()) == (200, body)
        assert response.content_type == "application/octet-stream"
        assert response.headers["Content-Disposition"] == 'attachment; filename="b_ x.zip"'
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert response.headers["Cache-Control"] == "no-store"
    status, answer = await post(door, f"/bots/{mine}/versions/1/withdraw", owner)
    assert (status, answer["state"]) == (200, "withdrawn")
    assert not part_of(door).storage.place(answer["digest"], "python").exists()
    assert (await get(door, f"/bots/{mine}/versions/1/file", owner))[0] == 404
    status, answer = await post(door, f"/bots/{mine}/versions/1/validate", owner)
    assert (status, answer["error"]["code"]) == (409, "conflict")


async def test_what_is_no_bot_is_refused_and_leaves_nothing(door: Door) -> None:
    owner = await program(door)
    mine = await bot(door, owner, "refused-one")
    folder = part_of(door).storage.place("digest", "python").parent
    before = sorted(folder.iterdir()) if folder.exists() else []
    refused = (
        (b"", "file=a.py", 400, "the file is empty"),
        (b"MZ", "file=a.exe", 400, "upload a Python file"),
        (packed(("a", b"")), "file=a.zip", 400, "neither bot.json nor main.py"),
        (BOT, "file=a.py&games=chess", 400, "this arena does not offer 'chess'; it offers tictactoe, nim"),
        (BOT, "games=nim", 400, "'file' is missing"),
        (b'{"kind": "search", "version": 1, "games": {"nim": {}}, "depth": 1e9}', "file=a.json", 400, "depth: "),
        (b'{"lineage": ' + b"[" * 50_000, "file=a", 400, "nested too deeply"),
        (packed(("bot.json", b'{"entry": "a.json"}'), ("a.json", b"{}")), "file=a.zip", 400, "kind: it must be"),
        (BOT, "file=a.py&file=b.py", 400, "given twice"),
    )
    for body, query, wanted, why in refused:
        status, answer = await upload(door, owner, mine, body, query)
        assert (status, why in answer["error"]["message"]) == (wanted, True), answer
    assert (await get(door, f"/bots/{mine}/versions", owner))[1]["items"] == []
    assert (sorted(folder.iterdir()) if folder.exists() else []) == before


async def test_a_data_bot_is_uploaded(door: Door) -> None:
    """The options that the API documents make one, and no sandbox is needed."""
    owner = await program(door)
    mine = await bot(door, owner, "data-one")
    status, options = await get(door, "/data-bots/options")
    assert (status, [game["name"] for game in options["games"]]) == (200, ["tictactoe", "nim"])
    found = {
        "kind": "search",
        "version": options["version"],
        "games": {game["name"]: {"evaluation": game["evaluation"]} for game in options["games"]},
        "algorithm": options["algorithms"][0]["name"],
        "switches": {switch["name"]: True for switch in options["switches"]},
        "parameters": {row["name"]: row["most"] for row in options["parameters"]},
        **{row["name"]: row["least"] for row in options["limits"]},
    }
    for body, query in (
        (msgspec.json.encode(found), "file=mine.json"),
        (packed(("bot.json", b'{"entry": "a.json"}'), ("a.json", msgspec.json.encode(found))), "file=mine.zip"),
    ):
        status, made = await upload(door, owner, mine, body, query)
        assert (status, made["language"], made["state"]) == (200, "data", "queued"), made


async def test_only_the_owner_and_administrators_upload(door: Door) -> None:
    owner, other, administrator = await program(door), await program(door), await program(door, "administrator")
    mine = await bot(door, owner, "owned-one")
    assert (await upload(door, {}, mine))[0] == 401
    assert (await upload(door, other, mine))[0] == 403
    assert (await upload(door, await program(door, scopes={"play"}), mine))[0] == 403
    assert (await upload(door, owner, 2**40))[0] == 404
    assert (await upload(door, administrator, mine))[0] == 200
    for reader, status in ((owner, 200), (administrator, 200), (other, 403), ({}, 401)):
        for path in ("", "/1", "/1/file"):
            async with door.http.get(f"/api/v1/bots/{mine}/versions{path}", headers=reader) as response:
                assert response.status == status, path
    for reader, status in ((owner, 403), (other, 403), ({}, 401), (administrator, 200)):
        assert (await get(door, "/uploads", reader))[0] == status
    listed = (await get(door, "/uploads?state=queued", administrator))[1]["items"]
    assert [(each["name"], each["version"]) for each in listed][:1] == [("owned-one", 1)]
    entries = (await door.arena.store.audit_log.page(limit=20)).items
    assert "POST /api/v1/bots/{id}/versions" in {entry.action for entry in entries}


async def test_a_page_of_another_site_cannot_upload(door: Door) -> None:
    async with browser(door) as one:
        await one.post("/accounts", {"name": "uploads-by-page", "password": "correct horse battery"})
        mine = (await one.post("/bots", {"name": "by-page"}))[1]["bot"]["id"]
        path = f"/api/v1/bots/{mine}/versions?file=a.py"
        for origin, status in (("https://evil.example", 403), (one.origin, 200)):
            async with one.http.post(path, data=BOT, headers={"Origin": origin}) as response:
                assert response.status == status


async def test_built_in_bots_have_no_uploads(door: Door) -> None:
    known = await door.arena.store.bots.admit_built_in("shipped", "a hash")
    assert known is not None
    status, answer = await upload(door, await program(door, "administrator"), known.id)
    assert (status, answer["error"]["message"]) == (409, "shipped is a built-in bot, which has no uploads")


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
    monkeypatch.setattr(records, "MOST_ATTEMPTS", 2)
    tell(door, ValidationStarted(number), ValidationEnded(number, "killed"))
    found = await until(door, owner, path, state="rejected")
    assert found["reason"].startswith("the arena could not validate it in 2 attempts")
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
    place = part_of(door).storage.place(made["digest"], "python")
    assert place.is_dir()
    assert (await post(door, f"/bots/{mine}/remove", owner))[0] == 200
    assert not place.exists()


async def test_files_stay_while_a_program_may_run(door: Door) -> None:
    owner = await program(door)
    for number, end in enumerate(("versions/1/withdraw", "remove")):
        mine = await bot(door, owner, f"plays-{number}")
        _, made = await upload(door, owner, mine, BOT + f"# plays {number}".encode())
        upload_id = await newest(door)
        place = part_of(door).storage.place(made["digest"], "python")
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
    place = part_of(door).storage.place(made["digest"], "python")
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


async def test_a_token_that_only_plays_reads_no_file(door: Door) -> None:
    """Such tokens lie on the machines that play."""
    async with browser(door) as one:
        await one.post("/accounts", {"name": "reads-files", "password": "correct horse battery"})
        mine = (await one.post("/bots", {"name": "read-one"}))[1]["bot"]["id"]
        for scope, status in (("play", 403), ("submit", 200)):
            token = (await one.post("/account/tokens", {"label": "", "scopes": [scope]}))[1]["token"]
            headers = {"Authorization": f"Bearer {token}"}
            await upload(door, headers, mine)
            if scope == "play":
                assert (await one.post(f"/bots/{mine}/versions/1/withdraw"))[0] == 404
            async with door.http.get(f"/api/v1/bots/{mine}/versions/1/file", headers=headers) as response:
                assert response.status == status


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


async def test_approval_and_limits(tmp_path: Path) -> None:
    async with arena(tmp_path, native_uploads="approved", uploads_per_day=2, upload_bytes=1000) as door:
        owner, administrator = await program(door), await program(door, "administrator")
        mine = await bot(door, owner, "waits")
        assert (await upload(door, owner, mine, BOT + b"#" * 1000))[0] == 413
        assert (await upload(door, owner, mine))[1]["state"] == "waiting"
        assert (await state_of(door)).validations == []
        assert (await post(door, f"/bots/{mine}/versions/1/approve", owner))[0] == 403
        assert (await post(door, f"/bots/{mine}/versions/1/approve", administrator))[1]["state"] == "queued"
        assert (await post(door, f"/bots/{mine}/versions/1/approve", administrator))[0] == 409
        assert len((await state_of(door)).validations) == 1
        assert (await upload(door, owner, mine, b"\0asm\1\0\0\0", "file=a.wasm"))[1]["state"] == "queued"
        async with door.http.post(f"/api/v1/bots/{mine}/versions?file=a.py", data=BOT, headers=owner) as response:
            assert response.status == 429
            assert 0 < int(response.headers["Retry-After"]) <= 86_400
        account = (await get(door, "/account", owner))[1]
        assert (account["limits"]["uploads a day"], account["usage"]["uploads a day"]) == (2, 2)
        assert account["usage"]["storage"] == 2 * (len(BOT) + 8)
        assert (await upload(door, administrator, mine))[0] == 200, "administrators have no such limit"


async def test_without_a_sandbox_native_uploads_are_refused(tmp_path: Path) -> None:
    async with arena(tmp_path) as door:
        owner, administrator = await program(door), await program(door, "administrator")
        mine = await bot(door, owner, "native")
        tell(door, SandboxFound("none", ["no namespaces"]))
        await until(door, administrator, "/uploads", sandbox={"tier": "none", "reasons": ["no namespaces"]})
        status, answer = await upload(door, owner, mine)
        assert status == 400
        assert answer["error"]["message"].endswith("so it runs no Python and no executables: no namespaces")
        assert (await upload(door, owner, mine, b"\0asm\1\0\0\0", "file=a.wasm"))[0] == 200
        assert len(list((tmp_path / "uploads").iterdir())) == 1


async def test_a_full_disk_is_told_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with arena(tmp_path) as door:
        owner = await program(door)
        mine = await bot(door, owner, "too-much")

        def full(descriptor: int) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            status, answer = await upload(door, owner, mine)
        assert (status, answer["error"]["code"]) == (507, "not-stored")
        assert answer["error"]["message"] == "the server could not store the file: the disk is full"
        assert (await get(door, f"/bots/{mine}/versions", owner))[1]["items"] == []
        assert list((tmp_path / "uploads").iterdir()) == []
        assert (await upload(door, owner, mine))[0] == 200


async def test_an_upload_that_breaks_off_leaves_nothing(tmp_path: Path) -> None:
    async with arena(tmp_path) as door:
        owner = await program(door)
        mine = await bot(door, owner, "broken-off")
        host, _, port = door.address.rpartition(":")
        head = (
            f"POST /api/v1/bots/{mine}/versions?file=a.py HTTP/1.1\r\nHost: {door.address}\r\n"
            f"Authorization: {owner['Authorization']}\r\nContent-Length: 1000\r\n\r\nprint("
        )
        with socket.create_connection((host, int(port))) as breaking:
            breaking.sendall(head.encode())
            async with asyncio.timeout(PATIENCE):
                while not part_of(door)._uploading:  # noqa: ASYNC110  # it has no event
                    await asyncio.sleep(0.02)
            assert (await upload(door, owner, mine))[0] == 429, "one upload of an account at a time"
        async with asyncio.timeout(PATIENCE):
            while part_of(door)._uploading:  # noqa: ASYNC110  # likewise
                await asyncio.sleep(0.02)
        assert (await get(door, f"/bots/{mine}/versions", owner))[1]["items"] == []
        assert not (tmp_path / "uploads").exists()


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


async def test_every_route_but_the_documentation_needs_an_account() -> None:
    public = [endpoint.path for endpoint in ENDPOINTS if endpoint.access.kind != "account"]
    assert public == ["/api/v1/data-bots/options"]
