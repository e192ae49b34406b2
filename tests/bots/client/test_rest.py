# SPDX-License-Identifier: GPL-3.0-or-later
"""The REST client of the SDK, against real servers: addresses, errors, retries, and the names of the games."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response

from bots.client.errors import ArenaError, Rejected, RequestRefused
from bots.client.rest import RestClient, games_played

GAMES = '{"items": [{"name": "checkers", "title": "Checkers"}, {"name": "nim"}], "next": null}'
BUSY = '{"error": {"code": "too-many", "message": "read your answers first"}}'

Planned = tuple[HTTPStatus, str, dict[str, str]]


@dataclass
class Answering:
    """A server with planned answers."""

    address: str
    asked: list[tuple[str, str]] = field(default_factory=list)
    """Path and Authorization header of each request."""


@asynccontextmanager
async def answering(answers: Iterable[Planned]) -> AsyncIterator[Answering]:
    """Serve answers in order; each is a status, a body and headers."""
    left = iter(answers)
    server = Answering("")

    def answer(connection: ServerConnection, request: Request) -> Response:
        server.asked.append((request.path, request.headers.get("Authorization", "")))
        status, body, headers = next(left)
        response = connection.respond(status, body)
        for name, value in headers.items():
            response.headers[name] = value
        return response

    async def refuse(connection: ServerConnection) -> None:
        raise AssertionError("this server has no websocket")

    async with serve(refuse, "127.0.0.1", 0, process_request=answer) as listener:
        server.address = f"127.0.0.1:{next(iter(listener.sockets)).getsockname()[1]}"
        yield server


@pytest.mark.parametrize(
    ("url", "base"),
    [
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080/api/v1"),
        ("https://arena.example/", "https://arena.example/api/v1"),
        ("ws://localhost:1/api/v1/play", "http://localhost:1/api/v1"),
        ("wss://example.org/behind/a/proxy/api/v1/play", "https://example.org/behind/a/proxy/api/v1"),
    ],
)
def test_the_api_is_found_beside_the_play_socket(url: str, base: str) -> None:
    assert RestClient(url).base == base


@pytest.mark.parametrize("url", ["", "nowhere", "ftp://localhost"])
def test_other_addresses_are_refused(url: str) -> None:
    with pytest.raises(ValueError, match="not an address of an arena"):
        RestClient(url)


async def test_a_request_sends_its_parameters_and_its_token() -> None:
    async with answering([(HTTPStatus.OK, "[1, 2]", {})]) as server:
        rest = RestClient(f"http://{server.address}", "secret")
        assert await asyncio.to_thread(rest.get, "/bots", kind=list[int], limit=5, after=None) == [1, 2]
    assert server.asked == [("/api/v1/bots?limit=5", "Bearer secret")]


async def test_a_busy_arena_is_asked_again_when_it_wants_to_be() -> None:
    busy = (HTTPStatus.TOO_MANY_REQUESTS, BUSY, {"Retry-After": "0"})
    async with answering([busy, busy, (HTTPStatus.OK, "{}", {})]) as server:
        assert await asyncio.to_thread(RestClient(f"http://{server.address}").get, "/status") == {}
    assert len(server.asked) == 3


@pytest.mark.parametrize("headers", [{}, {"Retry-After": "60"}])
async def test_a_refusal_is_raised_with_the_message_of_the_arena(headers: dict[str, str]) -> None:
    async with answering([(HTTPStatus.TOO_MANY_REQUESTS, BUSY, headers)]) as server:
        with pytest.raises(RequestRefused, match="read your answers first") as raised:
            await asyncio.to_thread(RestClient(f"http://{server.address}").get, "/status")
    assert (raised.value.status, raised.value.code, len(server.asked)) == (429, "too-many", 1)


@pytest.mark.parametrize("body", ["", "no JSON", '{"items": 5}'])
async def test_an_answer_of_another_type_is_not_an_arena_s(body: str) -> None:
    async with answering([(HTTPStatus.OK, body, {})]) as server:
        with pytest.raises(RequestRefused, match="does not answer as an arena does"):
            await asyncio.to_thread(RestClient(f"http://{server.address}").get, "/bots", kind=list[int])


async def test_an_unreachable_arena_is_an_error_of_the_system(closed_port: int) -> None:
    with pytest.raises(OSError, match="refused"):
        await asyncio.to_thread(RestClient(f"http://127.0.0.1:{closed_port}").get, "/status")


async def games(status: HTTPStatus, body: str, prefix: str = "") -> list[str]:
    """Return the games of a server with one answer."""
    async with answering([(status, body, {})]) as server:
        try:
            return await asyncio.to_thread(games_played, f"ws://{server.address}{prefix}/api/v1/play")
        finally:
            assert server.asked == [(f"{prefix}/api/v1/games", "")]


async def test_the_arena_names_its_games() -> None:
    assert await games(HTTPStatus.OK, GAMES) == ["checkers", "nim"]
    assert await games(HTTPStatus.OK, GAMES, prefix="/behind/a/proxy") == ["checkers", "nim"]


@pytest.mark.parametrize("body", ["", "[]", '{"items": [{}]}', '{"items": []}'])
async def test_a_server_without_games_is_no_arena(body: str) -> None:
    with pytest.raises(ArenaError):
        await games(HTTPStatus.OK, body)


async def test_a_server_without_a_rest_api_is_rejected() -> None:
    with pytest.raises(Rejected, match="404"):
        await games(HTTPStatus.NOT_FOUND, "nothing here")


async def test_a_failing_server_may_be_asked_again() -> None:
    with pytest.raises(OSError, match="503"):
        await games(HTTPStatus.SERVICE_UNAVAILABLE, "later")
