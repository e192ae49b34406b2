# SPDX-License-Identifier: GPL-3.0-or-later
"""The feed of results as Atom (RFC 4287): pure functions from rows to XML."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import NamedTuple
from urllib.parse import urlencode
from uuid import uuid5
from xml.etree import ElementTree

from arena.features.feeds.latest import Results
from arena.features.feeds.records.results import ENTRIES, UPSET, Wanted
from arena.protocol.terminal import plain_line
from arena.store.rows import MatchRow, TournamentRow
from web import wording

NAMESPACE = "http://www.w3.org/2005/Atom"
MEDIA_TYPE = "application/atom+xml"
PATH = "/feed.atom"

_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot express."""
_ISOLATE, _END = "\u2068", "\u2069"
"""First strong isolate and its end: what names do to the direction of writing stays inside them."""

ElementTree.register_namespace("", NAMESPACE)


class Entry(NamedTuple):
    """An entry of the feed."""

    key: str
    """Kind and number of its subject. The id of the entry is made from it."""
    updated: float
    title: str
    summary: str
    path: str
    game: str


def query_of(wanted: Wanted) -> str:
    """Return the query of the address of a feed."""
    given = {name: value for name, value in wanted._asdict().items() if value is not None}
    return f"?{urlencode(given, errors='replace')}" if given else ""


def write(results: Results, wanted: Wanted, base: str, titles: Mapping[str, str]) -> bytes:
    """Return the feed as XML. ``base``: the server's address, such as https://arena.example.org; ``titles`` of games by
    name.
    """
    entries = [_of_match(row, titles) for row in results.matches]
    entries += [_of_tournament(row, titles) for row in results.tournaments]
    entries.sort(key=lambda entry: (-entry.updated, entry.key))
    del entries[ENTRIES:]
    address = PATH + query_of(wanted)
    feed = ElementTree.Element(_tag("feed"))
    _add(feed, "title", "Bot Arena: results")
    _add(feed, "id", uuid5(results.identity, address).urn)
    _add(feed, "updated", _time(entries[0].updated if entries else results.since))
    author = ElementTree.SubElement(feed, _tag("author"))
    _add(author, "name", "Bot Arena")
    _link(feed, "self", base + address, MEDIA_TYPE)
    _link(feed, "alternate", f"{base}/", "text/html")
    _add(feed, "generator", "Bot Arena")
    for entry in entries:
        element = ElementTree.SubElement(feed, _tag("entry"))
        _add(element, "title", entry.title)
        _add(element, "id", uuid5(results.identity, entry.key).urn)
        _add(element, "published", _time(entry.updated))
        _add(element, "updated", _time(entry.updated))
        _link(element, "alternate", base + entry.path, "text/html")
        ElementTree.SubElement(element, _tag("category"), {"term": _clean(entry.game)})
        _add(element, "summary", entry.summary)
    written: bytes = ElementTree.tostring(feed, encoding="utf-8", xml_declaration=True)
    return written


def _of_match(row: MatchRow, titles: Mapping[str, str]) -> Entry:
    one, other = (_name(player.bot) for player in row.players)
    what = [titles.get(row.game, row.game)]
    if row.tournament is not None:
        what.append(f"tournament {row.tournament}")
    upset = _upset(row)
    summary = f"{', '.join(what)}: {_how(row)}."
    if upset:
        summary += f" The winner's rating was {upset:.0f} points lower."
    title = f"{one} {wording.score(row.result)} {other}"
    return Entry(
        f"match/{row.id}", row.finished or row.started, f"Upset: {title}" if upset else title, summary,
        f"/matches/{row.id}", row.game,
    )  # fmt: skip


def _upset(row: MatchRow) -> float:
    """Return by how much the winner's rating was lower, in an upset; else 0."""
    one, other = row.players
    if not row.rated or row.result not in ("1-0", "0-1"):
        return 0.0
    difference = (other.rating_before - one.rating_before) * (1 if row.result == "1-0" else -1)
    return difference if difference >= UPSET else 0.0


def _how(row: MatchRow) -> str:
    reason = " ".join(filter(None, (f"{row.plies or 0} moves", wording.reason(row.termination or ""))))
    return f"{reason} ({_name(row.detail)})" if row.detail else reason


def _of_tournament(row: TournamentRow, titles: Mapping[str, str]) -> Entry:
    verb = "is over" if row.status == "finished" else "was cancelled"
    return Entry(
        f"tournament/{row.id}",
        row.ended or row.created,
        f"Tournament {_name(row.name)} {verb}",
        f"{titles.get(row.game, row.game)}. The page of the tournament shows standings and matches.",
        f"/tournaments/{row.id}",
        row.game,
    )


def _tag(name: str) -> str:
    return f"{{{NAMESPACE}}}{name}"


def _add(parent: ElementTree.Element, name: str, text: str) -> None:
    ElementTree.SubElement(parent, _tag(name)).text = _clean(text)


def _link(parent: ElementTree.Element, kind: str, address: str, media_type: str) -> None:
    ElementTree.SubElement(parent, _tag("link"), {"rel": kind, "type": media_type, "href": _clean(address)})


def _name(text: str) -> str:
    """Return a text from outside as one line whose direction of writing changes nothing around it."""
    return _ISOLATE + plain_line(text) + _END


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)


def _time(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
