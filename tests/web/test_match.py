# SPDX-License-Identifier: GPL-3.0-or-later
"""A rated pair of matches between two raw clients, seen by a spectator, and what the API tells of it afterwards."""

import asyncio
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.arena.peers import PATIENCE
from tests.web.door import Door
from tests.web.players import Message, connected, first_move, start_match
from web.api import openapi

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def get(door: Door, path: str, schema: str) -> Message:
    """Ask the API, and hold the answer against the schema that the OpenAPI document promises for it."""
    async with door.http.get(f"/api/v1{path}") as response:
        assert response.status == 200, await response.text()
        answer: Message = await response.json()
    document = openapi.document(door.application[openapi.DOCUMENTED])
    Draft202012Validator({**document, "$ref": f"#/components/schemas/{schema}"}).validate(answer)
    return answer


async def watch(door: Door, match: int, following: asyncio.Event) -> list[Message]:
    """Follow a match to its end and return all messages; ``following`` is set once it is followed."""
    told: list[Message] = []
    async with connected(door.watch_url) as spectator:
        await spectator.say("follow", match=match)
        while not told or ending_of(told[-1]) is None:
            told.append(await spectator.hear())
            following.set()
    return told


def ending_of(message: Message) -> Message | None:
    """Return the end of the match in a message; a snapshot has it where the spectator fell behind."""
    found: Message | None = message["seen"].get("ending") if message["type"] == "snapshot" else message.get("ending")
    return found


async def test_two_raw_clients_play_a_rated_pair(door: Door) -> None:
    (one_name, one_token), (other_name, other_token) = await door.register(), await door.register()
    async with connected(door.play_url) as one, connected(door.play_url) as other:
        welcome = await one.hello(one_token, ["tictactoe", "no such game"], version="2.1")
        assert welcome["games"] == ["tictactoe"]
        assert welcome["bot"] == one_name
        await other.hello(other_token, ["tictactoe"])
        match = await one.hear("match")
        assert match["rated"]
        assert {player["name"] for player in match["players"]} == {one_name, other_name}
        # of no other pair, which could begin as soon as this one ends
        for bot in (one, other):
            await bot.say("availability", ladder=False, challenges=False)
        following = asyncio.Event()
        watching = asyncio.create_task(watch(door, match["match"], following))
        async with asyncio.timeout(PATIENCE):
            await following.wait()
            await asyncio.gather(one.play(first_move, 2), other.play(first_move, 2))
            told = await watching
        await get(door, "/matches?status=live", "MatchesAnswer")

    first, second = sorted(one.over)
    for number in (first, second):
        assert one.over[number]["result"] == other.over[number]["result"]
        assert one.over[number]["score"] + other.over[number]["score"] == 1
        assert one.over[number]["rating"]["after"] + other.over[number]["rating"]["after"] == pytest.approx(3000)

    # the record has exactly the acknowledged moves
    answer = await get(door, f"/matches/{first}", "MatchDetailAnswer")
    acknowledged = {ply: move for number, ply, move in one.accepted + other.accepted if number == first}
    assert {move["ply"] - 1: move["move"] for move in answer["moves"] if not move.get("opening")} == acknowledged
    assert answer["result"] == one.over[first]["result"]
    assert answer["status"] == "finished"
    assert answer["plies"] == len(answer["moves"])
    assert answer["diagram"] == answer["moves"][-1]["diagram"]
    assert len(answer["diagram"]) == 9

    # the spectator saw the same, in order
    assert told[0]["type"] == "snapshot"
    seen = told[0]["moves"] + [message["made"] for message in told if message["type"] == "move-made"]
    if all(message["type"] != "snapshot" for message in told[1:]):
        assert [move["move"] for move in seen] == [move["move"] for move in answer["moves"]]
    ending = ending_of(told[-1])
    assert ending is not None
    assert ending["result"] == answer["result"]

    # colours were swapped over the same opening
    again = await get(door, f"/matches/{second}", "MatchDetailAnswer")
    assert again["pair"] == first
    assert [player["bot"] for player in again["players"]] == [player["bot"] for player in answer["players"]][::-1]
    assert again["opening"] == answer["opening"]

    # both are the series of their players
    series = await get(door, f"/matches/{second}/series", "SeriesAnswer")
    assert (series["twin"], series["previous"], series["next"]) == (first, first, None)
    assert series["wins"] + series["draws"] + series["losses"] == 2
    series = await get(door, f"/matches/{first}/series", "SeriesAnswer")
    assert (series["twin"], series["previous"], series["next"]) == (second, None, second)

    # and the ratings follow from both
    leaders = await get(door, "/leaderboard?game=tictactoe&system=elo&limit=500", "LeaderboardAnswer")
    lines = {line["bot"]["name"]: line for line in leaders["items"]}
    for bot, name in ((one, one_name), (other, other_name)):
        line = lines[name]
        assert line["games"] == 2
        assert line["wins"] + line["draws"] / 2 == bot.over[first]["score"] + bot.over[second]["score"]
        assert line["rating"] == pytest.approx(bot.over[second]["rating"]["after"])
        number = line["bot"]["id"]
        detail = await get(door, f"/bots/{number}", "BotDetailAnswer")
        assert detail["ratings"][0]["rating"] == line["rating"]
        history = await get(door, f"/bots/{number}/history?game=tictactoe", "HistoryAnswer")
        (met,) = (await get(door, f"/bots/{number}/opponents?game=tictactoe", "OpponentsAnswer"))["items"]
        assert (met["games"], met["wins"] + met["losses"] + met["draws"]) == (2, 2)
        assert met["score"] == pytest.approx((met["wins"] + met["draws"] / 2) / 2)
        assert [point["match"] for point in history["items"]] == [first, second]
        assert history["items"][-1]["rating"] == line["rating"]
        mine = await get(door, f"/matches?bot={number}", "MatchesAnswer")
        assert [match["id"] for match in mine["items"]] == [second, first]
        newest = await get(door, f"/matches?bot={number}&status=all&limit=1", "MatchesAnswer")
        older = await get(door, f"/matches?bot={number}&status=all&after={newest['next']}", "MatchesAnswer")
        assert newest["items"] + older["items"] == mine["items"]
        back = await get(door, f"/matches?bot={number}&status=all&before={older['previous']}", "MatchesAnswer")
        assert back["items"] == newest["items"]
        ended = mine["items"][0]["finished"]
        earlier = await get(door, f"/matches?bot={number}&until={ended!r}", "MatchesAnswer")
        assert [match["id"] for match in earlier["items"]] == [first]
    assert lines[one_name]["version"] == "2.1"
    await the_other_systems_agree(door, one_name, other_name)


async def the_other_systems_agree(door: Door, one: str, other: str) -> None:
    """What systems that know how sure they are tell of two bots that have played."""
    all_by_elo = await get(door, "/leaderboard?game=tictactoe&system=elo&limit=500", "LeaderboardAnswer")
    by_elo = {line["bot"]["name"]: line for line in all_by_elo["items"]}
    leaders: dict[str, Any] = {}
    for system in ("glicko-2", "bradley-terry"):
        leaders = await get(door, f"/leaderboard?game=tictactoe&system={system}&limit=500", "LeaderboardAnswer")
        assert (leaders["system"], leaders["most"]) == (system, None)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("web.api.leaderboard.MOST_LEADERS", len(leaders["items"]))
            full = await get(door, f"/leaderboard?game=tictactoe&system={system}", "LeaderboardAnswer")
        assert full["most"] == len(leaders["items"]), "there may be more players, with fewer games"
        standing = [(line["provisional"], -line["rating"]) for line in leaders["items"]]
        assert standing == sorted(standing)
        settled = [line["rank"] for line in leaders["items"] if not line["provisional"]]
        assert settled == list(range(1, len(settled) + 1))
        lines = {line["bot"]["name"]: line for line in leaders["items"]}
        for name in (one, other):
            low, high = lines[name]["interval"]
            assert low < lines[name]["rating"] < high
            assert lines[name]["provisional"]
            assert (lines[name]["rank"], lines[name]["ranks"]) == (None, None)
            assert lines[name]["elo"] == by_elo[name]["rating"]
        seen, after = [], ""
        while True:
            page = await get(door, f"/leaderboard?game=tictactoe&system={system}&limit=1{after}", "LeaderboardAnswer")
            seen += page["items"]
            if page["next"] is None:
                break
            after = f"&after={page['next']}"
        assert seen == leaders["items"]
    chosen = await get(door, "/leaderboard?game=tictactoe&limit=500", "LeaderboardAnswer")
    assert chosen == leaders, "Bradley-Terry is the default"
    order = await get(door, "/leaderboard/certainty?game=tictactoe&players=50", "CertaintyAnswer")
    names = [player["bot"]["name"] for player in order["players"]]
    first, second = names.index(one), names.index(other)
    assert order["games"][first][second] == order["games"][second][first] == 2
    assert order["points"][first][second] + order["points"][second][first] == 2
    assert order["superiority"][first][second] + order["superiority"][second][first] == pytest.approx(1)
    assert sum(player["mass"] for player in order["players"]) == pytest.approx(1)
    assert sum(player["share"] for player in order["players"]) == pytest.approx(1)


async def test_a_match_is_exported(door: Door) -> None:
    (_, token), (name, other_token) = await door.register(), await door.register()
    async with connected(door.play_url) as one, connected(door.play_url) as other:
        await one.hello(token, ["tictactoe"], ladder=False)
        await other.hello(other_token, ["tictactoe"], ladder=False)
        match, first, second = await start_match(one, other, name)
        await asyncio.gather(first.play(first_move), second.play(first_move))
    async with door.http.get(f"/api/v1/matches/{match}/export?format=jsonl") as response:
        assert response.status == 200
        assert "attachment" in response.headers["Content-Disposition"]
        record = await response.json(content_type=None)
    assert (record["game"], record["result"]) == ("tictactoe", first.over[match]["result"])
    played = sorted((ply, move) for _, ply, move in first.accepted + second.accepted)
    assert [move["move"] for move in record["moves"]] == [move for _, move in played]
    async with door.http.get(f"/api/v1/matches/{match}/export?format=pdn") as response:
        assert response.status == 400
        assert "choose one of: jsonl" in (await response.json())["error"]["message"]
