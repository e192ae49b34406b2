# SPDX-License-Identifier: GPL-3.0-or-later
"""Tournaments in which bots also play against themselves, through real sockets."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from arena.connections.admission import hash_token, make_token
from arena.matches.sides import SECOND
from bots.built_in.kinds import catalogue
from bots.client import Client
from tests.arena.peers import ready
from tests.arena.tournaments.test_manager import over
from tests.web.door import Door, opened, unhurried
from tests.web.players import RawBot, connected
from tests.web.test_match import get
from tests.web.test_tournaments import cup, operator, post

STRATEGIES = ("tit-for-tat", "cooperator", "defector")


async def built_in(door: Door, name: str) -> str:
    """Register a built-in bot and return its token."""
    token = make_token()
    await door.arena.store.bots.admit_built_in(name, hash_token(token))
    return token


async def started(door: Door, settings: dict[str, Any]) -> int:
    """Create a tournament over the API, start it, and return its number."""
    headers = await operator(door)
    status, made = await post(door, "/tournaments", settings, headers)
    assert status == 200, made
    await post(door, f"/tournaments/{made['id']}/status", {"status": "running"}, headers)
    return int(made["id"])


async def test_a_tournament_of_the_dilemma_meets_itself_and_has_shares(tmp_path: Path) -> None:
    settings = unhurried("dilemma", ladder=False, built_in_move_time=0.0)
    async with opened(tmp_path, settings) as door, AsyncExitStack() as stack:
        await ready(door.arena)
        for name in STRATEGIES:
            await stack.enter_async_context(
                Client(catalogue()[name].make, url=door.play_url, token=await built_in(door, name), games=["dilemma"])
            )
        # 10 rounds of two choices each
        number = await started(door, cup(*STRATEGIES, game="dilemma", games=1, rated=True, adjudication={"plies": 20}))
        shown = await over(door.arena, number)
        assert (shown.own_play, shown.played, shown.games_planned) == (True, 6, 6)
        # against tit-for-tat, cooperator and defector: self-play counts, once
        found = {line.name: line.payoff for line in shown.standings}
        assert found == pytest.approx({"tit-for-tat": 69 / 3, "cooperator": 60 / 3, "defector": 74 / 3})
        assert [line.games for line in shown.standings] == [3, 3, 3]
        shares = await get(door, f"/tournaments/{number}/shares", "SharesView")
        assert shares["payoffs"] == [[30, 30, 9], [30, 30, 0], [14, 50, 10]]
        matches = await door.arena.store.tournaments.matches(number)
        own = [match for match in matches if match.players[0].bot == match.players[1].bot]
        assert (len(matches), len(own), any(match.rated for match in own)) == (6, 3, False)
        listed = await get(door, f"/matches?bot={own[0].players[0].bot_id}", "MatchesAnswer")
        assert [each["id"] for each in listed["items"]].count(own[0].id) == 1


async def test_both_seats_of_one_connection_have_numbers_of_their_own(tmp_path: Path) -> None:
    """A raw built-in bot plays Kuhn poker against itself: the messages of a seat tell nothing of the other seat's."""
    async with opened(tmp_path, unhurried("kuhn", ladder=False, built_in_move_time=0.0)) as door:
        await ready(door.arena)
        token = await built_in(door, "twin")
        other = await built_in(door, "other")
        settings = cup("twin", "other", game="kuhn", games=1, format={"kind": "round-robin", "own_play": True})
        async with connected(door.play_url) as bot, connected(door.play_url) as second:
            await second.hello(other, ["kuhn"], ladder=False)
            await bot.hello(token, ["kuhn"], ladder=False, capacity=2)
            number = await started(door, settings)
            heard: dict[int, list[dict[str, Any]]] = {}
            playing = [asyncio.create_task(checking(second, {})), asyncio.create_task(checking(bot, heard))]
            shown = await over(door.arena, number)
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
        assert shown.played == 3
        (match,) = [
            each.id
            for each in await door.arena.store.tournaments.matches(number)
            if [player.bot for player in each.players] == ["twin", "twin"]
        ]
        assert {one for one in heard if one % SECOND == match} == {match, match + SECOND}
        for place, told in enumerate((heard[match], heard[match + SECOND])):
            assert {message["seat"] for message in told if "seat" in message} == {place}
            assert [message["type"] for message in told].count("over") == 1
            assert {"match", "turn", "accepted"} <= {message["type"] for message in told}
        # a match between two bots has no second number
        (usual,) = {one for one in heard if one % SECOND != match}
        assert usual < SECOND


async def checking(bot: RawBot, heard: dict[int, list[dict[str, Any]]]) -> None:
    """Play the first legal move for ever, and keep the messages by the number of the match."""
    while True:
        message = await bot.hear()
        if "match" in message:
            heard.setdefault(message["match"], []).append(message)
        if message["type"] == "turn":
            await bot.move(message, message["legal_moves"][0])


async def test_a_bot_from_outside_does_not_play_against_itself(tmp_path: Path) -> None:
    async with opened(tmp_path, unhurried("dilemma,tictactoe", ladder=False)) as door:
        headers = await operator(door)
        await built_in(door, "tit-for-tat")
        await door.register("stranger")
        names = ("tit-for-tat", "stranger")
        asked = {"kind": "round-robin", "own_play": True}
        status, answer = await post(door, "/tournaments", cup(*names, game="dilemma", format=asked), headers)
        assert (status, answer["error"]["field"]) == (400, "format.own_play")
        assert "stranger cannot play against itself: only built-in bots" in answer["error"]["message"]
        for game, bots in (("dilemma", names), ("tictactoe", ("tit-for-tat", "other"))):
            await built_in(door, "other")
            _, made = await post(door, "/tournaments", cup(*bots, game=game), headers)
            assert (await get(door, f"/tournaments/{made['id']}", "TournamentView"))["own_play"] is False
        # a number of a second seat that the bot does not play is the number of no match
        async with connected(door.play_url) as bot:
            token = await built_in(door, "third")
            await bot.hello(token, ["tictactoe"], ladder=False)
            await bot.say("sync", match=SECOND + 1)
            assert (await bot.hear())["code"] == "unknown-match"
