# SPDX-License-Identifier: GPL-3.0-or-later
"""People play over the REST API and the bots' socket, as the page does."""

import asyncio
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from arena.features.people.part import PeoplePart
from arena.store.rows import MatchRow
from tests.arena.peers import PATIENCE, ready
from tests.features.accounts.people import browser, signed_in
from tests.features.people.conftest import GAMES, SLOW
from tests.features.people.seats import opponent, page, resign, sit_down
from tests.web.door import Door, opened, unhurried
from tests.web.players import RawBot, connected, first_move

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def row_of(door: Door, match: int) -> MatchRow:
    """Return a stored match."""
    row = await door.arena.store.matches.row(match)
    assert row is not None
    return row


async def drained(socket: RawBot) -> None:
    """Read messages until the socket is closed, which raises ConnectionClosed."""
    while True:
        await socket.hear()


@pytest.mark.parametrize("game", GAMES.split(","))
async def test_a_guest_plays_every_game_to_its_end(door: Door, game: str) -> None:
    """The moves are drawn; the match is an unrated one that everybody can watch."""
    random = Random(7)
    async with browser(door) as guest, opponent(door, [game], lambda turn: random.choice(turn["legal_moves"])) as bot:
        seat = await sit_down(guest, game, bot, seat=1)
        async with page(door, seat, game) as person:
            state = await person.hear("match")
            assert (state["match"], state["seat"], state["rated"]) == (seat["match"], 1, False)
            plies = 0
            while seat["match"] not in person.over:
                message = await person.hear("turn", "over", "error")
                if message["type"] == "turn":
                    plies += 1
                    if plies > 12:
                        await person.say("resign", match=seat["match"])
                        await person.hear("over")
                    else:
                        await person.move(message, random.choice(message["legal_moves"]))
                assert message["type"] != "error", message
        row = await row_of(door, seat["match"])
        assert (row.kind, row.rated, row.info_release, row.players[1].bot) == ("people", False, "end", seat["name"])
        assert row.result in ("1-0", "0-1", "1/2-1/2")
        assert row.players[0].rating_after is None, "a bot's rating never moves by a person's game"
        status, answer = await guest.get(f"/matches/{seat['match']}")
        assert (status, answer["players"][1]["name"]) == (200, seat["name"])
        assert answer["players"][1]["rating"] is None


async def test_illegal_and_late_moves_are_refused_and_lose_nothing(door: Door) -> None:
    async with browser(door) as guest, opponent(door, ["tictactoe"]) as bot:
        seat = await sit_down(guest, "tictactoe", bot, seat=0)
        async with page(door, seat, "tictactoe") as person:
            turn = await person.hear("turn")
            await person.move(turn, "no move")
            assert (await person.hear("error"))["code"] == "illegal-move"
            await person.say("move", match=seat["match"], ply=5, move="b2")
            assert (await person.hear("error"))["code"] == "not-your-turn"
            await person.move(turn, first_move(turn))
            assert (await person.hear("accepted", "error", "over"))["type"] == "accepted"
            again = await person.hear("turn")
            await person.say("move", match=seat["match"], ply=turn["ply"], move="zz")
            assert (await person.hear("error"))["code"] == "not-your-turn"
            await person.move(again, first_move(again))
            assert (await person.hear("accepted", "error", "over"))["type"] == "accepted"
            await person.say("resign", match=seat["match"])
            assert (await person.hear("over"))["termination"] == "resignation"


async def test_the_newest_page_has_the_seat(door: Door) -> None:
    async with browser(door) as guest, opponent(door, ["tictactoe"]) as bot:
        seat = await sit_down(guest, "tictactoe", bot, seat=0)
        async with page(door, seat, "tictactoe") as first:
            await first.hear("turn")
            me = await guest.get("/people/me")
            assert me == (200, {"name": seat["name"], "account": False, "match": seat["match"]})
            status, again, _ = await guest.post("/people/seat")
            assert (status, again["match"], again["name"]) == (200, seat["match"], seat["name"])
            async with page(door, again, "tictactoe") as second:
                turn = await second.hear("turn")
                with pytest.raises(ConnectionClosed) as closed:
                    await drained(first)
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code in (4403, 4409), "the seat is used elsewhere"
                await second.move(turn, first_move(turn))
                await second.hear("accepted")
                await second.say("resign", match=seat["match"])
                await second.hear("over")


async def test_nobody_moves_for_another_person(door: Door) -> None:
    async with browser(door) as one, browser(door) as other, opponent(door, ["tictactoe"]) as bot:
        seat = await sit_down(one, "tictactoe", bot, seat=0)
        status, _, _ = await other.post("/people/seat")
        assert status == 404, "a person without a seat gets no token"
        theirs = await sit_down(other, "tictactoe", bot, seat=0)
        assert theirs["name"] != seat["name"]
        async with page(door, theirs, "tictactoe") as person:
            await person.hear("turn")
            await person.say("move", match=seat["match"], ply=0, move="b2")
            assert (await person.hear("error"))["code"] == "unknown-match"
            await person.say("resign", match=seat["match"])
            assert (await person.hear("error"))["code"] == "unknown-match"
        await resign(door, theirs, "tictactoe")
        await resign(door, seat, "tictactoe")


async def test_a_person_plays_one_match_and_no_challenges(door: Door) -> None:
    async with browser(door) as guest, opponent(door, ["tictactoe"]) as bot:
        seat = await sit_down(guest, "tictactoe", bot)
        status, answer, _ = await guest.post("/people/matches", {"game": "tictactoe", "opponent": bot})
        assert (status, answer["error"]["code"]) == (409, "conflict")
        assert f"match {seat['match']}" in answer["error"]["message"]
        assert ("tictactoe", (await row_of(door, seat["match"])).start) in door.arena.seats_of_people
        status, playing = await guest.get("/people")
        assert seat["match"] in [each["match"] for each in playing["items"]]
        async with page(door, seat, "tictactoe") as person:
            await person.say("challenge", opponent=bot, game="tictactoe", rated=True)
            assert (await person.hear("error"))["code"] == "unexpected"
        await resign(door, seat, "tictactoe")
        status, listed = await guest.get("/bots?limit=500")
        assert seat["name"] not in [each["name"] for each in listed["items"]], "lists of bots leave people out"


async def test_another_match_starts_at_once_after_the_end_of_one(door: Door) -> None:
    async with browser(door) as guest, opponent(door, ["tictactoe"], capacity=1) as bot:
        for _ in range(3):
            seat = await sit_down(guest, "tictactoe", bot)
            await resign(door, seat, "tictactoe")


async def test_only_bots_that_accept_people_are_opponents(door: Door) -> None:
    async with browser(door) as guest, opponent(door, ["tictactoe"], people=False) as shy:
        status, answer = await guest.get("/people/opponents")
        assert (status, shy in [each["name"] for each in answer["items"]]) == (200, False)
        for order in ({"opponent": shy}, {"opponent": "nobody"}, {"opponent": shy, "game": "whist"}):
            status, answer, _ = await guest.post("/people/matches", {"game": "tictactoe"} | order)
            assert status == 409, answer
    async with browser(door) as guest, opponent(door, ["tictactoe"]) as bot:
        status, answer, _ = await guest.post("/people/matches", {"game": "tictactoe", "opponent": bot, "clock": "1+0"})
        assert (status, "choose one of these clocks" in answer["error"]["message"]) == (409, True)


async def test_a_page_of_another_site_starts_nothing(door: Door) -> None:
    async with browser(door) as guest, opponent(door, ["tictactoe"]) as bot:
        for path in ("/people/matches", "/people/seat"):
            order = {"game": "tictactoe", "opponent": bot} if path.endswith("matches") else {}
            status, _, _ = await guest.post(path, order, {"Origin": "https://evil.example"})
            assert status == 403


async def test_the_cookie_of_a_guest_is_hidden_from_scripts_and_other_sites(door: Door) -> None:
    async with browser(door) as guest, opponent(door, ["tictactoe"]) as bot:
        order = {"game": "tictactoe", "opponent": bot}
        status, seat, headers = await guest.post("/people/matches", order)
        assert status == 200, seat
        cookies = {each.partition("=")[0]: each for each in headers.getall("Set-Cookie")}
        assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(cookies["arena_guest"].split("; "))
        assert cookies["arena_seat"].startswith(f"arena_seat={seat['match']};")
        await resign(door, seat, "tictactoe")


async def test_an_account_has_a_rating_and_its_opponent_keeps_its_own(door: Door) -> None:
    async with signed_in(door) as (person, name), opponent(door, ["tictactoe"]) as bot:
        recorded: asyncio.Queue[int] = asyncio.Queue()
        part = door.arena.part(PeoplePart)
        part.on_settled = recorded.put_nowait
        seat: dict[str, Any] = {}
        for clock in ("170+0.1", "unlimited"):
            seat = await sit_down(person, "tictactoe", bot, seat=0, clock=clock)
            assert seat["name"] == f"@{name}"
            await resign(door, seat, "tictactoe")
            while await recorded.get() != seat["match"]:
                pass
        _, found = await person.get("/people/ratings?game=tictactoe&time_class=bullet")
        (own,) = [each for each in found["items"] if each["name"] == f"@{name}"]
        assert (own["games"], own["losses"], own["rating"]) == (1, 1, pytest.approx(1480))
        known = await door.arena.store.bots.named(bot)
        assert known is not None
        assert await door.arena.store.ratings.of_bot(known.id) == []
        assert await part.records.settle(seat["match"], None) is None, "a match without a clock does not count"


async def test_models_learn_no_games_of_people(door: Door) -> None:
    async with browser(door) as guest, opponent(door, ["tictactoe"]) as bot:
        seat = await sit_down(guest, "tictactoe", bot)
        await resign(door, seat, "tictactoe")
        known = await door.arena.store.bots.named(bot)
        assert known is not None
        path = f"/api/v1/matches/export?format=jsonl&game=tictactoe&bot={known.id}"
        async with door.http.get(path) as every, door.http.get(f"{path}&people=false") as others:
            assert (await every.text()).count("\n") == 1
            assert await others.text() == ""


async def test_seats_of_guests_are_limited_and_become_free(tmp_path: Path) -> None:
    settings = unhurried("tictactoe", ladder=False, features=(SLOW,))
    async with opened(tmp_path, settings) as door:
        await ready(door.arena)
        part = door.arena.part(PeoplePart)
        part.settings = replace(SLOW, guest_seats=1)
        async with browser(door) as one, browser(door) as other, opponent(door, ["tictactoe"]) as bot:
            seat = await sit_down(one, "tictactoe", bot)
            status, answer, headers = await other.post("/people/matches", {"game": "tictactoe", "opponent": bot})
            assert (status, answer["error"]["code"]) == (429, "too-many-requests")
            assert int(headers["Retry-After"]) > 0
            await resign(door, seat, "tictactoe")
            part.settings = replace(SLOW, guest_seats=1, guest_idle=0.0)
            theirs = await sit_down(other, "tictactoe", bot)
            assert (theirs["name"], theirs["bot"]) == (seat["name"], seat["bot"]), "the seat is given again"
            status, _, _ = await one.post("/people/seat")
            assert status == 404, "the guest before has it no more"


async def test_a_match_goes_on_after_a_restart(tmp_path: Path) -> None:
    settings = unhurried("tictactoe", ladder=False, person_grace=PATIENCE, features=(SLOW,))
    async with opened(tmp_path, settings) as door:
        await ready(door.arena)
        name, token = await door.register("rival")
        async with browser(door) as guest, connected(door.play_url) as bot:
            await bot.hello(token, ["tictactoe"], people=True)
            seat = await sit_down(guest, "tictactoe", name, seat=0)
            async with page(door, seat, "tictactoe") as person:
                turn = await person.hear("turn")
                await person.move(turn, first_move(turn))
                await person.hear("accepted")
    async with opened(tmp_path, settings) as door:
        await ready(door.arena)
        async with connected(door.play_url) as bot, page(door, seat, "tictactoe") as person:
            state: dict[str, Any] = await person.hear("match")
            assert [move["move"] for move in state["moves"]] == [first_move(turn)]
            await bot.hello(token, ["tictactoe"], people=True)
            answer = await bot.hear("turn")
            await bot.move(answer, first_move(answer))
            await person.hear("turn")
            await person.say("resign", match=seat["match"])
            assert (await person.hear("over"))["result"] == "0-1"
