# SPDX-License-Identifier: GPL-3.0-or-later
"""People with accounts, each with a browser of their own, and programs with tokens."""

from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any, cast

from aiohttp import ClientSession, CookieJar, TCPConnector
from multidict import CIMultiDictProxy
from playwright.async_api import Page
from yarl import URL

from arena.connections.admission import hash_token, make_token
from arena.features.accounts.part import AccountsPart
from arena.features.accounts.roles import Role, Scope, scopes_of
from tests.web.door import Door

PASSWORD = "correct horse battery"

_numbers = count(1)


def part_of(door: Door) -> AccountsPart:
    """Return the part of the arena that knows its accounts."""
    return door.arena.part(AccountsPart)


def new_name() -> str:
    """Return a name that no account has, and that looks like no other."""
    letters = "abcdefgh"
    return "person-" + "".join(letters[int(digit)] for digit in f"{next(_numbers):o}")


@dataclass(frozen=True)
class Browser:
    """A browser: it keeps cookies and names the page that sends a request."""

    http: ClientSession
    origin: str

    async def post(
        self, path: str, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, Any, CIMultiDictProxy[str]]:
        """Post JSON from a page of the arena; return the status, the answer and its headers."""
        sent = {"Origin": self.origin} if headers is None else headers
        async with self.http.post(f"/api/v1{path}", json=body or {}, headers=sent) as response:
            return response.status, await response.json(), response.headers

    async def get(self, path: str) -> tuple[int, Any]:
        """Return the status and the answer."""
        async with self.http.get(f"/api/v1{path}") as response:
            return response.status, await response.json()


@asynccontextmanager
async def browser(door: Door, address: str = "127.0.0.1") -> AsyncIterator[Browser]:
    """Open a browser without cookies, at an address of this machine."""
    origin = f"http://{door.address}"
    at = TCPConnector(local_addr=(address, 0))
    async with ClientSession(origin, cookie_jar=CookieJar(unsafe=True), connector=at) as http:
        yield Browser(http, origin)


@asynccontextmanager
async def signed_in(door: Door, name: str = "", role: Role = "owner") -> AsyncIterator[tuple[Browser, str]]:
    """Make an account and sign in; return the browser and the account's name."""
    name = name or new_name()
    part = part_of(door)
    row = await part.accounts.add(name, role, password_hash=await part.passwords.hash(PASSWORD))
    async with browser(door) as one:
        status, answer, _ = await one.post("/sessions", {"name": name, "password": PASSWORD})
        assert (status, answer) == (200, {"account": {"id": row.id, "name": name, "role": role}})
        yield one, name


async def use(page: Page, browser: Browser) -> None:
    """Give the page the session of an account."""
    # no request of the page comes without a session, or with another one
    await page.goto("about:blank")
    await page.context.clear_cookies()
    jar = cast(CookieJar, browser.http.cookie_jar)
    found = jar.filter_cookies(URL(browser.origin))
    await page.context.add_cookies(
        [{"name": key, "value": morsel.value, "url": browser.origin} for key, morsel in found.items()]
    )


async def read_audit(door: Door, headers: Mapping[str, str], query: str = "") -> tuple[int, Any]:
    """Read the audit log with the token of a program; return the status and the answer."""
    async with door.http.get(f"/api/v1/audit{query}", headers=headers) as response:
        return response.status, await response.json()


async def program(door: Door, role: Role = "owner", scopes: Collection[Scope] | None = None) -> dict[str, str]:
    """Make an account; return the headers that show a token of it."""
    part, token = part_of(door), make_token()
    row = await part.accounts.add(new_name(), role)
    await part.tokens.add(row.id, "", hash_token(token), scopes_of(role) if scopes is None else frozenset(scopes))
    return {"Authorization": f"Bearer {token}"}
