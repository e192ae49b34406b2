# SPDX-License-Identifier: GPL-3.0-or-later
"""The arena behind a real nginx with the configuration of docs/deploy/nginx.conf, over TLS."""

import asyncio
import io
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import ClientSession
from playwright.async_api import Page, Response, WebSocket, async_playwright, expect

from bots.client.rest import RestClient
from tests.browser.conftest import QUIET
from tests.deployment.front import Front, running
from tests.end_to_end.witness import Witness, until
from tools.debian import installed

pytestmark = pytest.mark.skipif(installed("nginx") is None, reason="nginx is neither installed nor unpacked here")

OPTIONS = (
    "--no-built-in-bots", "--games", "checkers", "--time-controls", "checkers=3000+1", "--ladder-interval", "0.05",
    "--log-format", "json",
)  # fmt: skip
PREFIX = "/arena"

GUEST, OTHER = "127.0.0.3", "127.0.0.4"
"""Addresses of clients; all of 127.0.0.0/8 belongs to this machine."""


@pytest.fixture(
    params=[
        pytest.param(("", True), id="root"),
        pytest.param((PREFIX, True), id="prefix", marks=pytest.mark.long),
        pytest.param((PREFIX, False), id="prefix by port"),
    ]
)
async def front(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Front]:
    """An arena behind nginx: at the root of its host, below a prefix, and connected by a port instead of a socket."""
    prefix, unix = request.param
    async with running(tmp_path, *OPTIONS, prefix=prefix, unix=unix) as front:
        yield front


@pytest.fixture
async def below(tmp_path: Path) -> AsyncIterator[Front]:
    """An arena behind nginx, below a prefix."""
    async with running(tmp_path, *OPTIONS, prefix=PREFIX) as front:
        yield front


async def text_of(http: ClientSession, url: str) -> str:
    """Return the text of an answer."""
    async with http.get(url) as answer:
        assert answer.status == 200, (url, answer.status)
        return await answer.text()


async def test_links_redirects_cookies_and_addresses_are_right(front: Front) -> None:
    root = front.prefix
    async with front.http() as http:
        page = await text_of(http, f"{front.url}/")
        links = re.findall(r'(?:href|src|action)="([^"]*)"', page)
        assert len(links) > 20
        assert all(link.startswith((f"{root}/", "#")) for link in links), links
        for link in links:
            if link.startswith(f"{root}/"):
                await text_of(http, f"https://localhost:{front.port}{link}")
        # a redirect of the server
        async with http.get(f"{front.url}/matches?name=", allow_redirects=False) as answer:
            assert (answer.status, answer.headers["Location"]) == (303, f"{root}/matches")
        # a page that needs an account
        async with http.get(f"{front.url}/account", allow_redirects=False) as answer:
            assert answer.headers["Location"] == f"{root}/sign-in?next=/account"
        # addresses with scheme and host
        card = await text_of(http, f"{front.url}/leaderboard?game=checkers")
        addresses = re.findall(r'<meta property="og:(?:url|image)" content="([^"]*)"', card)
        assert addresses
        assert all(address.startswith(f"{front.url}/") for address in addresses)
        feed = await text_of(http, f"{front.url}/feed.atom")
        assert f'href="{front.url}/"' in feed
        document = json.loads(await text_of(http, f"{front.url}/api/v1/openapi.json"))
        assert document["servers"] == [{"url": root or "/"}]
        # a cookie; the server decides by the scheme that nginx names
        async with http.post(f"{front.url}/api/v1/people/seat", json={}) as answer:
            assert answer.status == 404
        async with http.post(f"{front.url}/api/v1/sessions/end", json={}) as answer:
            cookies = answer.headers.getall("Set-Cookie")
        assert cookies
        assert all(f"Path={root or '/'}" in cookie.split("; ") and "Secure" in cookie for cookie in cookies)
        assert any(cookie.startswith("__Secure-" if root else "__Host-") for cookie in cookies)


async def test_plain_http_is_redirected(front: Front) -> None:
    async with (
        front.http() as http,
        http.get(f"http://localhost:{front.plain_port}{front.prefix}/bots", allow_redirects=False) as answer,
    ):
        assert (answer.status, answer.headers["Location"]) == (301, f"{front.url}/bots")


async def test_a_bot_plays_through_a_reload_and_a_page_shows_its_match(
    front: Front, monkeypatch: pytest.MonkeyPatch, chromium_path: str | None
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(front.authority))
    tokens = await front.server.register("anna", "bert")
    witnesses = [Witness(name, tokens[name], pace=0.02) for name in tokens]
    players = [asyncio.create_task(witness.play(lambda: front.play_url)) for witness in witnesses]
    try:
        await until(players, lambda: len(witnesses[0].acknowledged) >= 3)
        # the match must last until the page has seen moves before and after the reload
        for witness in witnesses:
            witness.pace = 2.0
        number = next(iter(witnesses[0].acknowledged))[0]
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=chromium_path, args=QUIET)
            page = await browser.new_page(ignore_https_errors=True)
            await _watch(page, front, number, players, witnesses)
            await browser.close()
        for witness in witnesses:
            witness.pace = 0.0
        await until(players, lambda: number in witnesses[0].over)
    finally:
        for player in players:
            player.cancel()
        await asyncio.gather(*players, return_exceptions=True)
    assert number in witnesses[0].resumed, "nginx closed the socket, and the bot came back"
    assert witnesses[0].over[number]["termination"] not in ("void", "disconnect", "time")


async def _watch(
    page: Page, front: Front, number: int, players: list[asyncio.Task[None]], witnesses: list[Witness]
) -> None:
    """Look at a live match while nginx reloads its configuration; every request must be below the prefix."""
    seen: list[str] = []
    failed: list[str] = []

    def answered(response: Response) -> None:
        seen.append(response.url)
        if response.status >= 400:
            failed.append(f"{response.status} {response.url}")

    def opened(socket: WebSocket) -> None:
        seen.append(socket.url.replace("wss:", "https:"))

    page.on("response", answered)
    page.on("websocket", opened)
    await page.goto(f"{front.url}/")
    await page.locator(f'a[href="{front.prefix}/matches/{number}"]').first.click()
    await expect(page).to_have_url(re.compile(f"^{front.url}/matches/{number}"))
    moves = page.locator(".moves button")
    before = await moves.count()
    await expect(moves).not_to_have_count(before)
    resumed = len(witnesses[0].resumed)
    front.reload()
    await until(players, lambda: len(witnesses[0].resumed) > resumed)
    before = await moves.count()
    await expect(moves).not_to_have_count(before)
    assert any("/api/v1/watch" in url for url in seen)
    assert all(url.startswith(f"{front.url}/") for url in seen if not url.startswith("data:")), seen
    assert not failed


async def test_the_cli_and_the_sdk_take_the_address_with_the_prefix(
    below: Front, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(below.authority))
    for url in (below.url, below.play_url):
        status = await asyncio.to_thread(RestClient(url).get, "/status")
        assert status["games"].keys() == {"checkers"}


async def test_forwarded_headers_count_from_trusted_proxies_only(below: Front, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(below.authority))
    forged = {"X-Forwarded-For": "127.0.0.1", "X-Forwarded-Proto": "https", "X-Forwarded-Prefix": "/elsewhere"}
    async with below.http(GUEST) as http:
        # past the proxy: the header makes no other address, no HTTPS, and no client of this machine
        async with http.get(f"{below.server.url}/metrics", headers=forged) as answer:
            assert answer.status == 401
        async with http.get(f"{below.server.url}/healthz", headers=forged) as answer:
            assert "Strict-Transport-Security" not in answer.headers
        async with http.get(f"{below.url}/healthz", headers={"X-Forwarded-Proto": "http"}) as answer:
            assert "Strict-Transport-Security" in answer.headers
        async with http.get(f"{below.url}/", headers=forged) as answer:
            assert "/elsewhere" not in await answer.text()
        # by the proxy: the address is that of the client, whatever it says
        (token,) = (await below.server.register("anna")).values()
        headers = {"X-Forwarded-For": OTHER, "Forwarded": f"for={OTHER}"}
        async with http.ws_connect(below.play_url, headers=headers) as socket:
            hello = {"type": "hello", "protocol": 1, "token": token, "version": "1", "games": ["checkers"]}
            await socket.send_json(hello)
            assert (await socket.receive_json())["type"] == "welcome"
    lines = [json.loads(line) for line in below.server.log.splitlines() if line.startswith("{")]
    assert [line["address"] for line in lines if line["event"] == "bot connected"] == [GUEST]


async def test_large_bodies_are_refused_by_the_arena_and_larger_ones_by_nginx(below: Front) -> None:
    async with (
        below.http() as http,
        http.post(f"{below.url}/api/v1/sessions", data=io.BytesIO(bytes(2 << 20)), expect100=True) as answer,
    ):
        assert answer.status == 413
        assert (await answer.json())["error"]["code"] == "too-large"
    # a connection of its own: nginx may close the first one, whose body was refused
    async with (
        below.http() as http,
        http.post(f"{below.url}/api/v1/sessions", data=io.BytesIO(bytes(24 << 20)), expect100=True) as answer,
    ):
        assert answer.status == 413
        assert "nginx" in await answer.text()
