# SPDX-License-Identifier: GPL-3.0-or-later
"""Every request of the API, really sent as every role, by token and by session: the table of rights is true."""

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from aiohttp import ClientSession

from arena.cli.features import FEATURES
from arena.features.accounts.access import MANAGE
from arena.features.accounts.rights import NEEDS, OF_BOTS, SENDERS, Sender, admits, markdown, scope_of
from arena.features.accounts.roles import ROLES, SCOPES, Scope
from arena.store.errors import StoreError
from tests.features.accounts.people import Browser, part_of, program, signed_in
from tests.web.door import Door
from web.api.access import EVERYBODY, NEAR
from web.api.endpoint import Endpoint
from web.application import endpoints_of
from web.security import HEADERS

pytestmark = pytest.mark.asyncio(loop_scope="session")

ROOT = Path(__file__).parents[3]

REQUESTS = [each for each in endpoints_of(FEATURES) if each.path.startswith("/api/") or each.path == "/metrics"]
REFUSED = (401, 403)

Headers = Mapping[str, str]


class Company:
    """One of each role, by token and by session."""

    def __init__(self, door: Door) -> None:
        self.door = door
        self.programs: dict[Sender, Headers] = {"nobody": {}}
        self.browsers: dict[Sender, Browser] = {}
        self.scoped: dict[Scope, Headers] = {}


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def company(door: Door) -> AsyncIterator[Company]:
    """Everybody who sends requests."""
    found = Company(door)
    _, token = await door.register()
    found.programs["bot"] = {"Authorization": f"Bearer {token}"}
    async with AsyncExitStack() as stack:
        for role in ROLES:
            found.programs[role] = await program(door, role)
            found.browsers[role], _ = await stack.enter_async_context(signed_in(door, role=role))
        for scope in SCOPES:
            found.scoped[scope] = await program(door, "administrator", [scope])
        yield found


def path_of(endpoint: Endpoint, number: int = 999_999) -> str:
    """Return the path with parameters, of things that do not exist."""
    path = endpoint.path.replace("{id}", str(number))
    return re.sub(r"\{[^}]*\}", "7", path)


async def status_of(http: ClientSession, endpoint: Endpoint, headers: Headers) -> int:
    """Send a request with a body that no endpoint accepts, so that nothing changes; return its status."""
    body = b"[]" if endpoint.method == "POST" else None
    async with http.request(endpoint.method, path_of(endpoint), data=body, headers=headers) as response:
        assert response.headers["Server"] == "bot-arena", "no version"
        assert {name: response.headers.get(name) for name in HEADERS} == HEADERS, named(endpoint)
        return response.status


def expected(endpoint: Endpoint, sender: Sender) -> bool:
    """Tell whether the table admits a sender of this machine."""
    return endpoint.access is NEAR or admits(endpoint, sender)


def named(endpoint: Endpoint) -> str:
    """Name a request in reports of failures."""
    return f"{endpoint.method} {endpoint.path}"


async def test_every_request_by_token(company: Company) -> None:
    wrong = {}
    for endpoint in REQUESTS:
        for sender in SENDERS:
            status = await status_of(company.door.http, endpoint, company.programs[sender])
            assert status < 500, named(endpoint)
            if (status not in REFUSED) != expected(endpoint, sender):
                wrong[named(endpoint), sender] = status
    assert wrong == {}


async def test_every_request_by_session(company: Company) -> None:
    wrong = {}
    for endpoint in REQUESTS:
        for sender, browser in company.browsers.items():
            status = await status_of(browser.http, endpoint, {"Origin": browser.origin})
            if (status not in REFUSED) != expected(endpoint, sender):
                wrong[named(endpoint), sender] = status
    assert wrong == {}


async def test_no_session_changes_anything_from_a_page_of_another_site(company: Company) -> None:
    wrong = {}
    for endpoint in REQUESTS:
        if endpoint.method == "POST" and endpoint.access not in (EVERYBODY, NEAR):
            for sender, browser in company.browsers.items():
                status = await status_of(browser.http, endpoint, {"Origin": "https://evil.example"})
                if status not in REFUSED:
                    wrong[named(endpoint), sender] = status
    assert wrong == {}


async def test_every_request_by_a_token_with_one_scope(company: Company) -> None:
    """Of an administrator, whose role would allow all."""
    wrong = {}
    for endpoint in REQUESTS:
        access = endpoint.access
        for scope, headers in company.scoped.items():
            needs = scope_of(access)
            admitted = admits(endpoint, "administrator") and access is not MANAGE and needs in (None, scope)
            status = await status_of(company.door.http, endpoint, headers)
            if (status not in REFUSED) != (admitted or access in (EVERYBODY, NEAR)):
                wrong[named(endpoint), scope] = status
    assert wrong == {}


async def test_the_page_of_rights_is_true() -> None:
    """Write it anew with `arena accounts rights > docs/reference/rights.md`."""
    assert (ROOT / "docs" / "reference" / "rights.md").read_text(encoding="utf-8") == markdown(REQUESTS)


async def test_every_access_of_accounts_is_in_the_table() -> None:
    for endpoint in REQUESTS:
        assert endpoint.access.kind != "account" or endpoint.access in NEEDS, named(endpoint)


BODIES: dict[str, Any] = {
    "/api/v1/bots/{id}/description": {"description": "new"},
    "/api/v1/bots/{id}/token": {},
    "/api/v1/bots/{id}/remove": {},
}
"""Requests that concern a bot of somebody, in an order in which all can succeed."""


@pytest.mark.parametrize("path", BODIES)
async def test_only_its_owner_and_administrators_change_a_bot(company: Company, path: str) -> None:
    door, part = company.door, part_of(company.door)
    assert path.startswith(OF_BOTS)
    owner = await program(door)
    async with door.http.get("/api/v1/account", headers=owner) as response:
        account = await response.json()
    for place, admitted in enumerate((owner, company.programs["administrator"])):
        letters = f"{account['name']}-{path.rpartition('/')[2]}-{place}"
        bot = await part.ownership.register(account["id"], letters, f"hash of {letters}")
        url = path.replace("{id}", str(bot.id))
        refused = [headers for sender, headers in company.programs.items() if sender != "administrator"]
        for headers in [*refused, company.scoped["submit"]]:
            async with door.http.post(url, json=BODIES[path], headers=headers) as response:
                assert response.status in REFUSED
        for browser in (company.browsers["owner"], company.browsers["organiser"]):
            assert (await browser.post(url.removeprefix("/api/v1"), BODIES[path]))[0] == 403
        async with door.http.post(url, json=BODIES[path], headers=admitted) as response:
            assert response.status == 200


async def test_a_bot_without_an_account_belongs_to_administrators(company: Company) -> None:
    door = company.door
    name, _ = await door.register()
    bot = await door.arena.store.bots.named(name)
    assert bot is not None
    statuses: dict[Sender, int] = {"owner": 403, "organiser": 403, "administrator": 200}
    for sender, status in statuses.items():
        headers = company.programs[sender]
        url = f"/api/v1/bots/{bot.id}/description"
        async with door.http.post(url, json={"description": "x"}, headers=headers) as response:
            assert response.status == status


async def test_no_request_has_a_secret_in_its_address() -> None:
    for endpoint in REQUESTS:
        assert not re.search("token|secret|password|code|session", " ".join(endpoint.signature.query.__struct_fields__))


async def test_a_database_that_fails_admits_nobody(company: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object) -> None:
        raise StoreError("the disk is on fire")

    part = part_of(company.door)
    monkeypatch.setattr(part.tokens, "identify", fail)
    monkeypatch.setattr(part.sessions, "identify", fail)
    for endpoint in REQUESTS:
        if endpoint.access in NEEDS:
            assert await status_of(company.door.http, endpoint, company.programs["administrator"]) == 503
            browser = company.browsers["administrator"]
            assert await status_of(browser.http, endpoint, {"Origin": browser.origin}) == 503


async def test_requests_are_really_walked() -> None:
    assert len(REQUESTS) > 70
