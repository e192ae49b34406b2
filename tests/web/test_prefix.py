# SPDX-License-Identifier: GPL-3.0-or-later
"""An arena below a path prefix, without a proxy: links of all pages, requests without the prefix, and the setting.

``tests/deployment/test_nginx.py`` has the same behind a proxy, with a browser.
"""

import re
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from arena.application import Arena
from tests.web.door import Door, opened, unhurried
from web.application import STATIC, make_application
from web.prefix import check_prefix

pytestmark = pytest.mark.asyncio(loop_scope="module")

PREFIX = "/my/arena"

ADDRESSES = re.compile(
    r"""\blocation\.(?:assign|replace|host|hostname|pathname|origin|href)\b
    | \b(?<!\.)location\s*=[^=]
    | \bfetch\((?!prefixed\()
    | \bimport\((?!prefixed\(|"\./|"\.\./|"preact")
    | \bnew\ (?:WebSocket|EventSource|Worker)\((?!socketAddress\()
    | State\([^)\n]*"/
    """,
    re.VERBOSE,
)
"""Ways of a script to make an address that would lack the prefix."""

APART = ("/api/", "/metrics", "/feed", "/docs")
"""Beginnings of paths that are no pages, or not the arena's own: those of the documentation have relative links."""

MAKERS = {"root.js", "signed_in.js"}
"""Scripts that make such addresses: root.js for all others, signed_in.js to compare origins."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def below(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Door]:
    """An arena below a prefix."""
    settings = unhurried("nim", path_prefix=f"{PREFIX}/")
    async with opened(tmp_path_factory.mktemp("below"), settings) as door:
        yield door


async def pages(door: Door) -> list[str]:
    """Return the paths of all pages without parameters."""
    routes = {resource.canonical for resource in door.application.router.resources()}
    return sorted(path for path in routes if "{" not in path and not path.startswith(APART))


async def test_every_link_of_every_page_is_below_the_prefix(below: Door) -> None:
    paths = await pages(below)
    assert len(paths) > 15
    for path in paths:
        async with below.http.get(PREFIX + path) as response:
            page = await response.text()
            assert response.url.path.startswith(PREFIX)
        if response.content_type == "text/html":
            links = re.findall(r'(?:href|src|action)="([^"]*)"', page)
            assert links, path
            wrong = [link for link in links if not link.startswith((f"{PREFIX}/", "#", "https://", "data:"))]
            assert not wrong, path


def made(script: str) -> list[str]:
    """Return the places of a script that make addresses."""
    return [found[0] for found in ADDRESSES.finditer(script)]


async def test_scripts_make_addresses_by_root_js() -> None:
    folders = [STATIC, *(STATIC.parents[1] / "arena" / "features").glob("*/static")]
    scripts = [
        path for folder in folders for path in folder.rglob("*.js") if not path.is_relative_to(STATIC / "vendor")
    ]
    assert len(scripts) > 100
    wrong = {path.name: made(path.read_text(encoding="utf-8")) for path in scripts if path.name not in MAKERS}
    assert not {name: places for name, places in wrong.items() if places}


@pytest.mark.parametrize(
    "script",
    [
        'location.assign("/")',
        "location.href = path;",
        "location = path;",
        "const here = location.pathname;",
        "`${location.origin}/sdk`",
        'await fetch("/api/v1/status")',
        "await import(script)",
        "new WebSocket(`wss://${host}/api/v1/watch`)",
        'history.pushState(null, "", "/matches")',
    ],
)
async def test_scripts_that_make_addresses_are_found(script: str) -> None:
    assert made(script)


async def test_both_addresses_answer(below: Door) -> None:
    for path in ("/", PREFIX, f"{PREFIX}/", "/bots?limit=3", f"{PREFIX}/bots?limit=3", f"{PREFIX}/api/v1/status"):
        async with below.http.get(path, allow_redirects=False) as response:
            assert response.status == 200, path
    for path in (f"{PREFIX}more", f"{PREFIX}/{PREFIX}", "/my", "/my/"):
        async with below.http.get(path, allow_redirects=False) as response:
            assert response.status == 404, path
            assert f'href="{PREFIX}/"' in await response.text()


async def test_parameters_and_encoded_characters_are_kept(below: Door) -> None:
    async with below.http.get(f"{PREFIX}/api/v1/search?text=a%2Fb%20c") as response:
        assert response.status == 200
    async with below.http.get(f"{PREFIX}/games/nim%2F7") as response:
        assert response.status in (200, 404)
        assert "nim/7" in await response.text()


async def test_the_prefix_of_a_header_means_nothing(below: Door) -> None:
    async with below.http.get("/", headers={"X-Forwarded-Prefix": "/elsewhere"}) as response:
        assert "/elsewhere" not in await response.text()


async def test_sockets_open_below_the_prefix(below: Door) -> None:
    async with below.http.ws_connect(f"{PREFIX}/api/v1/watch") as socket:
        await socket.send_json({"type": "follow-lobby", "game": None, "boards": 1})
        assert (await socket.receive_json())["type"] == "lobby"


@pytest.mark.parametrize(
    ("text", "meant"), [("", ""), ("/", ""), ("/arena", "/arena"), (" /arena/ ", "/arena"), ("/a/b-c", "/a/b-c")]
)
async def test_a_prefix_is_a_path(text: str, meant: str) -> None:
    assert check_prefix(text, ["/", "/bots"]) == meant


@pytest.mark.parametrize("text", ["arena", "//evil.example", "/a b", "/a?b", '/"', "/a/../b", "https://a.example/b"])
async def test_what_is_no_path_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="path_prefix must be a path"):
        check_prefix(text, ["/"])


async def test_a_prefix_that_begins_like_the_arenas_own_paths_is_refused(door: Door) -> None:
    arena = Arena(unhurried("nim", path_prefix="/matches/mine"), door.arena.store)
    with pytest.raises(ValueError, match="path_prefix must not begin with a path of the arena itself"):
        make_application(arena)
