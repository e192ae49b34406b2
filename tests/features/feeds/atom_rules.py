# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules of RFC 4287 that a feed must keep, checked on the parsed XML."""

import re
from datetime import datetime
from xml.etree import ElementTree

ATOM = "{http://www.w3.org/2005/Atom}"
_IRI = re.compile(r"(urn:uuid:[0-9a-f-]{36}|https?://[^\s<>\"]+)")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
_ONCE = {"feed": ("id", "title", "updated"), "entry": ("id", "title", "updated")}
_AT_MOST_ONCE = {
    "feed": ("generator", "icon", "logo", "rights", "subtitle"),
    "entry": ("content", "published", "rights", "source", "summary"),
}
_KNOWN = {
    "feed": {"author", "category", "contributor", "link", "entry"},
    "entry": {"author", "category", "contributor", "link"},
}


def checked(body: bytes) -> ElementTree.Element:
    """Parse a feed and check what RFC 4287 demands; return its root."""
    feed = ElementTree.fromstring(body)
    _container(feed, "feed")
    assert [link for link in feed.findall(f"{ATOM}link") if link.get("rel") == "self"], "4.1.1: should have self"
    entries = feed.findall(f"{ATOM}entry")
    names = [author.find(f"{ATOM}name") for author in feed.findall(f"{ATOM}author")]
    assert names, "4.1.1: an author unless all entries have one"
    assert all(name is not None and name.text for name in names), "3.2.1"
    children = [child.tag for child in feed]
    assert children.index(f"{ATOM}entry") == len(children) - len(entries) if entries else True
    for entry in entries:
        _container(entry, "entry")
    ids = [entry.findtext(f"{ATOM}id") for entry in entries]
    assert len(set(ids)) == len(ids), "4.1.1: entries with one id need different times"
    return feed


def _container(element: ElementTree.Element, kind: str) -> None:
    assert element.tag == ATOM + kind
    known = {*_ONCE[kind], *_AT_MOST_ONCE[kind], *_KNOWN[kind]}
    for child in element:
        assert child.tag.removeprefix(ATOM) in known, child.tag
    for name in _ONCE[kind]:
        assert len(element.findall(ATOM + name)) == 1, name
    for name in _AT_MOST_ONCE[kind]:
        assert len(element.findall(ATOM + name)) <= 1, name
    number = element.findtext(f"{ATOM}id") or ""
    assert _IRI.fullmatch(number), number
    for name in ("updated", "published"):
        for moment in element.findall(ATOM + name):
            assert _TIME.fullmatch(moment.text or ""), "3.3: a date of RFC 3339"
            datetime.fromisoformat(moment.text or "")
    for link in element.findall(f"{ATOM}link"):
        assert _IRI.fullmatch(link.get("href", "")), "4.2.7"
        assert not list(link)
    pairs = [
        (link.get("type"), link.get("hreflang"))
        for link in element.findall(f"{ATOM}link")
        if link.get("rel", "alternate") == "alternate"
    ]
    assert pairs, "4.1.2: an entry without content has an alternate link"
    assert len(set(pairs)) == len(pairs)
    for category in element.findall(f"{ATOM}category"):
        assert category.get("term")
    for text in ("title", "summary"):
        for child in element.findall(ATOM + text):
            assert child.get("type", "text") == "text"
            assert not list(child), "3.1.1.1: plain text has no child elements"
