# SPDX-License-Identifier: GPL-3.0-or-later
"""Uploads over the API: files that come and go, rights and limits."""

import asyncio
import errno
import os
import socket
from pathlib import Path

import msgspec
import pytest

from arena.features.uploads.api import ENDPOINTS
from arena.protocol.hosting import (
    SandboxFound,
)
from tests.features.accounts.people import browser, program
from tests.features.uploads.hosting import (
    PATIENCE,
    arena,
    bot,
    door,
    get,
    part_of,
    post,
    state_of,
    tell,
    until,
    upload,
)
from tests.features.uploads.zips import BOT, packed, project
from tests.web.door import Door

pytestmark = pytest.mark.asyncio(loop_scope="session")

__all__ = ["door"]


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
    assert not part_of(door).files.place((answer["digest"], "python")).exists()
    assert (await get(door, f"/bots/{mine}/versions/1/file", owner))[0] == 404
    status, answer = await post(door, f"/bots/{mine}/versions/1/validate", owner)
    assert (status, answer["error"]["code"]) == (409, "conflict")


async def test_what_is_no_bot_is_refused_and_leaves_nothing(door: Door) -> None:
    owner = await program(door)
    mine = await bot(door, owner, "refused-one")
    folder = part_of(door).files.place(("digest", "python")).parent
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


async def test_a_full_disk_is_reported_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


async def test_every_route_but_the_documentation_needs_an_account() -> None:
    public = [endpoint.path for endpoint in ENDPOINTS if endpoint.access.kind != "account"]
    assert public == ["/api/v1/data-bots/options"]
