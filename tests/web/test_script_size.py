# SPDX-License-Identifier: GPL-3.0-or-later
"""The scripts of each page, compressed: its modules, those of its graphs, and those that features add."""

import gzip
import posixpath
import re
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from arena.registry import GameRegistry
from arena.settings import Settings
from engine.games import catalogue
from tests.features import declared
from tests.web.door import Door
from web.api.games import describe
from web.application import STATIC
from web.assets import ASSETS, LEVEL, Assets
from web.drawing import scripts_of as drawing_scripts
from web.feature import BOT_SECTIONS, CONNECT_SECTIONS, HEADER_LINKS, LOBBY_SECTIONS, MATCH_SECTIONS
from web.language import ENGLISH, codes, language_with

MOST = 80_000
"""Bytes: a page with 80 KB of scripts takes 0.8 s at 800 kbit/s."""

pytestmark = pytest.mark.asyncio(loop_scope="session")

_LATER = re.compile(r"""\bimport\(["'](\.[^"'\n]*plot\.js)["']\)""")
"""The import when a page shows its first graph. The search by name, which a visitor has to open, does not count."""


def scripts_of(assets: Assets, *first: str) -> set[str]:
    """Return the names of modules and of all that they import, at once or for graphs."""
    found = set[str]()
    waiting = list(first)
    while waiting:
        modules = {url.split("/", 3)[3] for url in assets.modules(waiting.pop())} - found
        found |= modules
        for name in modules:
            later = _LATER.findall(assets.read(name).decode())
            waiting += [posixpath.normpath(posixpath.join(posixpath.dirname(name), target)) for target in later]
    return found


def size(assets: Assets, names: set[str]) -> int:
    """Return the bytes of scripts as the server sends them."""
    return sum(len(gzip.compress(assets.read(name), LEVEL)) for name in names)


def pages() -> Sequence[str]:
    """Return the names of the modules that draw a page."""
    return [
        path.relative_to(folder).as_posix()
        for folder in (STATIC, *declared.STATIC)
        for path in Path(folder).rglob("*.js")
        if re.search(r"^show\(", path.read_text("utf-8"), re.MULTILINE)
    ]


def added(door: Door) -> dict[str, list[str]]:
    """Return the modules that features add to pages, by the page's module."""
    sections: dict[str, web.AppKey[Any]] = {
        "pages/lobby.js": LOBBY_SECTIONS,
        "pages/match.js": MATCH_SECTIONS,
        "pages/bot.js": BOT_SECTIONS,
        "pages/connect.js": CONNECT_SECTIONS,
    }
    return {page: [each.script for each in door.application[key]] for page, key in sections.items()}


def styles_of() -> Sequence[list[str]]:
    """Return the scripts that draw the board of each game. A page with boards of several games loads more of them."""
    boards = [describe(GameRegistry(Settings()), game).board for game in catalogue().values()]
    found = {tuple(drawing_scripts([board])) for board in boards}
    return [*map(list, sorted(found))]


async def test_scripts_of_each_page_are_small_in_each_language(door: Door) -> None:
    assets, more = door.application[ASSETS], added(door)
    every = [link.script for link in door.application[HEADER_LINKS]]
    sizes = dict[tuple[str, ...], int]()
    for page, drawn in product(pages(), styles_of()):
        with_boards = "board.js" in scripts_of(assets, page)
        loaded = (page, *every, *more.get(page, ()), *(drawn if with_boards else ()))
        scripts = scripts_of(assets, "theme.js", *loaded)
        for language in map(language_with, codes()):
            url = None if language is ENGLISH else language.script(assets, loaded)
            assert (url is None) == (language is ENGLISH), "every page has texts"
            translations = {url.split("/", 3)[3], "translating.js"} if url else set()
            sizes[page, *drawn, language.code] = size(assets, scripts | translations)
    assert len(sizes) > len(pages())
    large = {page: bytes_ for page, bytes_ in sizes.items() if bytes_ > MOST}
    assert large == {}, "remove scripts; after a change of tools/vendor.py, run `python -m tools.vendor` first"


async def test_a_match_page_counts_with_its_graphs_and_sections(door: Door) -> None:
    assets = door.application[ASSETS]
    found = scripts_of(assets, "pages/match.js")
    assert {"vendor/preact.js", "vendor/uplot.js", "plot.js", "match/graphs.js"} <= found
    assert {"pages/match.js", "pages/lobby.js"} <= set(pages())
