# SPDX-License-Identifier: GPL-3.0-or-later
"""What a seat saw of a match: the API returns it after the end, as the bot of that seat received it over its socket."""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.games import catalogue
from tests.arena.peers import PATIENCE, ready
from tests.web.door import Door, opened, unhurried
from tests.web.players import Message, RawBot
from tests.web.test_match import get
from tests.web.test_peepers import challenged, seated

IMPERFECT = [game.name for game in catalogue().values() if not game.perfect_information]
TURNS = 14
"""Turns after which a bot resigns."""


@dataclass
class Told:
    """The messages that the bots of both seats received."""

    match: int = 0
    positions: tuple[dict[int, str], dict[int, str]] = field(default_factory=lambda: ({}, {}))
    """By seat and ply: the position of a turn."""
    last_moves: tuple[dict[int, str | None], dict[int, str | None]] = field(default_factory=lambda: ({}, {}))
    """By seat and ply: the last move of a turn."""
    refusals: list[tuple[int, Any]] = field(default_factory=list)
    """Answers about what the seats see, before the end."""


async def got(door: Door, path: str) -> tuple[int, Any]:
    """Return the status and the answer of a path of the API."""
    async with door.http.get(f"http://{door.address}/api/v1{path}") as response:
        return response.status, await response.json()


async def play(bot: RawBot, told: Told, door: Door, chance: Random) -> None:
    """Answer turns at random; the bot that is asked after TURNS turns resigns."""
    while True:
        message = await bot.hear("turn", "over")
        if message["type"] == "over":
            return
        told.match = message["match"]
        seat, ply = message["seat"], message["ply"]
        told.positions[seat][ply] = message["position"]
        told.last_moves[seat][ply] = message.get("last_move")
        if sum(map(len, told.positions)) < TURNS:
            await bot.move(message, chance.choice(message["legal_moves"]))
        elif not told.refusals:
            paths = [f"/matches/{told.match}{more}?seat={each}" for more in ("", "/moves") for each in (0, 1)]
            told.refusals += [await got(door, path) for path in paths]
            await bot.say("resign", match=told.match)


async def shown(door: Door, match: int, seat: int) -> tuple[Message, list[Message]]:
    """Return the record of a match as a seat saw it, and its moves in pages of three."""
    record = await get(door, f"/matches/{match}?seat={seat}&limit=3", "MatchDetailAnswer")
    moves: list[Message] = record["moves"]
    after = record["next"]
    while after is not None:
        page = await get(door, f"/matches/{match}/moves?seat={seat}&limit=3&after={after}", "MovesAnswer")
        assert page["view"] == seat
        moves += page["items"]
        after = page["next"]
    return record, moves


async def test_after_the_end_everybody_reads_what_each_seat_received(tmp_path: Path) -> None:
    within = PATIENCE * (1 + len(IMPERFECT))
    async with opened(tmp_path, unhurried(",".join(IMPERFECT), ladder=False)) as door, asyncio.timeout(within):
        await ready(door.arena)
        for number, game in enumerate(IMPERFECT):
            told, chance = Told(), Random(number)
            async with seated(door, f"one-{number}", f"other-{number}", game=game) as bots:
                await challenged(bots[0], bots[1], f"other-{number}", game)
                await asyncio.gather(*(play(bot, told, door, chance) for bot in bots))
            for status, answer in told.refusals:
                assert status == 400
                assert answer["error"]["message"] == (
                    f"parameter 'seat': what a seat saw of match {told.match} is secret until its end"
                ), game
            assert len(told.refusals) == 4
            for seat in (0, 1):
                record, moves = await shown(door, told.match, seat)
                assert (record["view"], len(moves)) == (seat, record["plies"])
                seen = [record["observation"], *(move["observation"] for move in moves)]
                texts = [None, *(move["move"] for move in moves)]
                assert told.positions[seat], game
                for ply, position in told.positions[seat].items():
                    # of the last choice at the same time, nobody's was made
                    assert seen[min(ply, len(moves))] == position, (game, seat, ply)
                for ply, text in told.last_moves[seat].items():
                    # where both choose at the same time, the ply of seat 1 is after the choice of seat 0
                    both = seat == 1 and catalogue()[game].simultaneous
                    assert text in {texts[min(ply, len(moves))], *([texts[ply - 1]] if both else [])}, (game, seat, ply)
            everybody = await get(door, f"/matches/{told.match}", "MatchDetailAnswer")
            assert (everybody["view"], everybody["observation"]) == (None, None)
            assert not any("observation" in move for move in everybody["moves"])


async def test_views_are_refused_where_both_seats_see_everything(tmp_path: Path) -> None:
    async with opened(tmp_path, unhurried("tictactoe", ladder=False)) as door:
        await ready(door.arena)
        async with seated(door, "one", "other") as bots:
            match = await challenged(bots[0], bots[1], "other")
            await bots[0].say("resign", match=match)
            await bots[0].hear("over")
            for path in (f"/matches/{match}?seat=0", f"/matches/{match}/moves?seat=1"):
                status, answer = await got(door, path)
                assert (status, answer["error"]["message"]) == (
                    400,
                    "parameter 'seat': both seats see everything in tictactoe; leave out the seat",
                )
        for path, why in (
            ("/matches/1?seat=2", "'seat' must be 1 or less"),
            ("/matches/99?seat=0", "no match has the number 99"),
        ):
            status, answer = await got(door, path)
            assert (status in (400, 404), why in answer["error"]["message"]) == (True, True), answer


@pytest.mark.parametrize("seat", [0, 1])
async def test_pictures_show_what_a_seat_saw(tmp_path: Path, seat: int) -> None:
    async with opened(tmp_path, unhurried("kuhn", ladder=False)) as door:
        await ready(door.arena)
        async with seated(door, "one", "other", game="kuhn") as bots:
            match = await challenged(bots[0], bots[1], "other", "kuhn")
            address = f"http://{door.address}/matches/{match}/position.svg?ply=1"
            async with door.http.get(f"{address}&seat={seat}") as response:
                assert response.status == 400
            await bots[0].say("resign", match=match)
            await bots[0].hear("over")
        pictures = []
        for more in ("", f"&seat={seat}"):
            async with door.http.get(address + more) as response:
                pictures.append(await response.text())
        assert ["hidden card" in picture for picture in pictures] == [False, True]
