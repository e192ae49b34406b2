# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks a built site: links and anchors lead somewhere, pages load nothing from elsewhere and style nothing inline.

Zensical checks the links between its pages only.
"""

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from posixpath import normpath
from urllib.parse import unquote, urlsplit

LOADS = {
    "script": "src",
    "link": "href",
    "img": "src",
    "iframe": "src",
    "source": "src",
    "video": "src",
    "audio": "src",
}
"""The attributes whose addresses a browser loads by itself, by element."""


class _Page(HTMLParser):
    """The links of a page, the addresses that a browser loads for it, and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.inline: list[str] = []
        """Attributes that the Content-Security-Policy does not allow."""
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        values = {name: value or "" for name, value in attributes}
        self.inline += [name for name in values if name == "style" or name.startswith("on")]
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        address = values.get(LOADS.get(tag, ""))
        if address is not None and values.get("rel", "") not in ("prev", "next"):
            self.loads.append(address)
        elif "href" in values:
            self.links.append(values["href"])


def check(site: Path) -> list[str]:
    """Return the faults of a site."""
    pages = {path.relative_to(site).as_posix(): _Page(path.read_text("utf-8")) for path in sorted(site.rglob("*.html"))}
    files = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    return [f"{name}: {fault}" for name, page in pages.items() for fault in _faults(name, page, pages, files)]


def _faults(name: str, page: _Page, pages: dict[str, _Page], files: set[str]) -> Iterator[str]:
    yield from (f"the attribute {each} is inline" for each in page.inline)
    yield from (f"it loads {each}" for each in page.loads if urlsplit(each).netloc or urlsplit(each).scheme)
    for link in (*page.links, *page.loads):
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        target = normpath(f"{name}/../{unquote(parts.path)}") if parts.path else name
        if target == "..":  # the arena
            continue
        if target not in files:
            target = "index.html" if target == "." else f"{target}/index.html"
        if target not in files:
            yield f"there is no {link}"
        elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
            yield f"{link}: the page has no such anchor"
