# SPDX-License-Identifier: GPL-3.0-or-later
"""Webhooks and the feed of a running arena: every event reaches a real receiver; rights, limits, the audit log."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
import pytest_asyncio

from arena.features.feeds import part
from arena.features.feeds.part import FeedsPart
from arena.features.health.part import HealthPart
from arena.features.health.settings import HealthSettings
from arena.features.uploads.part import UploadsPart
from arena.features.uploads.records.versions import Uploads
from arena.protocol.hosting import Validated
from arena.settings import Settings
from arena.store.rows import VersionRow
from tests.arena.peers import PATIENCE
from tests.arena.store.company import CHECKERS
from tests.features.accounts.people import new_name, part_of, program, read_audit
from tests.features.feeds.atom_rules import ATOM, checked
from tests.features.feeds.receiver import Receiver, allowing, receiving
from tests.features.health.failing import failed
from tests.features.uploads.test_records import add as add_upload
from tests.web.door import Door, opened

pytestmark = pytest.mark.asyncio(loop_scope="session")

HOOKS = "/account/webhooks"
Headers = dict[str, str]


class Site(NamedTuple):
    """An arena, and a receiver of its webhooks."""

    door: Door
    receiver: Receiver


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def site(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Site]:
    """An arena whose webhooks reach a receiver on loopback; two crashes are too many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(part, "LOOK", 0.02)
        patch.setattr(part, "PAUSE", 0.02)
        patch.setattr(part, "SECONDS", PATIENCE)  # a busy machine must not turn a delivery into a failure
        async with arena_of(tmp_path_factory.mktemp("feeds")) as site:
            yield site


@asynccontextmanager
async def arena_of(folder: Path) -> AsyncIterator[Site]:
    """Open an arena and a receiver."""
    async with receiving() as receiver:
        features = (
            allowing(receiver, webhooks_per_account=2, webhook_failures=1),
            HealthSettings(quarantine_crashes=2),
        )
        settings = Settings(games="tictactoe,checkers", ladder=False, features=features)
        async with opened(folder, settings) as door:
            yield Site(door, receiver)


async def ask(door: Door, path: str, headers: Headers | None = None, body: Any = None) -> tuple[int, Any]:
    """Send a request, with POST where it has a body; return the status and the answer."""
    method = "GET" if body is None else "POST"
    async with door.http.request(method, f"/api/v1{path}", json=body, headers=headers) as response:
        return response.status, await response.json()


async def mine(door: Door, headers: Headers) -> VersionRow:
    """Register a bot of an account, and return a version of it."""
    account = (await ask(door, "/account", headers))[1]
    bot = await part_of(door).ownership.register(account["id"], new_name(), new_name())
    return await door.arena.store.bots.version(bot.id, "1")


async def other(door: Door) -> VersionRow:
    """Register a bot without an account, and return a version of it."""
    name, _ = await door.register()
    bot = await door.arena.store.bots.named(name)
    assert bot is not None
    return await door.arena.store.bots.version(bot.id, "1")


async def hook(site: Site, headers: Headers, *events: str, **only: Any) -> int:
    """Register a webhook; return its number."""
    status, answer = await ask(site.door, HOOKS, headers, {"url": site.receiver.url, "events": events, **only})
    assert status == 200, answer
    number: int = answer["webhook"]["id"]
    return number


async def test_the_owner_hears_of_each_event(site: Site) -> None:
    door, receiver = site
    owner = await program(door)
    number = await hook(site, owner, "match.over", "bot.quarantined", "version.accepted", "version.rejected")
    version, opponent = await mine(door, owner), await other(door)
    assert await ask(door, f"{HOOKS}/{number}/test", owner, {}) == (200, {})
    assert (await receiver.next()).json["type"] == "test"

    match = await failed(door.arena.store, version, opponent)
    got = (await receiver.next()).json
    assert got["type"] == "match.over"
    shown = (await ask(door, f"/matches/{match}"))[1]
    assert got["data"]["match"] == {name: shown[name] for name in got["data"]["match"]}, "as the API shows it"
    assert got["timestamp"] == shown["finished"]

    await failed(door.arena.store, version, opponent)
    assert (await receiver.next()).json["type"] == "match.over"
    await door.arena.part(HealthPart).judge(version.bot_id, version.id)
    got = (await receiver.next()).json
    assert (got["type"], got["data"]["bot"]) == ("bot.quarantined", version.bot_id)
    assert "crashed" in got["data"]["reason"]

    uploads = door.arena.part(UploadsPart)
    handling = asyncio.create_task(uploads.handle())
    try:
        for accepted in (True, False):
            upload = await add_upload(door.arena.store, version.bot_id)
            await door.arena.store.records(Uploads).started(upload.id)
            report = Validated(upload.id, accepted, "" if accepted else "it is slow", ["tictactoe"], "2")
            assert uploads.hear(msgspec.json.encode(report))
            got = (await receiver.next()).json
            assert got["type"] == ("version.accepted" if accepted else "version.rejected")
            assert (got["data"]["version"], got["data"]["reason"]) == (upload.number, report.reason)
    finally:
        handling.cancel()

    async def delivered() -> list[Any]:
        items: list[Any] = (await ask(door, f"{HOOKS}/{number}/deliveries", owner))[1]["items"]
        return items

    while any(each["state"] == "waiting" for each in await delivered()):  # noqa: ASYNC110  # the API has no event for it
        await asyncio.sleep(0.01)
    assert [(each["state"], each["status"], each["attempts"]) for each in await delivered()] == [
        ("delivered", 204, 1)
    ] * 6
    assert receiver.received.empty(), "each event is sent once"
    await ask(door, f"{HOOKS}/{number}/remove", owner, {})


async def test_the_end_of_a_tournament_and_its_matches(site: Site) -> None:
    door, receiver = site
    owner, organiser = await program(door), await program(door, "organiser")
    one, two = [await door.arena.store.bots.get((await other(door)).bot_id) for _ in range(2)]
    assert one is not None
    assert two is not None
    cup = {"name": "<b>Cup</b>", "game": "tictactoe", "format": {"kind": "round-robin"}}
    status, made = await ask(
        door, "/tournaments", organiser, cup | {"entries": [{"name": one.name}, {"name": two.name}]}
    )
    assert status == 200, made
    number = await hook(site, owner, "tournament.over", bot=one.id)
    await ask(door, f"/tournaments/{made['id']}/status", organiser, {"status": "cancelled"})
    got = (await receiver.next()).json
    assert (got["type"], got["data"]["tournament"]["name"]) == ("tournament.over", "<b>Cup</b>")
    assert got["data"]["tournament"]["status"] == "cancelled"
    assert {each["name"] for each in got["data"]["standings"]} == {one.name, two.name}
    await ask(door, f"{HOOKS}/{number}/remove", owner, {})


async def test_only_the_owner_uses_a_webhook(site: Site) -> None:
    door, _ = site
    owner, stranger, lesser = await program(door), await program(door), await program(door, scopes=["play"])
    number = await hook(site, owner, "match.over")
    for action in ("test", "enable", "disable", "secret", "remove"):
        assert (await ask(door, f"{HOOKS}/{number}/{action}", stranger, {}))[0] == 404, action
        assert (await ask(door, f"{HOOKS}/{number}/{action}", lesser, {}))[0] == 403, action
    assert (await ask(door, f"{HOOKS}/{number}/deliveries", stranger))[0] == 404
    assert (await ask(door, HOOKS, stranger))[1]["items"] == []
    (listed,) = (await ask(door, HOOKS, owner))[1]["items"]
    assert "secret" not in listed
    assert (await ask(door, f"{HOOKS}/{number}/secret", owner, {}))[1]["secret"].startswith("whsec_")
    _, log = await read_audit(door, await program(door, "administrator"))
    entries = [entry for entry in log["items"] if "webhooks" in entry["action"]]
    assert {"POST /api/v1/account/webhooks", "POST /api/v1/account/webhooks/{id}/secret"} <= {
        entry["action"] for entry in entries
    }
    assert "whsec_" not in str(entries)


async def test_limits_and_invalid_webhooks(site: Site) -> None:
    door, receiver = site
    owner = await program(door)
    good = {"url": receiver.url, "events": ["match.over"]}
    for changed, status in (
        ({"url": "http://10.0.0.1/"}, 400),
        ({"url": f"http://127.0.0.1:{receiver.port + 1 if receiver.port < 65_535 else 1}/"}, 400),
        ({"url": "no address"}, 400),
        ({"events": []}, 400),
        ({"events": ["everything"]}, 400),
        ({"bot": 999_999}, 404),
        ({"tournament": 999_999}, 404),
        ({"game": "go"}, 404),
        ({"colour": "red"}, 400),
    ):
        assert (await ask(door, HOOKS, owner, good | changed))[0] == status, changed
    numbers = [await hook(site, owner, "match.over") for _ in range(2)]
    assert (await ask(door, HOOKS, owner, good))[0] == 429
    path = f"{HOOKS}/{numbers[0]}"
    assert (await ask(door, f"{path}/disable", owner, {}))[1]["disabled"] is not None
    assert (await ask(door, f"{path}/test", owner, {}))[0] == 409
    assert (await ask(door, f"{path}/enable", owner, {}))[1]["disabled"] is None
    assert (await ask(door, f"{path}/test", owner, {}))[0] == 200
    assert (await ask(door, f"{path}/test", owner, {}))[0] == 429
    assert (await receiver.next()).json["type"] == "test"


async def test_the_owner_gets_a_notice_of_a_disabled_webhook(site: Site) -> None:
    door, receiver = site
    owner = await program(door)
    number = await hook(site, owner, "match.over")
    receiver.statuses = [503]
    await ask(door, f"{HOOKS}/{number}/test", owner, {})
    await receiver.next()
    while not (notices := (await ask(door, "/account/notices", owner))[1]["items"]):  # noqa: ASYNC110  # likewise
        await asyncio.sleep(0.01)
    (notice,) = notices
    assert notice["text"] == f"Webhook {number} was disabled: the attempt failed: status 503"
    assert (notice["bot"], notice["page"]) == (None, "/webhooks")


async def feed(door: Door, query: str = "", **headers: str) -> tuple[int, bytes, str]:
    """Return the status, the body and the ETag of a feed."""
    door.arena.part(FeedsPart).latest.forget()
    async with door.http.get(f"/feed.atom{query}", headers=headers) as response:
        if response.status == 200:
            assert response.content_type == "application/atom+xml"
        return response.status, await response.read(), response.headers.get("ETag", "")


def paths(body: bytes) -> set[str]:
    """Return the paths of the entries of a valid feed."""
    links = [link.get("href", "") for link in checked(body).findall(f"{ATOM}entry/{ATOM}link")]
    return {"/" + link.split("/", 3)[3] for link in links}


async def test_the_feed_shows_tournaments_and_upsets(site: Site) -> None:
    door, store = site.door, site.door.arena.store
    strong, weak = await other(door), await other(door)
    cup = await store.tournaments.add("<i>Cup</i> & more", "checkers", b"{}")
    in_cup = await store.matches.start(replace(CHECKERS, players=(strong.id, weak.id), rated=False, tournament=cup.id))
    assert f"/matches/{in_cup}" not in paths((await feed(door))[1]), "it is live"
    await store.matches.finish(in_cup, result="1-0", termination="decided", plies=3, events=[])
    await store.tournaments.become(cup.id, "cancelled")
    while True:
        won = await failed(store, weak, strong)
        row = await store.matches.row(won)
        assert row is not None
        if row.players[1].rating_before - row.players[0].rating_before >= 200:
            break
    upset = await failed(store, strong, weak)
    status, body, etag = await feed(door)
    assert status == 200
    expected = {f"/matches/{in_cup}", f"/matches/{upset}", f"/tournaments/{cup.id}"}
    assert expected <= paths(body)
    assert f"/matches/{won}" not in paths(body)
    assert paths((await feed(door, f"?tournament={cup.id}"))[1]) == {f"/matches/{in_cup}", f"/tournaments/{cup.id}"}
    assert paths((await feed(door, f"?bot={weak.bot_id}"))[1]) == expected
    assert expected.isdisjoint(paths((await feed(door, "?game=tictactoe"))[1]))
    assert expected <= paths((await feed(door, "?game=checkers"))[1])
    assert (await feed(door, "", **{"If-None-Match": etag}))[:2] == (304, b"")
    for query in ("?bot=999999", "?tournament=999999", "?game=go"):
        assert (await feed(door, query))[0] == 404
    assert (await feed(door, "?bot=x"))[0] == 400


async def test_an_anonymous_match_is_hidden_until_it_is_over(site: Site) -> None:
    door, store = site.door, site.door.arena.store
    one, two = await other(door), await other(door)
    cup = await store.tournaments.add("Hidden", "checkers", b"{}")
    hidden = replace(CHECKERS, players=(one.id, two.id), rated=False, tournament=cup.id, anonymous=True)
    match = await store.matches.start(hidden)
    name = (await store.bots.get(one.bot_id)).name.encode()  # type: ignore[union-attr]  # it was registered above
    for query in ("", f"?tournament={cup.id}", f"?bot={one.bot_id}"):
        body = (await feed(door, query))[1]
        assert name not in body
        assert f"/matches/{match}" not in paths(body)
    await store.matches.finish(match, result="1-0", termination="decided", plies=3, events=[])
    assert name in (await feed(door, f"?tournament={cup.id}"))[1]


async def test_pages_name_their_feeds(site: Site) -> None:
    door = site.door
    number = (await other(door)).bot_id
    for page, feeds in (
        ("/", ["/feed.atom"]),
        ("/leaderboard", ["/feed.atom"]),
        (f"/bots/{number}", [f"/feed.atom?bot={number}", "/feed.atom"]),
    ):
        async with door.http.get(page) as response:
            text = await response.text()
        found = [line.split('href="')[1].rstrip('">') for line in text.splitlines() if "application/atom+xml" in line]
        assert found == feeds, page
