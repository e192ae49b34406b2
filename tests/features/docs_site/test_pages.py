# SPDX-License-Identifier: GPL-3.0-or-later
"""The routes of the documentation, with a small site in place of the built one."""

import base64
import hashlib
import os
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from yarl import URL

from arena.features.docs_site import site as files
from arena.features.docs_site.site import Site, with_hashes
from tests.web.door import Door, opened, unhurried
from web.security import POLICY

in_one_loop = pytest.mark.asyncio(loop_scope="module")

SCRIPT = b"let one = 1"
PAGE = b"""<!doctype html><html><head><style>a { }</style><script>let one = 1</script></head><body>
<script id="__config" type="application/json">{"base": ".."}</script><script src="x.js"></script></body></html>"""
PREFIX = "/below"


def laid(folder: Path) -> Path:
    """Make a small site."""
    (folder / "how-to" / "bots").mkdir(parents=True)
    (folder / "assets").mkdir()
    (folder / "examples").mkdir()
    (folder / "index.html").write_bytes(b"<!doctype html><h1>Start</h1>")
    (folder / "how-to" / "bots" / "index.html").write_bytes(PAGE)
    (folder / "assets" / "main.0123abcd.min.css").write_text("a { }")
    (folder / "assets" / "style.css").write_text("b { }")
    (folder / "examples" / "bot.py").write_text("print('ä')", "utf-8")
    (folder / "picture.png").write_bytes(b"\x89PNG")
    (folder.parent / "secret.txt").write_text("secret")
    (folder / "leads-out.txt").symlink_to(folder.parent / "secret.txt")
    return folder


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def door(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Door]:
    """An arena with a small site."""
    folder = tmp_path_factory.mktemp("docs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "BUILT", laid(folder / "site"))
        async with opened(folder, unhurried("tictactoe", path_prefix=PREFIX)) as door:
            yield door


@in_one_loop
@pytest.mark.parametrize(
    ("path", "media_type", "lasts"),
    [
        ("/docs/", "text/html; charset=utf-8", False),
        ("/docs/index.html", "text/html; charset=utf-8", False),
        ("/docs/how-to/bots/", "text/html; charset=utf-8", False),
        ("/docs/assets/style.css", "text/css; charset=utf-8", False),
        ("/docs/assets/main.0123abcd.min.css", "text/css; charset=utf-8", True),
        ("/docs/examples/bot.py", "text/plain; charset=utf-8", False),
        ("/docs/picture.png", "image/png", False),
    ],
)
async def test_a_file_has_its_type_and_an_etag(door: Door, path: str, media_type: str, lasts: bool) -> None:
    async with door.http.get(PREFIX + path) as response:
        assert response.status == 200
        assert response.headers["Content-Type"] == media_type
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert ("immutable" in response.headers["Cache-Control"]) == lasts
        assert await response.read()
        etag = response.headers["ETag"]
    async with door.http.get(PREFIX + path, headers={"If-None-Match": etag}) as response:
        assert response.status == 304
    async with door.http.head(path) as response:  # as a proxy sends it that removes the prefix
        assert response.status == 200
        assert response.headers["ETag"] == etag


@in_one_loop
@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/docs", "/docs/"),
        ("/docs/how-to/bots", "/docs/how-to/bots/"),
        ("/docs/how-to/bots?h=token", "/docs/how-to/bots/?h=token"),
    ],
)
async def test_a_path_without_its_slash_leads_to_the_page(door: Door, path: str, target: str) -> None:
    async with door.http.get(PREFIX + path, allow_redirects=False) as response:
        assert response.status == 302
        assert response.headers["Location"] == PREFIX + target


@in_one_loop
@pytest.mark.parametrize(
    "path",
    [
        "missing/",
        "how-to",
        "how-to/",
        "..%2fsecret.txt",
        "%2e%2e/secret.txt",
        "how-to/..%2f..%2fsecret.txt",
        "leads-out.txt",
        "%2fetc%2fpasswd",
        "a%00b",
        "x" * 400,
    ],
)
async def test_nothing_else_is_there(door: Door, path: str) -> None:
    async with door.http.get(URL(f"http://{door.address}{PREFIX}/docs/{path}", encoded=True)) as response:
        assert response.status == 404
        assert "The documentation has no page" in await response.text()


@in_one_loop
async def test_the_policy_of_a_page_allows_its_own_scripts_and_no_others(door: Door) -> None:
    async with door.http.get("/docs/how-to/bots/") as response:
        policy = parts(response.headers["Content-Security-Policy"])
    digest = base64.b64encode(hashlib.sha256(SCRIPT).digest()).decode()
    assert policy.pop("script-src") == f"'self' 'sha256-{digest}'"
    assert re.fullmatch(r"'self' 'sha256-[^' ]+'", policy.pop("style-src"))
    assert policy.items() < parts(POLICY).items()
    async with door.http.get("/docs/examples/bot.py") as response:
        assert response.headers["Content-Security-Policy"] == POLICY


def parts(policy: str) -> dict[str, str]:
    """Return the directives of a policy by their names."""
    return dict(part.split(" ", 1) for part in policy.split("; "))


def test_every_page_of_the_site_has_a_policy_without_exceptions(built_site: Path) -> None:
    pages = Site(POLICY, built_site)
    paths = list(built_site.rglob("*.html"))
    assert paths
    for path in paths:
        found = pages.read(path.relative_to(built_site).as_posix())
        assert found is not None
        assert "unsafe" not in found.policy
        assert found.policy.count("'sha256-") >= 3


def test_the_hashes_of_a_page_are_computed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = laid(tmp_path / "site")
    pages, computed = Site(POLICY, folder), list[bytes]()

    def counting(policy: str, page: bytes, added: bytes) -> str:
        computed.append(page)
        return with_hashes(policy, page, added)

    monkeypatch.setattr(files, "with_hashes", counting)
    first = pages.read("how-to/bots/")
    assert first is not None
    assert pages.read("how-to/bots/index.html") == first
    assert computed == [PAGE]
    path = folder / "how-to" / "bots" / "index.html"
    path.write_bytes(PAGE.replace(b"one", b"two"))
    os.utime(path, ns=(1, 1))
    again = pages.read("how-to/bots/")
    assert again is not None
    assert again.etag != first.etag
    assert again.policy != first.policy
    assert len(computed) == 2


def test_the_style_sheet_that_the_script_adds_is_allowed(tmp_path: Path) -> None:
    folder = laid(tmp_path / "site")
    (folder / files.ADDED).write_text(".u{}")
    page = Site(POLICY, folder).read("")
    assert page is not None
    digest = base64.b64encode(hashlib.sha256(b".u{}").digest()).decode()
    assert f"style-src 'self' 'sha256-{digest}'" in page.policy


def test_an_installed_arena_shows_the_site_that_it_contains(tmp_path: Path) -> None:
    packed, built = tmp_path / "packed", tmp_path / "built"
    pages = Site(POLICY, packed, built)
    assert pages.folder() is None
    assert pages.read("") is None
    for folder in (built, packed):
        folder.mkdir()
        (folder / "index.html").touch()
        assert pages.folder() == folder
