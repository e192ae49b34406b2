# SPDX-License-Identifier: GPL-3.0-or-later
"""`arena accounts` in another process, while the server runs on the same database: the server follows at once."""

import asyncio
import json

import pytest

from arena.connections.admission import hash_token, make_token
from arena.protocol.errors import CloseCode
from engine.native import child
from tests.features.accounts.people import part_of, program, signed_in
from tests.forked import starts
from tests.web.door import Door
from tests.web.players import patient

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def command(door: Door, *words: str) -> None:
    """Run a command of `arena accounts` on the database of the server, in a process of its own."""
    file = door.arena.store.file
    assert file is not None
    with starts():
        process = await asyncio.create_subprocess_exec(
            *child.command("arena.cli", "accounts", *words, "--data", str(file.parent), "--json"),
            stdout=asyncio.subprocess.DEVNULL,
            pass_fds=child.pass_fds(),
        )
    assert await process.wait() == 0


async def test_disabling_an_account_ends_what_it_does(door: Door) -> None:
    part, told = part_of(door), asyncio.Event()
    await part.looked.wait()

    async def follow() -> None:
        told.set()

    part.changes.append(follow)
    async with signed_in(door) as (one, name):
        row, token = await part.accounts.find(name), make_token()
        await part.ownership.register(row.id, f"bot-of-{name}", hash_token(token))
        shown = await program(door)
        _, made, _ = await one.post("/account/tokens", {"label": "", "scopes": ["play"]})
        own = {"Authorization": f"Bearer {made['token']}"}
        async with patient(door.play_url) as socket:
            hello = {"type": "hello", "protocol": 1, "token": token, "games": ["tictactoe"]}
            await socket.send(json.dumps(hello))
            assert json.loads(await socket.recv())["type"] == "welcome"
            await command(door, "disable", name)
            await socket.wait_closed()
            assert socket.close_code == CloseCode.REMOVED
        await told.wait()  # by which hosted bots leave too
        assert (await one.get("/account"))[0] == 401
        for headers, status in ((own, 401), (shown, 200)):
            async with door.http.get("/api/v1/account", headers=headers) as response:
                assert response.status == status, "other accounts go on"
        told.clear()
        await command(door, "enable", name)
        await told.wait()
        async with door.http.get("/api/v1/account", headers=own) as response:
            assert response.status == 200
    part.changes.remove(follow)


async def test_the_code_of_the_first_administrator_ends_with_the_first_one(door: Door) -> None:
    part, told = part_of(door), asyncio.Event()
    await part.looked.wait()
    part.first_code = "a code of this run"

    async def follow() -> None:
        told.set()

    part.changes.append(follow)
    await command(door, "add", "first-head", "--role", "administrator")
    await told.wait()
    assert part.first_code == ""
    part.changes.remove(follow)
