# SPDX-License-Identifier: GPL-3.0-or-later
"""The feed as XML: valid Atom with stable ids, whatever the names are."""

from dataclasses import replace
from uuid import UUID

from arena.features.feeds.atom import write
from arena.features.feeds.latest import Results
from arena.features.feeds.records.results import ENTRIES, Wanted
from arena.store.rows import MatchRow, PlayerRow, TournamentRow
from tests.features.feeds.atom_rules import ATOM, checked

IDENTITY = UUID("6ba7b811-9dad-11d1-80b4-00c04fd430c8")
BASE = "https://arena.example"
TITLES = {"chess": "Chess"}
ONE = PlayerRow(1, "anna", "own", 1, "1", 1500.0, 1520.0)
OTHER = PlayerRow(2, "ben", "own", 2, "1", 1800.0, 1780.0)
MATCH = MatchRow(
    7, "chess", "blitz", "5+0", True, 1, None, (), None, "ladder", (ONE, OTHER), "finished", 100.0, 200.5, "1-0",
    "resignation", "", 41, False, 3,
)  # fmt: skip
CUP = TournamentRow(3, "Spring cup", "chess", "{}", "finished", 5, 50.0, 300.0)
EVIL = "<script>alert('x')</script>&amp;]]>\u202eleft\x00\x1b[31m\ud800\ufffe"


def results(matches: list[MatchRow], tournaments: list[TournamentRow]) -> Results:
    """Return what a feed shows."""
    return Results(IDENTITY, 10.0, matches, tournaments)


def texts(body: bytes, name: str) -> list[str]:
    """Return the texts of the entries' elements of a name."""
    return [entry.findtext(ATOM + name) or "" for entry in checked(body).findall(f"{ATOM}entry")]


def bare(text: str) -> str:
    """Return a text without the marks around names."""
    return text.replace("\u2068", "").replace("\u2069", "")


def test_a_feed_of_results() -> None:
    body = write(results([MATCH], [CUP]), Wanted(game="chess", bot=1), BASE, TITLES)
    feed = checked(body)
    assert [bare(text) for text in texts(body, "title")] == ["Tournament Spring cup is over", "Upset: anna 1–0 ben"]
    assert texts(body, "updated") == ["1970-01-01T00:05:00.000Z", "1970-01-01T00:03:20.500Z"]
    assert feed.findtext(f"{ATOM}updated") == "1970-01-01T00:05:00.000Z"
    summary = "Chess, tournament 3: 41 moves by resignation. The winner's rating was 300 points lower."
    assert texts(body, "summary")[1] == summary
    links = {link.get("rel"): link.get("href") for link in feed.findall(f"{ATOM}link")}
    assert links == {"self": f"{BASE}/feed.atom?game=chess&bot=1", "alternate": f"{BASE}/"}
    hrefs = [link.get("href") for link in feed.findall(f"{ATOM}entry/{ATOM}link")]
    assert hrefs == [f"{BASE}/tournaments/3", f"{BASE}/matches/7"]


def test_ids_do_not_depend_on_the_address_the_filter_or_other_entries() -> None:
    (number,) = texts(write(results([MATCH], []), Wanted(), BASE, TITLES), "id")
    later = replace(MATCH, id=8, finished=900.0)
    again = write(results([later, MATCH], [CUP]), Wanted(bot=1), "http://127.0.0.1:8000", TITLES)
    assert number in texts(again, "id")
    assert len(set(texts(again, "id"))) == 3
    other = Results(UUID(int=5), 10.0, [MATCH], [])
    assert texts(write(other, Wanted(), BASE, TITLES), "id") != [number], "another arena has other ids"


def test_a_feed_without_entries_does_not_change() -> None:
    body = write(results([], []), Wanted(), BASE, TITLES)
    assert checked(body).findtext(f"{ATOM}updated") == "1970-01-01T00:00:10.000Z"
    assert body == write(results([], []), Wanted(), BASE, TITLES)


def test_markup_and_control_characters_are_harmless() -> None:
    sides = (replace(ONE, bot=EVIL), replace(OTHER, bot=EVIL))
    match = replace(MATCH, players=sides, detail=EVIL, game=EVIL)
    body = write(results([match], [replace(CUP, name=EVIL, game=EVIL)]), Wanted(game=EVIL), BASE, {EVIL: EVIL})
    titles = texts(body, "title")
    assert all("<script>alert('x')</script>&amp;]]>" in title for title in titles), "as text, unchanged"
    for character in "\x00\x1b\u202e\ufffe":
        assert all(character not in title for title in titles)
    assert b"<script>" not in body


def test_the_newest_entries_are_shown() -> None:
    many = [replace(MATCH, id=number, finished=float(number)) for number in range(1, ENTRIES + 10)]
    times = texts(write(results(many, [CUP]), Wanted(), BASE, TITLES), "updated")
    assert len(times) == ENTRIES
    assert times == sorted(times, reverse=True)


def test_a_small_difference_is_no_upset() -> None:
    even = replace(MATCH, players=(ONE, replace(OTHER, rating_before=1600.0)))
    (title,) = texts(write(results([even], []), Wanted(), BASE, TITLES), "title")
    assert not title.startswith("Upset")
