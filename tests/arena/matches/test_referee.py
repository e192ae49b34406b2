# SPDX-License-Identifier: GPL-3.0-or-later
import asyncio
import gc
import time
import weakref
from typing import Any, NoReturn

import pytest

from arena import suspension
from arena.application import Arena
from arena.records.verification import verify
from arena.store import errors
from arena.store.errors import StoreError
from arena.store.rows import FinishedMatch, NewMatch, StoredMatch
from engine.match.events import Ended, Moved, decode_event
from tests.arena.clock import Suspended, standing_clock, suspend
from tests.arena.conftest import OpenArena
from tests.arena.peers import Duel, Message, Peer, duel, register, seat, until


async def again(game: Duel, peer: Peer) -> Peer:
    """Connect the bot of a peer once more."""
    newer = Peer(game.arena)
    newer.token = peer.token
    await newer.hello(peer.token, ["tictactoe"])
    return newer


def drop_at_start(arena: Arena, peer: Peer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a peer lose its connection while its match is being written down."""
    start = arena.store.matches.start

    async def start_and_drop(match: NewMatch) -> int:
        number = await start(match)
        peer.drop()
        return number

    monkeypatch.setattr(arena.store.matches, "start", start_and_drop)


async def test_a_move_is_in_the_record_before_it_is_acknowledged_and_relayed(open_arena: OpenArena) -> None:
    game = await duel(await open_arena())
    accepted = await game.move(game.first, "b2")
    assert accepted["ply"] == 0
    [moved] = [decode_event(event.body) for event in (await game.stored()).events]
    assert isinstance(moved, Moved)
    assert moved == Moved(1, 0, "b2", moved.elapsed, accepted["clock"])
    assert (await game.second.next("turn"))["last_move"] == "b2"


async def test_the_memory_of_a_match_is_free_at_once_when_it_is_over(open_arena: OpenArena) -> None:
    arena = await open_arena(recent_matches=1)
    gc.disable()  # what needs the collector stays for long where there is little else to collect
    try:
        ended = []
        for _ in range(3):
            game = await duel(arena)
            referee = arena.conductor.referee(game.match)
            assert referee is not None
            ended.append(weakref.ref(referee))
            del referee
            await asyncio.gather(game.first.play(), game.second.play())
        await until(lambda: all(referee() is None for referee in ended))
    finally:
        gc.enable()


async def test_a_finished_first_match_of_a_pair_takes_no_memory(open_arena: OpenArena) -> None:
    game = await duel(await open_arena(recent_matches=1), rated=True)
    gc.disable()
    try:
        referee = game.arena.conductor.referee(game.match)
        assert referee is not None
        first = weakref.ref(referee)
        del referee
        await asyncio.gather(game.first.play(), game.second.play())
        second = (await game.first.next("match"))["match"]
        await until(lambda: first() is None or game.arena.conductor.referee(second) is None)
        assert game.arena.conductor.referee(second) is not None, "it was not over before"
    finally:
        gc.enable()


async def test_an_illegal_move_loses(open_arena: OpenArena) -> None:
    game = await duel(await open_arena())
    error = await game.move(game.first, "z9")
    assert (error["code"], error["match"]) == ("illegal-move", game.match)
    first, second = await game.over()
    assert (first["score"], second["score"], first["termination"]) == (0.0, 1.0, "illegal move")
    assert (await game.stored()).row.result == "0-1"


async def test_a_move_out_of_turn_has_no_effect(open_arena: OpenArena) -> None:
    game = await duel(await open_arena())
    turn = await game.first.next("turn")
    for ply in (0, 1, 7):
        game.second.send(type="move", match=game.match, ply=ply, move="a1")
        assert (await game.second.next("error"))["code"] == "not-your-turn"
    game.first.send(type="move", match=game.match, ply=3, move="a1")
    assert (await game.first.next("error"))["code"] == "not-your-turn"
    game.first.send(type="move", match=game.match, ply=turn["ply"], move="a1")
    assert (await game.first.next("accepted"))["ply"] == 0
    assert (await game.second.next("turn"))["ply"] == 1


async def test_a_repeated_move_is_acknowledged_again_and_played_once(open_arena: OpenArena) -> None:
    game = await duel(await open_arena())
    once = await game.move(game.first, "a1")
    game.first.send(type="move", match=game.match, ply=0, move="a1")
    assert await game.first.next("accepted", "error") == once
    game.first.send(type="move", match=game.match, ply=0, move="a2")
    assert (await game.first.next("accepted", "error"))["code"] == "not-your-turn"
    assert len((await game.stored()).events) == 1


async def test_a_bot_that_does_not_move_loses_on_time(open_arena: OpenArena) -> None:
    arena = await open_arena(lag_grace=0.0)
    with standing_clock() as clock:
        game = await duel(arena, control="5+0")
        await clock.go(4.999)
        await game.move(game.first, "a1")
        await game.second.next("turn")
        await clock.go(5.0)
        assert all(message["type"] != "over" for message in game.first.log), "the flag falls a little later"
        await clock.go(0.003)
        first, second = await game.over()
        stored = await game.stored()
    assert (first["score"], second["termination"]) == (1.0, "time")
    assert "the last turn took 5.003 s, of which 0.000 s are not charged" in stored.row.detail
    assert "round trip of the network 0.000 s; the turn came 0.000 s after" in stored.row.detail


async def test_an_arena_that_was_held_up_does_not_take_it_out_on_the_clocks(open_arena: OpenArena) -> None:
    arena = await open_arena(lag_grace=0.0)
    with standing_clock() as clock:
        game = await duel(arena, control="2+0")
        turn = await game.first.next("turn")
        clock.now += 5.0  # the event loop does nothing meanwhile
        for _ in range(5):
            await asyncio.sleep(0)
        game.first.send(type="move", match=game.match, ply=turn["ply"], move="a1")
        assert (await game.first.next("accepted", "over"))["type"] == "accepted"
        await game.second.next("turn")
        await clock.go(2.0)
        await clock.go(0.003)
        over, _ = await game.over()
    assert (over["score"], over["termination"]) == (1.0, "time")


async def test_the_flag_stands_still_while_the_process_is_suspended(
    open_arena: OpenArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suspension, "Watch", Suspended)
    arena = await open_arena(lag_grace=0.0)
    with standing_clock() as clock:
        game = await duel(arena, control="5+0")
        turn = await game.first.next("turn")
        suspend(clock, 30.0)
        await clock.go(4.5)
        game.first.send(type="move", match=game.match, ply=turn["ply"], move="a1")
        assert (await game.first.next("accepted", "over"))["clock"] == 500
        await game.second.next("turn")
        suspend(clock, 60.0)
        await clock.go(4.9)
        assert "over" not in [message["type"] for message in game.second.log]
        await clock.go(0.2)
        await clock.go(0.3)  # the timer was late: it is given its lateness once
        assert (await game.second.next("over"))["termination"] == "time"


async def test_a_grace_stands_still_while_the_process_is_suspended(
    open_arena: OpenArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suspension, "Watch", Suspended)
    arena = await open_arena(reconnect_grace=60.0)
    with standing_clock() as clock:
        game = await duel(arena, control="600+0")
        await game.first.next("turn")
        game.first.drop()
        await clock.go(1.0)
        suspend(clock, 3600.0)
        await clock.go(58.0)
        back = await again(game, game.first)
        assert (await back.next("turn", "over"))["type"] == "turn"


async def test_time_on_the_way_is_free_and_the_rest_is_counted(open_arena: OpenArena) -> None:
    arena = await open_arena(lag_grace=0.2)
    with standing_clock() as clock:
        game = await duel(arena, control="5+1", trip=0.2)
        await game.first.next("turn")
        await clock.go(0.2)
        game.first.send(type="move", match=game.match, ply=0, move="a1")
        assert (await game.first.next("accepted"))["clock"] == 6000
        await game.second.next("turn")
        await clock.go(0.5)
        game.second.send(type="move", match=game.match, ply=1, move="a2")
        assert (await game.second.next("accepted"))["clock"] == 5700


async def test_resignation(open_arena: OpenArena) -> None:
    game = await duel(await open_arena(), rated=True)
    game.second.send(type="resign", match=game.match)
    first, second = await game.over()
    assert (first["score"], second["termination"]) == (1.0, "resignation")
    assert first["rating"] == {"before": 1500.0, "after": 1520.0}
    assert second["rating"]["after"] == 1480.0


async def test_a_bot_that_says_that_it_failed_loses_by_a_crash(open_arena: OpenArena) -> None:
    game = await duel(await open_arena(), rated=True)
    game.second.send(type="resign", match=game.match, failure="ValueError:\tno \0idea")
    first, second = await game.over()
    assert (first["score"], second["termination"]) == (1.0, "crash")
    assert second["detail"] == "ValueError: no  idea"
    assert first["rating"] == {"before": 1500.0, "after": 1520.0}
    assert second["rating"]["after"] == 1480.0


async def test_a_draw_is_offered_declined_offered_again_and_agreed(open_arena: OpenArena) -> None:
    game = await duel(await open_arena())
    game.second.send(type="answer-draw", match=game.match, accept=True)
    assert (await game.second.next("error"))["code"] == "no-offer"
    game.first.send(type="offer-draw", match=game.match)
    await game.second.next("draw-offered")
    game.second.send(type="answer-draw", match=game.match, accept=False)
    await game.first.next("draw-declined")
    game.first.send(type="move", match=game.match, ply=0, move="a1")
    game.second.send(type="offer-draw", match=game.match)
    await game.first.next("draw-offered")
    game.first.send(type="answer-draw", match=game.match, accept=True)
    first, second = await game.over()
    assert (first["score"], second["score"], first["termination"]) == (0.5, 0.5, "agreement")


async def test_sync_tells_the_whole_state(open_arena: OpenArena) -> None:
    game = await duel(await open_arena())
    await game.move(game.first, "a1")
    await game.second.next("turn")
    game.second.send(type="sync", match=game.match)
    state = await game.second.next("match")
    while not state["moves"]:
        state = await game.second.next("match")
    assert (state["seat"], state["ply"], state["to_move"]) == (1, 1, 1)
    assert [move["move"] for move in state["moves"]] == ["a1"]


async def test_a_bot_comes_back_into_its_match_while_its_clock_runs(open_arena: OpenArena) -> None:
    game = await duel(await open_arena(lag_grace=0.0), control="60+0")
    await game.move(game.first, "a1")
    await game.second.next("turn")
    game.second.drop()
    await asyncio.sleep(0.2)
    back = Peer(game.arena)
    welcome = await back.hello(game.second.token, ["tictactoe"])
    assert welcome["matches"] == [game.match]
    state, turn = await back.next("match"), await back.next("turn")
    assert [move["move"] for move in state["moves"]] == ["a1"]
    assert turn["ply"] == 1
    assert turn["clocks"][1] <= 59_850
    back.send(type="move", match=game.match, ply=1, move="a2")
    assert (await back.next("accepted"))["ply"] == 1


async def test_the_newer_connection_of_a_bot_plays_on(open_arena: OpenArena) -> None:
    game = await duel(await open_arena())
    await game.first.next("turn")
    newer = await again(game, game.first)
    assert (await game.first.next("goodbye"))["reason"]
    assert (await game.first.next("closed"))["code"] == 4409
    assert (await newer.next("turn"))["ply"] == 0
    game.first.send(type="move", match=game.match, ply=0, move="a1")
    newer.send(type="move", match=game.match, ply=0, move="b2")
    assert (await newer.next("accepted"))["ply"] == 0
    assert (await game.second.next("turn"))["last_move"] == "b2"


async def test_a_bot_that_does_not_come_back_loses(open_arena: OpenArena) -> None:
    game = await duel(await open_arena(reconnect_grace=0.1))
    await game.first.next("turn")
    game.first.drop()
    over = await game.second.next("over")
    assert (over["score"], over["termination"]) == (1.0, "disconnect")
    assert "first-0" in over["detail"]


async def test_a_bot_that_leaves_before_it_heard_of_the_match_does_not_lose(
    open_arena: OpenArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    arena = await open_arena(reconnect_grace=0.1)
    peers = [await seat(arena, name, ["tictactoe"]) for name in ("one", "two")]
    drop_at_start(arena, peers[0], monkeypatch)
    assert await arena.ladder.round() == 1
    over = await peers[1].next("over")
    assert (over["score"], over["termination"], over["detail"]) == (None, "void", "one did not connect")
    assert "turn" not in [message["type"] for message in peers[1].log]


async def test_the_clocks_wait_for_a_bot_that_comes_late_to_its_match(
    open_arena: OpenArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    arena = await open_arena()
    peers = [await seat(arena, name, ["tictactoe"]) for name in ("one", "two")]
    drop_at_start(arena, peers[0], monkeypatch)
    assert await arena.ladder.round() == 1
    state = await peers[1].next("match")
    back = Peer(arena)
    assert (await back.hello(peers[0].token, ["tictactoe"]))["matches"] == [state["match"]]
    ends = await asyncio.gather(back.play(), peers[1].play())
    assert ends[0][0]["termination"] == ends[1][0]["termination"] == "decided"


async def test_when_both_are_gone_nobody_loses(open_arena: OpenArena) -> None:
    game = await duel(await open_arena(reconnect_grace=0.1), rated=True)
    game.first.drop()
    game.second.drop()
    await until(lambda: not game.arena.live)
    row = (await game.stored()).row
    assert (row.result, row.termination) == ("*", "void")


async def test_an_error_in_one_match_voids_only_that_match(open_arena: OpenArena) -> None:
    arena = await open_arena()
    broken, sound = await duel(arena), await duel(arena)
    referee = arena.conductor.referee(broken.match)
    assert referee is not None

    def fail(*_: object) -> NoReturn:
        raise RuntimeError("secret detail")

    referee.view.moved = fail  # type: ignore[method-assign,assignment]  # a fault in the arena's own code
    turn = await broken.first.next("turn")
    broken.first.send(type="move", match=broken.match, ply=turn["ply"], move="a1")
    for over in await broken.over():
        assert (over["result"], over["termination"], over["score"]) == ("*", "void", None)
        assert "secret" not in over["detail"]
    await asyncio.gather(sound.first.play(), sound.second.play())
    assert (await sound.stored()).row.termination == "decided"
    assert (await broken.stored()).row.termination == "void"


async def test_a_lost_store_is_reported_to_both_bots_and_the_match_stays_for_the_next_start(
    open_arena: OpenArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(errors, "WAITS", (0.01,))
    arena = await open_arena()
    game = await duel(arena)
    await arena.store.close()
    turn = await game.first.next("turn")
    game.first.send(type="move", match=game.match, ply=turn["ply"], move="a1")
    for over in await game.over():
        assert (over["termination"], over["result"]) == ("void", "*")
    assert all(message["type"] != "accepted" for message in game.first.log)
    reopened = await open_arena()
    assert game.match in reopened.live


async def test_a_bot_that_returns_while_the_end_is_stored_hears_of_it(
    open_arena: OpenArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    arena = await open_arena()
    game = await duel(arena)
    finish = arena.store.matches.finish
    began, go_on = asyncio.Event(), asyncio.Event()

    async def slow(*arguments: Any, **more: Any) -> FinishedMatch:
        began.set()
        await go_on.wait()
        return await finish(*arguments, **more)

    monkeypatch.setattr(arena.store.matches, "finish", slow)
    game.second.send(type="resign", match=game.match)
    await began.wait()
    game.first.drop()
    newer = await again(game, game.first)
    go_on.set()
    assert (await newer.next("over"))["score"] == 1.0


async def test_an_end_that_is_stored_late_is_stored_with_what_led_to_it(
    open_arena: OpenArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(errors, "WAITS", (0.01,))
    arena = await open_arena()
    game = await duel(arena, rated=True)
    finish, failures = arena.store.matches.finish, iter(range(2))

    async def failing(*arguments: Any, **more: Any) -> FinishedMatch:
        if next(failures, None) is not None:
            raise StoreError("the disk is full")
        return await finish(*arguments, **more)

    monkeypatch.setattr(arena.store.matches, "finish", failing)
    (over,), _ = await asyncio.gather(game.first.play(), game.second.play())
    assert over["termination"] == "decided"
    last = decode_event((await game.stored()).events[-1].body)
    assert isinstance(last, Ended)
    assert (await arena.store.audit(verify)).findings == []


async def test_an_aborted_match_is_void_for_both(open_arena: OpenArena) -> None:
    game = await duel(await open_arena(), rated=True)
    assert game.arena.abort(game.match, "rules changed")
    first, second = await game.over()
    assert (first["termination"], second["detail"], first["score"]) == ("void", "rules changed", None)
    await until(lambda: not game.arena.live)
    assert not game.arena.abort(game.match)
    page = await game.arena.store.matches.page("finished")
    assert [row.id for row in page.items] == [game.match], "one of a pair alone would be no pair"


async def test_a_match_ended_in_the_store_ends_here_too(open_arena: OpenArena) -> None:
    game = await duel(await open_arena())
    await game.arena.store.matches.finish(game.match, result="*", termination="void", detail="by hand", plies=0)
    turn = await game.first.next("turn")
    game.first.send(type="move", match=game.match, ply=turn["ply"], move="a1")
    first, second = await game.over()
    assert (first["termination"], second["detail"]) == ("void", "by hand")
    assert all(message["type"] != "accepted" for message in game.first.log)


@pytest.mark.parametrize(("failures", "detail"), [(1, "by hand"), (100, "the arena failed: StoreError")])
async def test_a_match_ended_in_the_store_ends_here_though_the_store_cannot_be_read(
    open_arena: OpenArena, monkeypatch: pytest.MonkeyPatch, failures: int, detail: str
) -> None:
    monkeypatch.setattr(errors, "WAITS", (0.01,))
    game = await duel(await open_arena())
    matches = game.arena.store.matches
    await matches.finish(game.match, result="*", termination="void", detail="by hand", plies=0)
    get, left = matches.get, iter(range(failures))

    async def failing(match_id: int) -> StoredMatch | None:
        if next(left, None) is not None:
            raise StoreError("the records cannot be read")
        return await get(match_id)

    monkeypatch.setattr(matches, "get", failing)
    game.first.send(type="move", match=game.match, ply=0, move="a1")
    for over in await game.over():
        assert (over["termination"], over["detail"]) == ("void", detail)


async def test_built_in_matches_are_slow_enough_to_watch_and_their_clocks_do_not_run_meanwhile(
    open_arena: OpenArena,
) -> None:
    arena = await open_arena(ladder=True, built_in_move_time=0.15, lag_grace=0.0)
    peers = []
    with standing_clock() as clock:
        for name in ("h1", "h2"):
            peer = Peer(arena)
            await peer.hello(await register(arena, name, "built-in"), ["tictactoe"])
            peers.append(peer)
        began = clock.now
        playing = asyncio.gather(*(peer.play() for peer in peers))
        while not playing.done():
            await clock.go(0.01)
            await asyncio.to_thread(time.sleep, 0.001)  # the store works in a thread
        passed = clock.now - began
    overs = await playing
    stored = await arena.store.matches.get(overs[0][0]["match"])
    assert stored is not None
    events = [decode_event(event.body) for event in stored.events]
    moves = [event for event in events if isinstance(event, Moved)]
    assert passed >= 0.15 * (len(moves) - 1)
    assert all(move.elapsed < 100 for move in moves)


@pytest.mark.parametrize("kind", ["resign", "offer-draw", "sync"])
async def test_another_bots_match_is_unknown(open_arena: OpenArena, kind: str) -> None:
    arena = await open_arena()
    one, other = await duel(arena), await duel(arena)
    one.first.send(type=kind, match=other.match)
    error: Message = await one.first.next("error")
    assert (error["code"], error["match"]) == ("unknown-match", other.match)
    assert other.match in arena.live
