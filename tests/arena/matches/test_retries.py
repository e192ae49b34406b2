# SPDX-License-Identifier: GPL-3.0-or-later
"""A store that fails for a while during a match: messages follow the commit, and no player loses time."""

import asyncio
from collections.abc import Iterable

import pytest

from arena.application import Arena
from arena.store.errors import StoreError
from engine.match.events import DrawOffered, Moved, decode_event
from tests.arena.clock import standing_clock
from tests.arena.conftest import OpenArena
from tests.arena.peers import Duel, Peer, duel


class FailingStore:
    """Fails to take the events of matches until a test lets it go on."""

    def __init__(self, arena: Arena, monkeypatch: pytest.MonkeyPatch, *, at_once: bool = False) -> None:
        """``at_once``: the store raises as it is asked, not later."""
        self.asked_again = asyncio.Event()
        self.go_on = asyncio.Event()
        self._at_once = at_once
        matches = arena.store.matches
        self._append = matches.append
        monkeypatch.setattr(matches, "begin_append", self._fail)
        monkeypatch.setattr(matches, "append", self._again)

    def _fail(
        self, match_id: int, events: Iterable[tuple[int, bytes]], loop: asyncio.AbstractEventLoop, epoch: int
    ) -> asyncio.Future[None]:
        error = StoreError("the disk is full")
        if self._at_once:
            raise error
        answer: asyncio.Future[None] = loop.create_future()
        loop.call_soon(answer.set_exception, error)
        return answer

    async def _again(self, match_id: int, events: Iterable[tuple[int, bytes]], epoch: int) -> None:
        self.asked_again.set()
        await self.go_on.wait()
        await self._append(match_id, events, epoch)


def told(peer: Peer) -> list[str]:
    """Return the types of all messages that a bot was sent."""
    return [message["type"] for message in peer.log]


async def first_asked(arena: Arena) -> Duel:
    """Start a match of 5 s a side, and wait until its first player is asked for a move."""
    game = await duel(arena, control="5+0")
    await game.first.next("turn")
    return game


@pytest.mark.parametrize("at_once", [False, True])
async def test_a_move_is_sent_when_it_is_committed_at_last_and_meanwhile_no_clock_runs(
    open_arena: OpenArena, monkeypatch: pytest.MonkeyPatch, at_once: bool
) -> None:
    arena = await open_arena(lag_grace=0.0)
    with standing_clock() as clock:
        game = await first_asked(arena)
        store = FailingStore(arena, monkeypatch, at_once=at_once)
        await clock.go(1.0)
        game.first.send(type="move", match=game.match, ply=0, move="a1")
        await store.asked_again.wait()
        before = len(game.first.log), len(game.second.log)
        game.second.send(type="sync", match=game.match)
        await clock.go(1000.0)
        assert (len(game.first.log), len(game.second.log)) == before, "no bot gets a message"
        assert (await game.stored()).events == []
        store.go_on.set()
        assert (await game.first.next("accepted"))["clock"] == 4000
        assert (await game.second.next("turn"))["clocks"] == [4000, 5000]
        state = await game.second.next("match")
        assert [move["move"] for move in state["moves"]] == ["a1"], "what waited is handled after the commit"
    assert len((await game.stored()).events) == 1


async def test_messages_during_a_commit_are_handled_afterwards_in_order(
    open_arena: OpenArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    arena = await open_arena()
    game = await first_asked(arena)
    store = FailingStore(arena, monkeypatch)
    game.first.send(type="move", match=game.match, ply=0, move="a1")
    await store.asked_again.wait()
    game.second.send(type="resign", match=game.match)
    assert arena.abort(game.match, "too late: the match is over")
    store.go_on.set()
    first, second = await game.over()
    assert (first["termination"], first["score"], second["score"]) == ("resignation", 1.0, 0.0)
    assert told(game.first)[-2:] == ["accepted", "over"]
    kinds = [type(decode_event(event.body)).__name__ for event in (await game.stored()).events]
    assert kinds == ["Moved", "Ended"]


async def test_a_draw_offer_is_sent_when_it_is_committed_and_the_turn_goes_on_meanwhile(
    open_arena: OpenArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    arena = await open_arena(lag_grace=0.0)
    with standing_clock() as clock:
        game = await first_asked(arena)
        store = FailingStore(arena, monkeypatch)
        game.second.send(type="offer-draw", match=game.match)
        await store.asked_again.wait()
        await clock.go(1.0)
        game.first.send(type="move", match=game.match, ply=0, move="a1")
        await clock.go(1.0)
        assert "draw-offered" not in told(game.first)
        assert "accepted" not in told(game.first)
        store.go_on.set()
        assert (await game.first.next("draw-offered", "accepted"))["type"] == "draw-offered"
        assert (await game.first.next("accepted"))["clock"] == 4000, "its time ended as its move came"
    offer, move = [decode_event(event.body) for event in (await game.stored()).events]
    assert isinstance(offer, DrawOffered)
    assert isinstance(move, Moved)


async def test_a_flag_that_falls_while_an_offer_is_stored_ends_the_match_after_the_commit(
    open_arena: OpenArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    arena = await open_arena(lag_grace=0.0)
    with standing_clock() as clock:
        game = await first_asked(arena)
        store = FailingStore(arena, monkeypatch)
        game.first.send(type="offer-draw", match=game.match)
        await store.asked_again.wait()
        await clock.go(5.003)
        assert "over" not in told(game.first)
        store.go_on.set()
        first, second = await game.over()
    assert (first["termination"], first["score"]) == ("time", 0.0)
    assert told(game.second)[-2:] == ["draw-offered", "over"], second
