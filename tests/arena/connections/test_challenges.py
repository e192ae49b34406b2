# SPDX-License-Identifier: GPL-3.0-or-later
import asyncio
from typing import Any, NoReturn

import pytest

from arena.application import Arena
from arena.store import errors
from arena.store.errors import StoreError
from tests.arena.clock import standing_clock
from tests.arena.conftest import CONTROL, OpenArena
from tests.arena.peers import Peer, first_move, seat, until


async def two(arena: Arena, **more: Any) -> tuple[Peer, Peer]:
    return await seat(arena, "Challenger", ["tictactoe", "nim"], **more), await seat(
        arena, "Opponent", ["tictactoe"], **more
    )


async def test_an_unrated_match_at_a_time_control_of_ones_own(open_arena: OpenArena) -> None:
    arena = await open_arena()
    one, other = await two(arena)
    one.send(type="challenge", opponent="opponent", game="tictactoe", time_control="3+0.5")
    opened, asked = await one.next("challenge-opened"), await other.next("challenged")
    assert opened["challenge"] == asked["challenge"]
    assert (asked["opponent"]["name"], asked["rated"], asked["time_control"]) == ("Challenger", False, "3+0.5")
    other.send(type="answer-challenge", challenge=asked["challenge"], accept=True)
    closed = await one.next("challenge-closed")
    assert closed["outcome"] == "accepted"
    (ended,), _ = await asyncio.gather(one.play(), other.play())
    assert [ended["match"]] == closed["matches"]
    stored = await arena.store.matches.get(ended["match"])
    assert stored is not None
    assert (stored.row.kind, stored.row.rated, stored.row.time_control) == ("challenge", False, "3+0.5")


async def test_a_rated_challenge_is_a_colour_swapped_pair(open_arena: OpenArena) -> None:
    arena = await open_arena()
    one, other = await two(arena)
    one.send(type="challenge", opponent="Opponent", game="tictactoe", rated=True)
    asked = await other.next("challenged")
    other.send(type="answer-challenge", challenge=asked["challenge"], accept=True)
    ends, _ = await asyncio.gather(one.play(matches=2), other.play(matches=2))
    rows = [await arena.store.matches.get(end["match"]) for end in ends]
    assert rows[0] is not None
    assert rows[1] is not None
    assert (rows[1].row.pair, rows[1].row.opening) == (rows[0].row.id, rows[0].row.opening)
    assert all(end["rating"] for end in ends)


async def test_declined_withdrawn_and_expired(open_arena: OpenArena) -> None:
    arena = await open_arena(challenge_expiry=60.0)
    one, other = await two(arena)
    outcomes = []
    for end in ("decline", "withdraw", "expire"):
        one.send(type="challenge", opponent="Opponent", game="tictactoe")
        number = (await other.next("challenged"))["challenge"]
        if end == "decline":
            other.send(type="answer-challenge", challenge=number, accept=False)
        elif end == "withdraw":
            one.send(type="withdraw-challenge", challenge=number)
        else:
            with standing_clock() as clock:
                await clock.go(60.0)
        closed = [await peer.next("challenge-closed") for peer in (one, other)]
        assert closed[0] == closed[1]
        outcomes.append(closed[0]["outcome"])
        other.send(type="answer-challenge", challenge=number, accept=True)
        assert (await other.next("error"))["code"] == "unknown-challenge"
    assert outcomes == ["declined", "withdrawn", "expired"]


async def test_a_challenge_ends_when_its_bot_leaves(open_arena: OpenArena) -> None:
    one, other = await two(await open_arena())
    one.send(type="challenge", opponent="Opponent", game="tictactoe")
    await other.next("challenged")
    other.drop()
    assert (await one.next("challenge-closed"))["outcome"] == "impossible"


@pytest.mark.parametrize(
    ("terms", "code", "words"),
    [
        ({"opponent": "Nobody", "game": "tictactoe"}, "unknown-bot", "connected"),
        ({"opponent": "Challenger", "game": "tictactoe"}, "challenge-refused", "itself"),
        ({"opponent": "Opponent", "game": "ludo"}, "unknown-game", "does not offer"),
        ({"opponent": "Opponent", "game": "nim"}, "challenge-refused", "does not accept challenges in nim"),
        (
            {"opponent": "Opponent", "game": "tictactoe", "time_control": "soon"},
            "challenge-refused",
            "not a time control",
        ),
        ({"opponent": "Opponent", "game": "tictactoe", "time_control": "9999+999"}, "challenge-refused", "too long"),
        (
            {"opponent": "Opponent", "game": "tictactoe", "time_control": "99+0", "rated": True},
            "challenge-refused",
            CONTROL,
        ),
    ],
)
async def test_impossible_challenges_are_refused_with_the_reason(
    open_arena: OpenArena, terms: dict[str, Any], code: str, words: str
) -> None:
    one, _ = await two(await open_arena(games="tictactoe,nim"))
    one.send(type="challenge", **terms)
    error = await one.next("error")
    assert error["code"] == code
    assert words in error["message"]


async def test_two_bots_that_stop_reading_with_open_challenges_harm_no_other(open_arena: OpenArena) -> None:
    arena = await open_arena(outbox_messages=12, ladder=False)
    player, cheat, friend = [await seat(arena, name, ["tictactoe"], capacity=8) for name in ("one", "two", "three")]
    sides = arena.roster.named("one"), arena.roster.named("two")
    assert sides[0] is not None
    assert sides[1] is not None
    tictactoe = arena.registry.games["tictactoe"]
    match = await arena.conductor.meet(tictactoe, (sides[0], sides[1]), kind="challenge", rated=False)
    for _ in range(3):
        cheat.send(type="challenge", opponent="three", game="tictactoe")
        await friend.next("challenged")
    for peer in (friend, cheat):
        peer.reading.cancel()
        await asyncio.wait({peer.reading})
        for _ in range(12):
            peer.send(type="sync", match=99_999)
    assert not cheat.connection.over
    turn = await player.next("turn")
    player.send(type="move", match=match, ply=turn["ply"], move=first_move(turn))
    await until(lambda: cheat.connection.over and friend.connection.over)
    again = await seat(arena, "four", ["tictactoe"])
    assert again.connection.open
    referee = arena.conductor.referee(match)
    assert referee is not None, "the match goes on: its bot may come back"
    assert referee.match.ending is None


async def test_a_bot_that_takes_no_challenges_is_not_bothered(open_arena: OpenArena) -> None:
    one, other = await two(await open_arena())
    other.send(type="availability", ladder=True, challenges=False)
    one.send(type="challenge", opponent="Opponent", game="tictactoe")
    assert (await one.next("error"))["code"] == "challenge-refused"
    assert all(message["type"] != "challenged" for message in other.log)


async def test_a_bot_has_only_so_many_challenges_open(open_arena: OpenArena) -> None:
    one, _ = await two(await open_arena(challenges_open=2))
    for _ in range(3):
        one.send(type="challenge", opponent="Opponent", game="tictactoe")
    assert "limit of 2" in (await one.next("error"))["message"]


@pytest.mark.parametrize("back", ["withdraw", "drop"])
async def test_challenges_taken_back_count_until_they_would_have_expired(open_arena: OpenArena, back: str) -> None:
    arena = await open_arena(challenges_open=2)
    one, _ = await two(arena)
    for _ in range(2):
        one.send(type="challenge", opponent="Opponent", game="tictactoe")
        number = (await one.next("challenge-opened"))["challenge"]
        if back == "withdraw":
            one.send(type="withdraw-challenge", challenge=number)
        else:
            one.drop()
            newer = Peer(arena)
            newer.token = one.token
            await newer.hello(one.token, ["tictactoe"])
            one = newer
    one.send(type="challenge", opponent="Opponent", game="tictactoe")
    assert "limit of 2" in (await one.next("error", "challenge-opened"))["message"]


async def test_a_challenge_taken_back_is_forgotten_in_time(open_arena: OpenArena) -> None:
    one, _ = await two(await open_arena(challenges_open=1, challenge_expiry=60.0))
    for _ in range(2):
        one.send(type="challenge", opponent="Opponent", game="tictactoe")
        number = (await one.next("challenge-opened", "error"))["challenge"]
        with standing_clock() as clock:
            one.send(type="withdraw-challenge", challenge=number)
            await clock.go(60.0)


async def test_a_bot_whose_hands_are_full_is_not_overloaded(open_arena: OpenArena) -> None:
    arena = await open_arena()
    one, other = await two(arena)
    third = await seat(arena, "Third", ["tictactoe"])
    for peer in one, third:
        peer.send(type="challenge", opponent="Opponent", game="tictactoe")
    for _ in range(2):
        asked = await other.next("challenged")
        other.send(type="answer-challenge", challenge=asked["challenge"], accept=True)
    assert (await one.next("challenge-closed"))["outcome"] == "accepted"
    assert (await third.next("challenge-closed"))["outcome"] == "impossible"


async def test_a_match_that_could_not_begin_is_void_and_nobody_waits_for_it(
    open_arena: OpenArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(errors, "WAITS", (0.01,))
    arena = await open_arena()
    one, other = await two(arena)

    async def failing(match_id: int) -> NoReturn:
        raise StoreError("the records cannot be read")

    monkeypatch.setattr(arena.store.matches, "get", failing)
    one.send(type="challenge", opponent="Opponent", game="tictactoe")
    asked = await other.next("challenged")
    other.send(type="answer-challenge", challenge=asked["challenge"], accept=True)
    assert (await one.next("challenge-closed"))["outcome"] == "impossible"
    (row,) = (await arena.store.matches.page("finished")).items
    assert (row.result, row.termination) == ("*", "void")
    assert all(arena.conductor.free(each) for each in arena.roster)


async def resigned(one: Peer, other: Peer) -> None:
    """Play a rated challenge: the first resigns both matches."""
    one.send(type="challenge", opponent="Opponent", game="tictactoe", rated=True)
    asked = await other.next("challenged")
    other.send(type="answer-challenge", challenge=asked["challenge"], accept=True)
    for _ in range(2):
        one.send(type="resign", match=(await one.next("match"))["match"])
        await asyncio.gather(one.next("over"), other.next("over"))


async def test_rated_challenges_of_two_bots_are_limited_by_the_day_also_after_a_restart(open_arena: OpenArena) -> None:
    arena = await open_arena(rated_challenges_per_day=2)
    one, other = await two(arena)
    for _ in range(2):
        await resigned(one, other)
    await arena.stop()
    await arena.store.close()
    again = await open_arena(rated_challenges_per_day=2)
    one_again, other_again = Peer(again), Peer(again)
    await one_again.hello(one.token, ["tictactoe"], version="fresh")
    await other_again.hello(other.token, ["tictactoe"])
    for peer, opponent in ((one_again, "Opponent"), (other_again, "Challenger")):
        peer.send(type="challenge", opponent=opponent, game="tictactoe", rated=True)
        error = await peer.next("error")
        assert error["code"] == "challenge-refused"
        assert "2 rated challenges in 24 hours" in error["message"]
    one_again.send(type="challenge", opponent="Opponent", game="tictactoe")
    assert (await other_again.next("challenged"))["rated"] is False


async def test_open_rated_challenges_count_and_those_declined_do_not(open_arena: OpenArena) -> None:
    one, other = await two(await open_arena(rated_challenges_per_day=1))
    for _ in range(2):
        one.send(type="challenge", opponent="Opponent", game="tictactoe", rated=True)
        asked = await other.next("challenged")
        other.send(type="challenge", opponent="Challenger", game="tictactoe", rated=True)
        assert (await other.next("error"))["code"] == "challenge-refused"
        other.send(type="answer-challenge", challenge=asked["challenge"], accept=False)
        await one.next("challenge-closed")
