# SPDX-License-Identifier: GPL-3.0-or-later
"""The seam by which features enter, tried with one that uses all of it: accounts, uploads and play by people could."""

import argparse
import asyncio
import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest
import pytest_asyncio
from aiohttp import web
from sqlalchemy import Column, MetaData, Table, Text

from arena.application import Arena
from arena.cli.features import FEATURES
from arena.cli.support.settings import add_settings, chosen, in_force, markdown
from arena.feature import Feature, Part
from arena.records.verification import Finding, verify
from arena.settings import setting
from arena.store.audit import Audit
from arena.store.rows import BotRow
from tests.web.door import Door, opened, unhurried
from web.api import openapi
from web.api.access import OPERATOR
from web.api.endpoint import Answer, Endpoint
from web.feature import BotSection, HeaderLink, WebPart
from web.pages import show

pytestmark = pytest.mark.asyncio(loop_scope="session")

GUESTBOOK = Table("guestbook", MetaData(), Column("name", Text))


@dataclass(frozen=True, slots=True, kw_only=True)
class GuestSettings:
    """Settings of the planted feature."""

    guest_greeting: str = setting("hello", "Greeting of guests.")


class Guests(Part):
    """Says in which states it was."""

    def __init__(self, arena: Arena) -> None:
        self.greeting = arena.settings.of(GuestSettings).guest_greeting
        self.states: list[str] = []
        self.works = asyncio.Event()

    async def run(self) -> None:
        self.states.append("runs")
        self.works.set()
        await asyncio.Event().wait()

    async def stop(self) -> None:
        self.states.append("stops")


class Nobody(Part):
    """A part that no feature starts."""


class Greeted(Answer, frozen=True):
    """A greeting."""

    greeting: str


class Name(msgspec.Struct, frozen=True):
    """Who is greeted."""

    name: str


async def get_greeting(arena: Arena) -> Greeted:
    """Greet."""
    return Greeted(greeting=arena.part(Guests).greeting)


async def greet(arena: Arena, body: Name) -> Greeted:
    """Greet somebody."""
    return Greeted(greeting=f"{arena.part(Guests).greeting}, {body.name}")


async def page(request: web.Request) -> web.Response:
    """The page of guests."""
    return show(request, "guests/guests.js", "Guests", {"guests": 0})


async def visits(arena: Arena, bot: BotRow) -> Greeted:
    """Return the data of a section of a bot's page."""
    return Greeted(greeting=f"{bot.name} is welcome")


async def authorise(request: web.Request) -> str | None:
    """Let a cookie count, as one of a session would."""
    return "the cookie's owner" if request.cookies.get("guest") == "letmein" else None


def check(audit: Audit, checked: Counter[str]) -> Iterator[Finding]:
    """Find something."""
    checked["guests"] += 1
    yield Finding("a guest is written down", "guest 1", "missing")


def planted(folder: Path) -> Feature[WebPart]:
    """Return a feature that uses all of the seam, but commands, which are modules."""
    (folder / "guests").mkdir(parents=True)
    (folder / "guests" / "guests.js").write_text('import "../shell.js";\n')
    (folder / "guests" / "section.js").write_text('import "../board.js";\n')
    (folder / "guests" / "guests.css").write_text("p {}\n")
    edge = WebPart(
        endpoints=(
            Endpoint("GET", "/api/v1/guests", get_greeting),
            Endpoint("POST", "/api/v1/guests", greet, access=OPERATOR),
            Endpoint("GET", "/guests", page, menu="Guests", menus={"/connect": "Sign the guest book"}),
        ),
        bot_sections=(BotSection("guests/section.js", visits),),
        static=folder,
        styles=("guests/guests.css",),
        meta_tags=lambda request, title, about: [("og:title", f"<{title}>"), ("description", type(about).__name__)],
        header_link=HeaderLink("/guests", "Be a guest", "guests/guests.js"),
        authorise=authorise,
    )
    return Feature(
        name="guests",
        settings=lambda: GuestSettings,
        tables=lambda: (GUESTBOOK,),
        start=Guests,
        operators=("the usher",),
        verify=check,
        web=lambda: edge,
    )


@pytest_asyncio.fixture(loop_scope="session")
async def door(tmp_path: Path) -> AsyncIterator[Door]:
    """An arena with the planted feature beside its own."""
    settings = unhurried("tictactoe", features=(GuestSettings(guest_greeting="welcome"),))
    async with opened(tmp_path, settings, features=(*FEATURES, planted(tmp_path / "static"))) as door:
        yield door


async def test_its_part_lives_as_long_as_the_arena(tmp_path: Path) -> None:
    async with opened(tmp_path, unhurried("tictactoe"), features=(planted(tmp_path / "static"),)) as door:
        guests = door.arena.part(Guests)
        await guests.works.wait()
        with pytest.raises(LookupError, match="no Nobody"):
            door.arena.part(Nobody)
    assert guests.states == ["runs", "stops"]


async def test_its_routes_answer_and_are_in_the_document(door: Door) -> None:
    async with door.http.get("/api/v1/guests") as response:
        assert await response.json() == {"greeting": "welcome"}
    async with door.http.get("/api/v1/openapi.json") as response:
        operations = (await response.json())["paths"]["/api/v1/guests"]
    assert (operations["get"]["summary"], operations["post"]["summary"]) == ("Greet.", "Greet somebody.")


async def test_its_way_to_authorise_lets_operators_in_and_nobody_else(door: Door) -> None:
    for cookie, status in (("letmein", 200), ("please", 401)):
        body = {"name": "Marion"}
        async with door.http.post("/api/v1/guests", json=body, headers={"Cookie": f"guest={cookie}"}) as response:
            assert response.status == status
    entry = (await door.arena.store.audit_log.page()).items[0]
    assert (entry.account, entry.action) == ("the cookie's owner", "POST /api/v1/guests")


async def test_its_page_is_in_the_navigation_with_its_files(door: Door) -> None:
    async with door.http.get("/guests") as response:
        text = await response.text()
    assert '<a href="/guests" aria-current="page">Guests</a>' in text
    version = text.partition("/static/")[2].partition("/")[0]
    styles = re.search(rf"/static/{version}/(joined/\w+\.css)", text)
    assert styles is not None
    for file in ("guests/guests.js", styles[1], "shell.js"):
        assert f"/static/{version}/{file}" in text
        async with door.http.get(f"/static/{version}/{file}") as response:
            assert response.status == 200
            assert "immutable" in response.headers["Cache-Control"]
            content = await response.text()
        assert file != styles[1] or "p {}" in content


async def test_its_link_is_in_the_header_of_every_page_with_its_script(door: Door) -> None:
    for path in ("/", "/matches", "/guests"):
        async with door.http.get(path) as response:
            text = await response.text()
        current = ' aria-current="page"' if path == "/guests" else ""
        assert f'<div class="corner"><a href="/guests"{current}>Be a guest</a></div>' in text
        version = text.partition("/static/")[2].partition("/")[0]
        assert f'<script type="module" src="/static/{version}/guests/guests.js"></script>' in text


async def test_its_page_is_in_the_menu_of_another_page(door: Door) -> None:
    async with door.http.get("/connect") as response:
        text = await response.text()
    menu = json.loads(text.partition('id="data">')[2].partition("</script>")[0])["menu"]
    assert ["/guests", "Sign the guest book"] in menu


async def test_its_section_is_on_the_page_of_a_bot(door: Door) -> None:
    name, _ = await door.register()
    bot = await door.arena.store.bots.named(name)
    assert bot is not None
    async with door.http.get(f"/bots/{bot.id}") as response:
        text = await response.text()
    version = text.partition("/static/")[2].partition("/")[0]
    for module in ("guests/section.js", "board.js"):
        assert f'<link rel="modulepreload" href="/static/{version}/{module}">' in text
    data = json.loads(text.partition('id="data">')[2].partition("</script>")[0])
    section = {"script": f"/static/{version}/guests/section.js", "data": {"greeting": f"{name} is welcome"}}
    assert section in data["sections"]


async def test_its_meta_elements_are_on_pages_that_show_one_thing(door: Door) -> None:
    name, _ = await door.register()
    bot = await door.arena.store.bots.named(name)
    assert bot is not None
    pages = {
        f"/bots/{bot.id}": (name, "BotDetailAnswer"),
        "/leaderboard?system=elo": (
            "Leaderboard: Tic-tac-toe",
            "Leaderboard",
        ),
    }
    for path, (title, about) in pages.items():
        async with door.http.get(path) as response:
            head = (await response.text()).partition("</head>")[0]
        assert f'<meta property="og:title" content="&lt;{title}&gt;">' in head
        assert f'<meta name="description" content="{about}' in head
    async with door.http.get("/bots") as response:
        assert "og:title" not in await response.text()


async def test_two_types_of_one_name_are_refused() -> None:
    async def get_other(arena: Arena) -> None:
        """Answer with another type."""

    get_other.__annotations__["return"] = msgspec.defstruct("Greeted", [], bases=(Answer,), frozen=True)
    endpoints = [Endpoint("GET", "/api/v1/guests", run) for run in (get_greeting, get_other)]
    with pytest.raises(ValueError, match="both have a type Greeted; rename one"):
        openapi.document(openapi.documented(endpoints))


async def test_its_records_are_verified(door: Door, tmp_path: Path) -> None:
    features = (planted(tmp_path / "other"),)
    report = await door.arena.store.audit(lambda audit: verify(audit, features=features))
    assert [finding.where for finding in report.findings] == ["guest 1"]
    assert report.checked == {"guests": 1}


async def test_its_settings_are_options_variables_and_documented(tmp_path: Path) -> None:
    features = (planted(tmp_path),)
    parser = argparse.ArgumentParser()
    add_settings(parser, features)
    settings = chosen(parser.parse_args(["--guest-greeting", "hi"]), features, {})
    assert settings.of(GuestSettings).guest_greeting == "hi"
    assert chosen(parser.parse_args([]), features, {"ARENA_GUEST_GREETING": "ho"}).of(GuestSettings) == GuestSettings(
        guest_greeting="ho"
    )
    assert in_force(settings, features)["guest_greeting"] == "hi"
    assert "| `--guest-greeting` `ARENA_GUEST_GREETING` | `hello` | Greeting of guests. |" in markdown(features)


async def test_two_features_cannot_bring_files_of_the_same_name(tmp_path: Path) -> None:
    features = [planted(tmp_path / name) for name in ("one", "other")]
    with pytest.raises(ValueError, match="in the way"):
        async with opened(tmp_path, unhurried("tictactoe"), features=features):
            pass


async def test_its_operators_are_parts_of_the_arena(door: Door) -> None:
    assert "the usher" in door.arena.operators
