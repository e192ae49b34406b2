# SPDX-License-Identifier: GPL-3.0-or-later
"""Addresses as authors write them."""

import asyncio
from http import HTTPStatus

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response

from bots.client.address import games_played, is_local, play_address
from bots.client.errors import ArenaError, Rejected


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("ws://localhost:8080/api/v1/play", "ws://localhost:8080/api/v1/play"),
        ("ws://localhost:8080", "ws://localhost:8080/api/v1/play"),
        ("http://localhost:8080/", "ws://localhost:8080/api/v1/play"),
        ("https://arena.example", "wss://arena.example/api/v1/play"),
        ("wss://example.org/arena/api/v1/play", "wss://example.org/arena/api/v1/play"),
    ],
)
def test_what_is_missing_is_filled_in(written: str, meant: str) -> None:
    assert play_address(written) == meant


@pytest.mark.parametrize("nonsense", ["", "localhost:8080", "ftp://localhost", "ws://"])
def test_nonsense_is_refused(nonsense: str) -> None:
    with pytest.raises(ValueError, match="no address of an arena"):
        play_address(nonsense)


def test_this_machine_needs_no_proxy() -> None:
    assert is_local("ws://localhost:1/")
    assert is_local("ws://127.0.0.1/")
    assert is_local("ws://[::1]:80/")
    assert not is_local("wss://arena.example/")


async def ask(status: HTTPStatus, body: str, prefix: str = "") -> list[str]:
    """Ask a server that answers so."""
    asked: list[str] = []

    def answer(connection: ServerConnection, request: Request) -> Response:
        asked.append(request.path)
        return connection.respond(status, body)

    async def refuse(connection: ServerConnection) -> None:
        raise AssertionError("nobody opens a websocket here")

    async with serve(refuse, "127.0.0.1", 0, process_request=answer) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        try:
            return await asyncio.to_thread(games_played, f"ws://127.0.0.1:{port}{prefix}/api/v1/play")
        finally:
            assert asked == [f"{prefix}/api/v1/games"]


async def test_the_arena_is_asked_which_games_it_has() -> None:
    body = '{"items": [{"name": "checkers", "title": "Checkers"}, {"name": "nim"}], "next": null}'
    assert await ask(HTTPStatus.OK, body) == ["checkers", "nim"]
    assert await ask(HTTPStatus.OK, body, prefix="/behind/a/proxy") == ["checkers", "nim"]


@pytest.mark.parametrize("body", ["", "[]", '{"items": [{}]}', '{"items": []}'])
async def test_other_servers_are_no_arenas(body: str) -> None:
    with pytest.raises(ArenaError):
        await ask(HTTPStatus.OK, body)


async def test_a_server_without_such_a_page_is_not_asked_again() -> None:
    with pytest.raises(Rejected, match="404"):
        await ask(HTTPStatus.NOT_FOUND, "nothing here")


async def test_a_server_in_trouble_may_be_asked_again() -> None:
    with pytest.raises(OSError, match="503"):
        await ask(HTTPStatus.SERVICE_UNAVAILABLE, "later")
