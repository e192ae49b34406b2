# SPDX-License-Identifier: GPL-3.0-or-later
"""Unknown clients keep no bot out; their sockets and attempts count against their own addresses."""

import asyncio

import pytest

from arena.connections import admission
from arena.store.rows import BotRow
from tests.arena.clock import standing_clock
from tests.arena.conftest import OpenArena
from tests.arena.peers import Peer, duel, register, seat, until

CROWD = 1000
"""Sockets of an attacker."""


@pytest.mark.parametrize("address", ["elsewhere", "attacker"])
async def test_silent_sockets_shut_no_bot_out(open_arena: OpenArena, address: str) -> None:
    """Not even one that comes from the attacker's own address."""
    arena = await open_arena()
    silent = [arena.accept("attacker") for _ in range(CROWD)]
    honest = Peer(arena, address)
    welcome = await honest.hello(await register(arena, "honest"), ["tictactoe"])
    assert welcome["type"] == "welcome", welcome
    assert sum(each.open for each in silent) <= arena.settings.silent_connections_each
    assert silent[-1].open  # the oldest went
    assert {each.close_code for each in silent if not each.open} == {4503}


async def test_silent_sockets_of_many_addresses_take_the_places_of_the_busiest(open_arena: OpenArena) -> None:
    arena = await open_arena(silent_connections=50, silent_connections_each=40)
    waiting = arena.accept("honest")
    crowd = [arena.accept(f"attacker {number % 5}") for number in range(CROWD)]
    assert waiting.open
    assert sum(each.open for each in crowd) == 49


async def test_sixty_bots_behind_one_address_come_in_at_once(open_arena: OpenArena) -> None:
    arena = await open_arena()
    tokens = [await register(arena, f"bot-{number}") for number in range(60)]
    assert all(arena.takes("campus") for _ in tokens)
    peers = [Peer(arena, "campus") for _ in tokens]
    welcomes = await asyncio.gather(
        *(peer.hello(token, ["tictactoe"]) for peer, token in zip(peers, tokens, strict=True))
    )
    assert {each["type"] for each in welcomes} == {"welcome"}
    assert all(peer.connection.open for peer in peers)


async def test_a_client_that_says_hello_may_open_a_socket_for_each_of_its_bots(open_arena: OpenArena) -> None:
    arena = await open_arena(silent_rate=0.001, silent_connections_each=5)
    for number in range(20):
        assert arena.takes("campus")
        await seat(arena, f"bot-{number}", ["tictactoe"], address="campus")
    assert sum(arena.takes("attacker") for _ in range(20)) == 5


async def test_a_token_shown_at_once_is_limited_by_itself(open_arena: OpenArena) -> None:
    arena = await open_arena(silent_rate=0.001, silent_connections=20, silent_connections_each=5)
    token = (await seat(arena, "honest", ["tictactoe"])).token
    assert sum(arena.takes(arena.caller("campus", "guess")) for _ in range(20)) == 5
    assert arena.caller("campus", "") == "campus"
    caller = arena.caller("campus", token)
    assert token not in caller
    assert arena.takes(caller)
    waiting = arena.accept(caller)
    for _ in range(CROWD):
        arena.accept("campus")
    assert waiting.open
    assert sum(arena.takes(caller) for _ in range(20)) == 4  # its own share is no larger


async def test_a_bot_comes_back_to_its_match_though_the_arena_is_full(open_arena: OpenArena) -> None:
    arena = await open_arena(max_connections=2)
    game = await duel(arena)
    game.first.drop()
    await seat(arena, "another", ["tictactoe"])  # takes the last place
    for _ in range(CROWD):
        arena.accept("attacker")
    again = Peer(arena, "attacker")
    welcome = await again.hello(game.first.token, ["tictactoe"])
    assert welcome["matches"] == [game.match]
    await asyncio.gather(again.play(), game.second.play())
    assert (await game.stored()).row.termination == "decided"


async def test_unknown_tokens_are_looked_up_so_often_and_known_ones_always(
    open_arena: OpenArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admission, "REFRESH", 0.0)
    monkeypatch.setattr(admission, "UNKNOWN_BURST", 10)
    arena = await open_arena()
    known = await seat(arena, "known", ["tictactoe"])
    looked_up: list[str] = []
    by_token = arena.store.bots.by_token

    async def counted(token_hash: str) -> BotRow | None:
        looked_up.append(token_hash)
        return await by_token(token_hash)

    monkeypatch.setattr(arena.store.bots, "by_token", counted)
    with standing_clock():
        answers = [await Peer(arena, "attacker").hello(f"guess {number}", ["tictactoe"]) for number in range(100)]
    assert {each.get("code") for each in answers} == {"unknown-token", 4503}
    assert len(looked_up) == 10
    assert (await Peer(arena, "attacker").hello(known.token, ["tictactoe"]))["type"] == "welcome"
    fresh = await register(arena, "fresh")
    assert (await Peer(arena, "elsewhere").hello(fresh, ["tictactoe"]))["type"] == "welcome"
    newest = await register(arena, "newest")
    first = await Peer(arena, "attacker").hello(newest, ["tictactoe"])
    while first["type"] != "welcome":  # turned away without a look, it is known a moment later
        assert first["code"] == 4503
        await asyncio.sleep(0.1)
        first = await Peer(arena, "attacker").hello(newest, ["tictactoe"])


async def test_one_token_opens_so_many_connections_and_the_newest_comes_in(open_arena: OpenArena) -> None:
    arena = await open_arena(token_burst=5, token_rate=1.0)
    token = (await seat(arena, "hasty", ["tictactoe"])).token
    peers = [Peer(arena) for _ in range(200)]
    for peer in peers:
        peer.send(type="hello", protocol=1, token=token, games=["tictactoe"])
    ends = await asyncio.gather(*(peer.next("welcome", "closed") for peer in peers))
    assert ends[-1]["type"] == "welcome"
    assert sum(each["type"] == "welcome" for each in ends) < 100
    assert {each["code"] for each in ends if each["type"] == "closed"} == {4409}
    await until(lambda: sum(peer.connection.open for peer in peers) == 1)
    assert peers[-1].connection.open
