# SPDX-License-Identifier: GPL-3.0-or-later
"""Simultaneous moves on the server: both bots are asked at once, and neither learns the other's choice early."""

import asyncio

from arena.application import Arena
from arena.matches.states import RefereeState
from engine.match.events import Moved, decode_event
from tests.arena.clock import standing_clock
from tests.arena.conftest import OpenArena
from tests.arena.peers import Duel, Peer, duel, until

GAME = "dilemma"


async def opened(open_arena: OpenArena, **settings: object) -> Arena:
    return await open_arena(games=GAME, time_controls=f"{GAME}=170+0", **settings)


async def started(open_arena: OpenArena) -> Duel:
    return await duel(await opened(open_arena), GAME)


async def turns(game: Duel) -> tuple[int, int]:
    """Wait until both bots are asked; return the plies of their turns."""
    one, other = await game.first.next("turn"), await game.second.next("turn")
    return one["ply"], other["ply"]


def types(peer: Peer) -> list[str]:
    return [message["type"] for message in peer.log]


async def test_both_are_asked_and_hear_of_both_moves_when_both_are_in(open_arena: OpenArena) -> None:
    game = await started(open_arena)
    first, second = await turns(game)
    assert (first, second) == (0, 1)
    heard = list(types(game.second)), list(types(game.first))
    game.first.send(type="move", match=game.match, ply=first, move="C")
    game.first.send(type="sync", match=game.match)
    state = await game.first.next("match")
    assert (state["moves"], state["ply"]) == ([], 0), "not even the mover sees a move that is not made"
    assert (await game.stored()).events == []
    assert (types(game.second), types(game.first)) == (heard[0], [*heard[1], "match"])
    game.second.send(type="move", match=game.match, ply=second, move="D")
    accepted = [await peer.next("accepted") for peer in (game.first, game.second)]
    assert [each["ply"] for each in accepted] == [0, 1]
    moved = [decode_event(event.body) for event in (await game.stored()).events]
    assert [(each.seat, each.move) for each in moved if isinstance(each, Moved)] == [(0, "C"), (1, "D")]
    assert await turns(game) == (2, 3)


async def test_seat_1_may_choose_first(open_arena: OpenArena) -> None:
    game = await started(open_arena)
    first, second = await turns(game)
    game.second.send(type="move", match=game.match, ply=second, move="D")
    game.first.send(type="move", match=game.match, ply=first, move="C")
    assert (await game.first.next("turn"))["position"] == (await game.second.next("turn"))["position"]


async def test_a_second_answer_changes_nothing(open_arena: OpenArena) -> None:
    game = await started(open_arena)
    first, second = await turns(game)
    game.first.send(type="move", match=game.match, ply=first, move="C")
    for ply, move in ((first, "D"), (second, "D"), (first, "C")):
        game.first.send(type="move", match=game.match, ply=ply, move=move)
        assert (await game.first.next("error"))["code"] == "not-your-turn"
    game.second.send(type="move", match=game.match, ply=first, move="C")
    assert (await game.second.next("error"))["code"] == "not-your-turn"
    game.second.send(type="move", match=game.match, ply=second, move="C")
    await game.first.next("accepted")
    assert [move["move"] for move in (await synced(game))["moves"]] == ["C", "C"]


async def synced(game: Duel) -> dict[str, list[dict[str, str]]]:
    game.first.send(type="sync", match=game.match)
    return await game.first.next("match")


async def test_an_illegal_choice_loses_although_the_other_has_not_chosen(open_arena: OpenArena) -> None:
    game = await started(open_arena)
    _, second = await turns(game)
    game.second.send(type="move", match=game.match, ply=second, move="X")
    one, other = await game.over()
    assert (one["score"], other["score"], one["termination"]) == (1.0, 0.0, "illegal move")


async def test_only_the_clock_of_the_bot_that_has_not_chosen_runs_out(open_arena: OpenArena) -> None:
    arena = await opened(open_arena, lag_grace=0.0)
    with standing_clock() as clock:
        game = await duel(arena, GAME, control="5+0")
        _, second = await turns(game)
        await clock.go(2.0)
        game.second.send(type="move", match=game.match, ply=second, move="D")
        await asyncio.sleep(0)
        await clock.go(3.0)
        await clock.go(0.003)
        one, other = await game.over()
    assert (one["score"], other["score"], one["termination"]) == (0.0, 1.0, "time")


async def test_a_choice_waits_for_a_bot_that_lost_its_connection(open_arena: OpenArena) -> None:
    game = await started(open_arena)
    first, second = await turns(game)
    game.first.send(type="move", match=game.match, ply=first, move="C")
    game.first.drop()
    newer = Peer(game.arena)
    await newer.hello(game.first.token, [GAME])
    assert (await newer.next("match"))["ply"] == 0
    game.second.send(type="move", match=game.match, ply=second, move="D")
    assert (await newer.next("accepted", "turn"))["type"] == "accepted", "it is not asked again"
    assert (await newer.next("turn"))["ply"] == 2


async def test_a_whole_match_is_played_and_both_get_points(open_arena: OpenArena) -> None:
    game = await started(open_arena)
    await asyncio.gather(game.first.play(lambda turn: "C"), game.second.play(lambda turn: "D"))
    row = (await game.stored()).row
    assert (row.result, row.payoffs) == ("0-1", (0.0, 1000.0))
    referee = game.arena.conductor.referee(game.match)
    await until(lambda: referee is None or referee._state is RefereeState.OVER)
