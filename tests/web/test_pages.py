# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages as they leave the server: the shell, the data in it, and the headers around it."""

import json
import re
from html.parser import HTMLParser
from posixpath import normpath
from typing import Any

import pytest

from arena.connections.admission import hash_token
from tests.features import declared
from tests.web.door import Door
from web.application import STATIC
from web.assets import ASSETS
from web.feature import HEADER_LINKS
from web.security import POLICY

pytestmark = pytest.mark.asyncio(loop_scope="session")

MATCHES = {"games", "asked", "unknown", "matches", "bot", "tournament", "exports"}

PAGES = {
    "/": ("lobby", {"games", "game", "lobby", "sections"}),
    "/?game=nim": ("lobby", {"games", "game", "lobby", "sections"}),
    "/matches": ("matches", MATCHES),
    "/matches?game=nim&status=live&limit=5": ("matches", MATCHES),
    "/matches?name=nobody": ("matches", MATCHES),
    "/leaderboard": (
        "leaderboard",
        {"games", "game", "time_class", "systems", "time_classes", "system", "filters", "top", "leaderboard"},
    ),
    "/leaderboard?game=tictactoe&time_class=blitz": (
        "leaderboard",
        {"games", "game", "time_class", "systems", "time_classes", "system", "filters", "top", "leaderboard"},
    ),
    "/games/nim": ("game", {"game", "start"}),
    "/games/nim/7": ("game", {"game", "start"}),
    "/bots": ("bots", {"asked", "bots"}),
    "/bots?name=a&status=connected&sort=name&reverse=true": ("bots", {"asked", "bots"}),
    "/connect": ("connect", {"games", "menu", "sections"}),
    "/api": ("api", {"openapi"}),
}


class Document(HTMLParser):
    """What a page holds: its elements with their attributes, and the text of its data."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.data = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.elements and self.elements[-1][1].get("id") == "data" and not self.data:
            self.data = data


async def page(door: Door, path: str, status: int = 200) -> Document:
    async with door.http.get(path) as response:
        assert response.status == status
        assert response.content_type == "text/html"
        assert response.headers["Content-Security-Policy"] == POLICY
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        return Document(await response.text())


def data(document: Document) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(document.data)
    return found


@pytest.mark.parametrize(("path", "module", "keys"), [(path, *expected) for path, expected in PAGES.items()])
async def test_a_page_embeds_its_first_data(door: Door, path: str, module: str, keys: set[str]) -> None:
    document = await page(door, path)
    assert set(data(document)) == keys
    src = door.application[ASSETS].url(f"pages/{module}.js")
    assert ("script", {"type": "module", "src": src}) in document.elements


@pytest.mark.parametrize("path", [*PAGES, *declared.PAGES])
async def test_pages_ignore_unknown_parameters(door: Door, path: str) -> None:
    foreign = "utm_source=x&utm_source=y&fbclid="
    await page(door, f"{path}{'&' if '?' in path else '?'}{foreign}")


async def test_the_api_refuses_unknown_parameters(door: Door) -> None:
    async with door.http.get("/api/v1/bots?utm_source=x") as response:
        assert response.status == 400


async def test_the_data_are_the_answers_of_the_api(door: Door) -> None:
    async with door.http.get("/api/v1/leaderboard?game=tictactoe") as response:
        answer = await response.json()
    assert data(await page(door, "/leaderboard?game=tictactoe"))["leaderboard"] == answer


async def test_pages_obey_the_content_security_policy(door: Door) -> None:
    for path in [*PAGES, *declared.PAGES, "/nothing"]:
        document = await page(door, path, 404 if path == "/nothing" else 200)
        for tag, attributes in document.elements:
            assert tag != "style"
            assert not [name for name in attributes if name == "style" or name.startswith("on")]
            if tag == "script":
                assert attributes.get("src") or attributes["type"] == "application/json"


async def test_all_files_of_pages_exist(door: Door) -> None:
    for path in [*PAGES, *declared.PAGES, "/nothing"]:
        document = await page(door, path, 404 if path == "/nothing" else 200)
        files = [attributes.get("src") or attributes.get("href") for _, attributes in document.elements]
        for file in files:
            if file and file.startswith("/static/"):
                async with door.http.get(file) as response:
                    assert response.status == 200, file
                    assert response.headers["ETag"]
                    assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"


IMPORT = re.compile(r"""^(?:import|export)\b[^;"'=(]*["']([^"']+)["'];""", re.MULTILINE)


async def test_modules_import_relatively() -> None:
    for folder in (STATIC, *declared.STATIC):
        for module in (path for path in folder.rglob("*.js") if path.parent.name != "vendor"):
            for target in IMPORT.findall(module.read_text("utf-8")):
                assert target.startswith("."), f"{module.name} imports {target}"
                # the files of features are served as if they were in one folder with the others
                served = normpath(module.relative_to(folder).parent / target)
                folders = (STATIC, *declared.STATIC)
                assert any((root / served).is_file() for root in folders), f"{module.name} imports {target}"


async def test_text_from_bots_cannot_leave_the_data(door: Door) -> None:
    description = "</script><script>alert(1)</script><!-- <script>"
    row = await door.arena.store.bots.add("Mallory", hash_token("mallory"), description=description)
    document = await page(door, f"/bots/{row.id}")
    assert data(document)["bot"]["description"] == description
    own = 3 + len(door.application[HEADER_LINKS])
    assert [tag for tag, _ in document.elements].count("script") == own


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/matches/99999999",
        "/matches/first",
        "/bots/marion",
        "/matches?bot=99999999",
        "/matches?tournament=99999999",
        "/matches?game=go",
        "/bots/99999999",
        "/leaderboard?game=go",
        "/games/go",
        "/?game=go",
    ],
)
async def test_unknown_paths_show_an_error_page(door: Door, path: str) -> None:
    document = await page(door, path, 404)
    assert ("a", {"class": "button", "href": "/"}) in document.elements
    for listed in ("/matches", "/bots"):
        links_to_list = ("a", {"class": "button", "href": listed}) in document.elements
        assert links_to_list == path.startswith(f"{listed}/")


async def test_a_search_by_name_redirects_to_the_number_of_the_bot(door: Door) -> None:
    name, _ = await door.register("Marion")
    row = await door.arena.store.bots.named(name)
    assert row is not None
    for asked, expected in (
        ("name=%20marion&status=live", f"/matches?status=live&bot={row.id}"),
        ("name=&status=live", "/matches?status=live"),
        ("before=MQ&limit=500", "/matches?limit=500"),
    ):
        async with door.http.get(f"/matches?{asked}", allow_redirects=False) as response:
            assert (response.status, response.headers["Location"]) == (303, expected)
    assert data(await page(door, f"/matches?bot={row.id}"))["bot"] == "Marion"
    unknown = data(await page(door, "/matches?name=nobody"))
    assert (unknown["unknown"], unknown["matches"]["items"]) == ("nobody", [])
    assert data(await page(door, "/matches?game=nim"))["exports"] == ["jsonl"]


async def test_files_outside_the_folder_are_not_served(door: Door) -> None:
    for path in (
        "/static/../application.py",
        "/static/%2e%2e/application.py",
        "/static/",
        "/static/pages",
        "/static/style.css",
    ):
        async with door.http.get(path) as response:
            assert response.status in (403, 404)
