# SPDX-License-Identifier: GPL-3.0-or-later
"""A bot's results: by time class and ending, by opening move, against one opponent, and by version."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from arena.rating.difference import difference_of, interval, superiority
from arena.store.rows import VersionRow
from engine.match.events import Moved, encode_event
from tests.arena.store.company import CHECKERS, versions
from tests.web.door import Door
from tests.web.test_match import get

pytestmark = pytest.mark.asyncio(loop_scope="session")

GAME, TIME_CLASS = "tictactoe", "classical"
"""No other test of this folder plays it in this time class."""
WON = ("b2", "a1", "b1", "c3", "b3")
"""The first player's column."""


async def record(
    door: Door,
    first: VersionRow,
    second: VersionRow,
    result: str = "1-0",
    *,
    moves: Sequence[str] = WON,
    opening: int = 0,
    termination: str = "decided",
    rated: bool = True,
) -> int:
    """Record a match; its first moves are the opening of the arena."""
    store = door.arena.store
    match = replace(
        CHECKERS,
        players=(first.id, second.id),
        game=GAME,
        time_class=TIME_CLASS,
        opening=tuple(moves[:opening]),
        rated=rated,
    )
    number = await store.matches.start(match)
    made = [Moved(ply, (ply - 1) % 2, move) for ply, move in enumerate(moves, 1)][opening:]
    await store.matches.append(number, [(place, encode_event(move)) for place, move in enumerate(made)])
    await store.matches.finish(number, result=result, termination=termination, plies=len(moves))
    return number


async def test_two_bots_against_each_other(door: Door) -> None:
    one, other, third = await versions(door.arena.store, "versus-a", "versus-b", "versus-c")
    numbers = [
        await record(door, one, other, opening=2),
        await record(door, one, other, "1/2-1/2", opening=2),
        await record(door, other, one, "1-0", termination="time"),
        await record(door, one, other, "1-0", rated=False),
        await record(door, one, other, "*", termination="void"),
    ]
    await record(door, one, third)
    answer = await get(door, f"/bots/{one.bot_id}/versus/{other.bot_id}", "VersusAnswer")
    assert [bot["name"] for bot in answer["bots"]] == ["versus-a", "versus-b"]
    assert (answer["game"], answer["games"]) == (GAME, [{"game": GAME, "matches": 5}])
    assert (answer["wins"], answer["draws"], answer["losses"], answer["score"]) == (2, 1, 1, 0.625)
    counts = (1, 1, 2)
    assert answer["elo"] == pytest.approx(difference_of(0.625))
    assert answer["interval"] == pytest.approx(list(interval(counts)))
    assert answer["superiority"] == pytest.approx(superiority(counts))
    sides = {(side["seat"], side["rated"]): (side["wins"], side["draws"], side["losses"]) for side in answer["results"]}
    assert sides == {(0, False): (1, 0, 0), (0, True): (1, 1, 0), (1, True): (0, 0, 1)}
    openings = {tuple(each["moves"]): (each["wins"], each["draws"], each["losses"]) for each in answer["openings"]}
    assert openings == {("b2", "a1"): (1, 1, 0), (): (1, 0, 1)}

    mirrored = await get(door, f"/bots/{other.bot_id}/versus/{one.bot_id}?game={GAME}", "VersusAnswer")
    assert (mirrored["wins"], mirrored["draws"], mirrored["losses"]) == (1, 1, 2)
    fit = await door.arena.rating_fits.get(GAME, TIME_CLASS)
    places = [place for bot in (one, other) if (place := fit.newest(bot.bot_id)) is not None]
    again = await get(door, f"/bots/{one.bot_id}/versus/{other.bot_id}", "VersusAnswer")
    difference, deviation = fit.difference(*places)
    assert again["rated"]["elo"] == pytest.approx(difference)
    assert again["rated"]["interval"] == pytest.approx([difference - 1.96 * deviation, difference + 1.96 * deviation])
    listed = fit.opinion(places).superiority[0, 1]
    assert again["rated"]["superiority"] == pytest.approx(listed, abs=1e-6)

    met = f"/matches?bot={one.bot_id}&opponent={other.bot_id}"
    assert [item["id"] for item in (await get(door, met, "MatchesAnswer"))["items"]] == numbers[::-1]
    alone = await get(door, f"/bots/{third.bot_id}/versus/{other.bot_id}", "VersusAnswer")
    assert (alone["game"], alone["score"], alone["rated"], alone["results"]) == (None, None, None, [])
    for path, status, words in (
        (f"/bots/{one.bot_id}/versus/{one.bot_id}", 400, "against itself"),
        (f"/bots/{one.bot_id}/versus/999999", 404, "no bot has the number 999999"),
        (f"/matches?opponent={one.bot_id}", 400, "'opponent' needs 'bot'"),
        (f"/bots/{one.bot_id}/openings?game={GAME}&moves=b2,b2", 400, "move 2"),
        (f"/bots/{one.bot_id}/openings?game={GAME}&moves={','.join(['b2'] * 17)}", 400, "at most 16 moves (got 17)"),
        (f"/bots/{one.bot_id}/results?game=go", 404, "does not have the game 'go'"),
    ):
        async with door.http.get(f"/api/v1{path}") as response:
            assert response.status == status, path
            assert words in (await response.json())["error"]["message"]
    async with door.http.get(f"/bots/{one.bot_id}/versus/{other.bot_id}") as response:
        assert "<title>versus-a – versus-b" in await response.text()


async def test_the_opening_tree_has_the_results_of_each_move(door: Door) -> None:
    bot, other = await versions(door.arena.store, "tree-a", "tree-b")
    path = f"/bots/{bot.bot_id}/openings?game={GAME}"
    await record(door, bot, other, opening=2)
    await record(door, bot, other, "0-1", moves=("b2", "c1", "a1"))
    await record(door, other, bot, "1-0", moves=("a1", "b2"))
    root = await get(door, path, "OpeningNodeAnswer")
    told = [(each["move"], each["wins"], each["losses"], each["drawn"], each["further"]) for each in root["children"]]
    assert told == [("b2", 1, 1, 1, True), ("a1", 0, 1, 0, True)]
    assert (root["matches"], root["view"]["diagram"], root["view"]["to_move"]) == (3, "." * 9, 0)
    node = await get(door, f"{path}&moves=b2", "OpeningNodeAnswer")
    assert [(each["move"], each["drawn"]) for each in node["children"]] == [("a1", 1), ("c1", 0)]
    assert node["view"]["diagram"].count(".") == 8
    second = await get(door, f"{path}&seat=1", "OpeningNodeAnswer")
    assert [each["move"] for each in second["children"]] == ["a1"]
    last = await get(door, f"{path}&moves={','.join(WON)}", "OpeningNodeAnswer")
    assert (last["children"], last["wins"]) == ([], 1)
    assert last["view"]["ending"]["result"] == "1-0"
    await record(door, bot, other)
    assert (await get(door, path, "OpeningNodeAnswer"))["matches"] == 4, "the tree has the newest match"
    assert (await get(door, f"{path}&time_class=bullet", "OpeningNodeAnswer"))["matches"] == 0


async def test_results_by_ending_and_by_version(door: Door) -> None:
    store = door.arena.store
    old, other = await versions(store, "ends-a", "ends-b")
    new = await store.bots.version(old.bot_id, "2 <b>")
    await record(door, old, other, "0-1", termination="crash")
    await record(door, new, other, "1-0", termination="time")
    await record(door, other, new, "1/2-1/2")
    path = f"/bots/{old.bot_id}/results?game={GAME}"

    async def endings(query: str) -> set[tuple[str, str, int, int]]:
        items = (await get(door, path + query, "ResultsAnswer"))["items"]
        return {(item["outcome"], item["termination"], item["seat"], item["matches"]) for item in items}

    before, after = {("loss", "crash", 0, 1)}, {("win", "time", 0, 1), ("draw", "decided", 1, 1)}
    assert await endings("") == before | after
    assert await endings("&version=1") == before
    assert await endings("&version=2+%3Cb%3E") == after
    assert await endings("&version=3") == set()
    fit = await door.arena.rating_fits.get(GAME, TIME_CLASS)
    compare = f"/bots/{old.bot_id}/compare?game={GAME}&time_class={TIME_CLASS}&one=2+%3Cb%3E&other="
    both = await get(door, f"{compare}1", "ComparisonAnswer")
    rated = {leader.version: place for place, leader in enumerate(fit.leaders) if leader.bot_id == old.bot_id}
    assert fit.assessment is not None
    found = fit.assessment.fit
    for label, version in zip(("2 <b>", "1"), both["versions"], strict=True):
        assert version["rating"] == pytest.approx(found.ratings[rated[label]])
        assert version["interval"] == pytest.approx(list(found.intervals[rated[label]]))
    assert both["difference"]["elo"] == pytest.approx(both["versions"][0]["rating"] - both["versions"][1]["rating"])
    missing = await get(door, f"{compare}3", "ComparisonAnswer")
    assert (missing["versions"][1]["rating"], missing["difference"]) == (None, None)
