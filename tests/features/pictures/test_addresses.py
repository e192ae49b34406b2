# SPDX-License-Identifier: GPL-3.0-or-later
"""Addresses of pictures, embedded matches and link previews; hidden names appear in none of them."""

import re
from collections.abc import AsyncIterator
from html import unescape
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest
import pytest_asyncio
from aiohttp import ClientResponse
from PIL import Image

from arena.features.pictures import api
from arena.features.pictures.part import PicturesPart
from arena.tournaments.machine.config import Config, Entry
from arena.tournaments.machine.formats.round_robin import RoundRobin
from tests.features.pictures.games import finish, first_moves, stored
from tests.web.door import Door, opened, unhurried
from web.security import POLICY

pytestmark = pytest.mark.asyncio(loop_scope="session")

EVIL = '<img src=x onerror=alert(1)>\u202e"'
SHOWN = '<img src=x onerror=alert(1)>"'
"""The name on pages: without characters that turn the direction of writing."""
PLIES = 7


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def door(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Door]:
    """An arena without bots; tests bring their matches."""
    async with opened(tmp_path_factory.mktemp("arena"), unhurried("tictactoe")) as door:
        yield door


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def match(door: Door) -> int:
    """A finished match, whose detail is markup."""
    return await stored(door.arena.store, "tictactoe", first_moves("tictactoe", PLIES), ("first", "plain"), detail=EVIL)


async def get(
    door: Door, path: str, status: int = 200, headers: dict[str, str] | None = None
) -> tuple[ClientResponse, bytes]:
    """Request an address; return the answer and its body."""
    async with door.http.get(path, headers=headers) as found:
        body = await found.read()
        assert found.status == status, body[:500]
        return found, body


def meta(page: bytes) -> dict[str, str]:
    """Return the ``meta`` elements of a page by name."""
    found = re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)">', page.decode())
    return {name: unescape(content) for name, content in found}


async def test_a_position_is_an_svg_picture(door: Door, match: int) -> None:
    answer, body = await get(door, f"/matches/{match}/position.svg?ply=2")
    assert answer.content_type == "image/svg+xml"
    assert answer.headers["Content-Security-Policy"] == api.STYLED
    root = ElementTree.fromstring(body)
    assert root[0].text == "Tic-tac-toe: first – plain, ply 2"
    assert len(root.findall("{*}g")) == 2
    newest = ElementTree.fromstring((await get(door, f"/matches/{match}/position.svg"))[1])
    assert len(newest.findall("{*}g")) == PLIES


async def test_pictures_are_drawn_once_and_confirmed_by_their_etags(door: Door, match: int) -> None:
    part = door.arena.part(PicturesPart)
    for path, form, size, frames in (
        (f"/matches/{match}/position.png?ply=3&width=200", "PNG", (200, 200), 1),
        (f"/matches/{match}/game.gif?width=100&start=2&end=5", "GIF", (100, 100), 4),
        (f"/matches/{match}/game.gif?width=100", "GIF", (100, 100), PLIES + 1),
    ):
        before = part.rendered
        answer, body = await get(door, path)
        assert answer.content_type == f"image/{form.lower()}"
        with Image.open(BytesIO(body)) as image:
            assert (image.format, image.size, getattr(image, "n_frames", 1)) == (form, size, frames)
        _, again = await get(door, path)
        assert again == body
        _, nothing = await get(door, path, 304, {"If-None-Match": answer.headers["ETag"]})
        assert nothing == b""
        assert part.rendered == before + 1


@pytest.mark.parametrize("name", ["position.svg", "position.png", "game.gif", ""])
async def test_unknown_matches_and_plies_are_explained(door: Door, match: int, name: str) -> None:
    def address(number: int) -> str:
        return f"/matches/{number}/{name}" if name else f"/embed/matches/{number}"

    _, body = await get(door, address(99_999), 404)
    assert "No match has the number 99999" in body.decode()
    parameter = "end" if name == "game.gif" else "ply"
    _, body = await get(door, f"{address(match)}?{parameter}=8", 404)
    assert f"Match {match} has no ply 8; choose a ply from 0 to {PLIES}" in body.decode()
    for wrong in ("-1", "x", "1e9"):
        await get(door, f"{address(match)}?{parameter}={wrong}", 400)


async def test_widths_and_ranges_have_bounds(door: Door, match: int, monkeypatch: pytest.MonkeyPatch) -> None:
    await get(door, f"/matches/{match}/position.png?width=99999", 400)
    await get(door, f"/matches/{match}/game.gif?width=1200", 400)
    _, body = await get(door, f"/matches/{match}/game.gif?start=5&end=2", 400)
    assert "Start must not be above end (got 5 and 2)" in body.decode()
    monkeypatch.setattr(api, "MOST_FRAMES", 3)
    for query in ("", "start=0&", "end=6&"):
        _, body = await get(door, f"/matches/{match}/game.gif?{query}width=80")
        with Image.open(BytesIO(body)) as image:
            assert getattr(image, "n_frames", 1) == 3


async def test_too_many_waiting_pictures_are_refused(door: Door, match: int, monkeypatch: pytest.MonkeyPatch) -> None:
    _, drawn = await get(door, f"/matches/{match}/position.png?width=90")
    monkeypatch.setattr(door.arena.part(PicturesPart), "_most_waiting", 0)
    answer, body = await get(door, f"/matches/{match}/position.png?width=91", 429)
    assert int(answer.headers["Retry-After"]) > 0
    assert "pictures are waiting" in body.decode()
    assert (await get(door, f"/matches/{match}/position.png?width=90"))[1] == drawn


async def test_only_the_embedded_page_may_be_framed(door: Door, match: int) -> None:
    answer, body = await get(door, f"/embed/matches/{match}?theme=dark&ply=3")
    policy = answer.headers["Content-Security-Policy"]
    assert policy == POLICY.replace("frame-ancestors 'none'", "frame-ancestors *") != POLICY
    text = body.decode()
    assert '<html lang="en" data-theme="dark">' in text
    assert "<img" not in text
    assert "data-theme" not in (await get(door, f"/embed/matches/{match}"))[1].decode()
    await get(door, f"/embed/matches/{match}?theme=red", 400)
    for path in ("/", f"/matches/{match}", "/leaderboard", "/matches/99999"):
        answer, _ = await get(door, path, 404 if "99999" in path else 200)
        assert answer.headers["Content-Security-Policy"] == POLICY


async def test_a_frame_without_its_match_shows_a_message_only(door: Door, match: int) -> None:
    framed = (await get(door, f"/embed/matches/{match}"))[0].headers["Content-Security-Policy"]
    for path in ("/embed/matches/99999?theme=dark", f"/embed/matches/{match}?ply=99&theme=dark"):
        answer, body = await get(door, path, 404)
        assert answer.headers["Content-Security-Policy"] == framed
        text = body.decode()
        assert '<html lang="en" data-theme="dark">' in text
        assert not re.search("<(header|nav|script)", text)


async def test_hidden_names_are_in_no_picture_and_no_preview(door: Door) -> None:
    moved = first_moves("tictactoe", 3)
    number = await stored(door.arena.store, "tictactoe", moved, ("hypatia", "isidore"), anonymous=True, over=False)
    paths = (f"/matches/{number}/position.svg", f"/embed/matches/{number}", f"/matches/{number}")
    for path in paths:
        _, body = await get(door, path)
        assert b"Hidden player" in body
        assert b"hypatia" not in body
    assert meta((await get(door, paths[-1]))[1])["og:title"] == "Hidden player – Hidden player"
    await finish(door.arena.store, number, len(moved))
    for path in paths:
        assert b"hypatia" in (await get(door, path))[1]


async def test_matches_have_previews_with_a_picture(door: Door, match: int) -> None:
    _, body = await get(door, f"/matches/{match}")
    tags = meta(body)
    assert tags["og:title"] == "first – plain"
    assert tags["description"] == tags["og:description"]
    assert tags["description"] == f"first won by resignation. An unrated match of Tic-tac-toe, {PLIES} plies."
    assert tags["og:url"] == f"http://{door.address}/matches/{match}"
    assert tags["twitter:card"] == "summary_large_image"
    picture = tags["og:image"].removeprefix(f"http://{door.address}")
    assert picture == f"/matches/{match}/position.png?ply={PLIES}&width=600"
    _, drawn = await get(door, picture)
    with Image.open(BytesIO(drawn)) as image:
        assert image.size == (int(tags["og:image:width"]), int(tags["og:image:height"]))


async def test_addresses_have_the_scheme_of_a_trusted_proxy(tmp_path: Path) -> None:
    settings = unhurried("tictactoe", trusted_proxies="127.0.0.1", public_names="arena.example")
    async with opened(tmp_path, settings) as door:
        forwarded = {"Host": "arena.example", "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.1"}
        _, body = await get(door, "/leaderboard?game=tictactoe", headers=forwarded)
    assert meta(body)["og:url"] == "https://arena.example/leaderboard"


async def test_bots_tournaments_and_leaderboards_have_previews(door: Door, match: int) -> None:
    bot = await door.arena.store.bots.named("plain")
    assert bot is not None
    tags = meta((await get(door, f"/bots/{bot.id}"))[1])
    assert (tags["og:title"], tags["description"], tags["twitter:card"]) == ("plain", "A bot.", "summary")
    tags = meta((await get(door, "/leaderboard?game=tictactoe"))[1])
    assert tags["og:title"] == "Leaderboard: Tic-tac-toe"
    assert tags["description"].startswith("Ratings of Tic-tac-toe bots.")
    assert "og:title" not in meta((await get(door, "/bots"))[1])
    await door.arena.store.bots.add("other", "hash of other")
    config = Config(
        name=f"Cup {EVIL}", game="tictactoe", format=RoundRobin(), entries=(Entry(name="plain"), Entry(name="other"))
    )
    row = await door.arena.store.tournaments.add(config.name, config.game, msgspec.json.encode(config))
    tags = meta((await get(door, f"/tournaments/{row.id}"))[1])
    assert tags["og:title"] == f"Cup {SHOWN}"
    assert tags["description"] == "A tournament of Tic-tac-toe: 2 bots, created."
