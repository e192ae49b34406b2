# SPDX-License-Identifier: GPL-3.0-or-later
"""The requests of webhooks: signed, to checked addresses only, without redirects, within limits."""

import asyncio
import base64
import hashlib
import hmac
import socket

import pytest
from aiohttp.abc import AbstractResolver, ResolveResult

from arena.features.feeds.settings import WebhookSettings
from arena.features.feeds.webhooks.addresses import Guard
from arena.features.feeds.webhooks.requests import Outcome, Requests
from arena.features.feeds.webhooks.signing import make_secret, sign
from tests.arena.peers import PATIENCE
from tests.features.feeds.receiver import allowing, receiving

SECRET = make_secret()


class Rebinding(AbstractResolver):
    """A name server whose answers change."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers = list(answers)

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Return the next answer."""
        flags = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV
        return [
            ResolveResult(hostname=host, host=address, port=port, family=socket.AF_INET, proto=0, flags=flags)
            for address in self.answers.pop(0)
        ]

    async def close(self) -> None:
        """There is nothing to close."""


async def send(
    settings: WebhookSettings, url: str, resolver: AbstractResolver | None = None, seconds: float = 300.0
) -> Outcome:
    """Send a body."""
    requests = Requests(Guard(settings), resolver, seconds)
    try:
        return await requests.send(url, SECRET, "msg_7", 1_700_000_000, b'{"a": 1}')
    finally:
        await requests.close()


def test_the_signature_is_that_of_the_specification() -> None:
    """The example of the Standard Webhooks specification's libraries."""
    secret, message = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek"
    signature = sign(secret, message, 1614265330, b'{"test": 2432232314}')
    assert signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


async def test_a_request_is_signed() -> None:
    async with receiving() as receiver:
        assert await send(allowing(receiver), receiver.url) == Outcome(204, "")
        got = await receiver.next()
    assert got.body == b'{"a": 1}'
    assert (got.headers["Webhook-Id"], got.headers["Webhook-Timestamp"]) == ("msg_7", "1700000000")
    key = base64.b64decode(SECRET.removeprefix("whsec_"))
    expected = hmac.new(key, b"msg_7.1700000000." + got.body, hashlib.sha256).digest()
    assert got.headers["Webhook-Signature"] == "v1," + base64.b64encode(expected).decode()
    assert got.headers["Content-Type"] == "application/json"


async def test_loopback_is_blocked_by_default() -> None:
    async with receiving() as receiver:
        settings = WebhookSettings(webhook_ports=str(receiver.port))
        for host in ("127.0.0.1", "localhost", "[::ffff:127.0.0.1]"):
            outcome = await send(settings, f"http://{host}:{receiver.port}/")
            assert outcome.status is None
            assert "not public" in outcome.problem, host
        assert receiver.received.empty()


async def test_the_checked_address_is_the_one_that_is_reached() -> None:
    """A name that changes its address between two look-ups gains nothing: there is one, and its result is used."""
    async with receiving("127.0.0.2") as receiver:
        settings = allowing(receiver, ["127.0.0.2"])
        url = f"http://hooks.example:{receiver.port}/"
        resolver = Rebinding(["127.0.0.2"], ["127.0.0.1"], ["127.0.0.1", "127.0.0.2"])
        assert await send(settings, url, resolver) == Outcome(204, "")
        assert (await receiver.next()).headers["Host"] == f"hooks.example:{receiver.port}"
        assert "127.0.0.1, which is not public" in (await send(settings, url, resolver)).problem
        assert await send(settings, url, resolver) == Outcome(204, "")
        assert resolver.answers == []


async def test_redirects_are_not_followed() -> None:
    async with receiving() as receiver:
        receiver.statuses, receiver.headers = [302], {"Location": f"http://127.0.0.1:{receiver.port}/other"}
        assert await send(allowing(receiver), receiver.url) == Outcome(302, "status 302: webhooks follow no redirects")
        await receiver.next()
        assert receiver.received.empty()


@pytest.mark.parametrize("status", [400, 410, 500])
async def test_other_statuses_are_failures(status: int) -> None:
    async with receiving() as receiver:
        receiver.statuses = [status]
        assert await send(allowing(receiver), receiver.url) == Outcome(status, f"status {status}")


class Silent(Rebinding):
    """A name server that never answers."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Wait for ever."""
        await asyncio.Event().wait()
        raise AssertionError


async def test_a_request_has_a_time_limit() -> None:
    outcome = await send(WebhookSettings(), "http://hooks.example/", Silent(), seconds=0.05)
    assert outcome == Outcome(None, "the address did not answer in time")


async def test_an_endless_answer_is_not_read() -> None:
    closed = asyncio.Event()

    async def endless(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"}")
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        try:
            while True:
                writer.write(b"x" * 65_536)
                await writer.drain()
        except ConnectionError:
            writer.close()
            closed.set()

    async with await asyncio.start_server(endless, "127.0.0.1", 0) as listening:
        port = listening.sockets[0].getsockname()[1]
        settings = WebhookSettings(webhook_allow="127.0.0.1", webhook_ports=str(port))
        assert await send(settings, f"http://127.0.0.1:{port}/") == Outcome(200, "")
        async with asyncio.timeout(PATIENCE):
            await closed.wait()


async def test_nobody_listens() -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        port = bound.getsockname()[1]
        settings = WebhookSettings(webhook_allow="127.0.0.1", webhook_ports=str(port))
        assert (await send(settings, f"http://127.0.0.1:{port}/")).problem.startswith("no answer: ")
