# SPDX-License-Identifier: GPL-3.0-or-later
import asyncio
from collections import Counter
from functools import partial

import pytest

from arena import application
from arena.application import Arena
from arena.ladder import rounds as ladder
from arena.ladder.fits import ladder_fits
from engine.game import Game
from tests.arena.conftest import OpenArena
from tests.arena.peers import Peer, register, seat, until
from tests.arena.store.company import play


def players(arena: Arena) -> list[set[str]]:
    return [{player.name for player in seen.players} for seen in arena.live.values()]


async def test_every_declared_game_gets_its_turn(open_arena: OpenArena) -> None:
    arena = await open_arena(games="tictactoe,nim", ladder=True)
    names = [f"bot-{number}" for number in range(4)]
    peers = [await seat(arena, name, ["tictactoe", "nim"]) for name in names]
    playing = [asyncio.create_task(peer.play(matches=1000)) for peer in peers]
    await until(lambda: all(min(ended(peer)[game] for game in ("tictactoe", "nim")) >= 2 for peer in peers))
    for task in playing:
        task.cancel()


def ended(peer: Peer) -> Counter[str]:
    """Return how many matches of each game have ended for a bot."""
    games = {message["match"]: message["game"] for message in peer.log if message["type"] == "match"}
    return Counter(games[message["match"]] for message in peer.log if message["type"] == "over")


async def test_a_bot_alone_is_not_paired_with_itself(open_arena: OpenArena) -> None:
    arena = await open_arena()
    await seat(arena, "alone", ["tictactoe"], capacity=8)
    assert await arena.ladder.round() == 0
    await seat(arena, "other", ["tictactoe"])
    assert await arena.ladder.round() == 1
    assert players(arena) == [{"alone", "other"}]


async def test_capacity_is_kept(open_arena: OpenArena) -> None:
    arena = await open_arena()
    await seat(arena, "big", ["tictactoe"], capacity=3)
    for number in range(4):
        await seat(arena, f"small-{number}", ["tictactoe"])
    for _ in range(6):
        await arena.ladder.round()
    counts = Counter(name for pair in players(arena) for name in pair)
    assert counts["big"] <= 3
    assert all(count == 1 for name, count in counts.items() if name != "big")


async def test_bots_that_left_the_ladder_are_not_paired(open_arena: OpenArena) -> None:
    arena = await open_arena()
    shy = await seat(arena, "shy", ["tictactoe"], ladder=False)
    await seat(arena, "other", ["tictactoe"])
    assert await arena.ladder.round() == 0
    shy.send(type="availability", ladder=True, challenges=True)
    assert await arena.ladder.round() == 1


def hold_openings(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """Let openings be found only when the returned event is set."""
    find, found = arena.registry.opening, asyncio.Event()

    async def opening(game: Game, seed: int) -> tuple[str, ...]:
        await found.wait()
        return await find(game, seed)

    monkeypatch.setattr(arena.registry, "opening", opening)
    return found


@pytest.mark.parametrize("back", [True, False])
async def test_a_bot_that_drops_the_game_during_the_search_of_an_opening_gets_no_match(
    open_arena: OpenArena, monkeypatch: pytest.MonkeyPatch, back: bool
) -> None:
    arena = await open_arena(games="tictactoe,nim")
    found = hold_openings(arena, monkeypatch)
    one, _ = await seat(arena, "one", ["tictactoe"]), await seat(arena, "other", ["tictactoe"])
    pairing = asyncio.create_task(arena.ladder.round())
    await until(lambda: all(not arena.conductor.free(each) for each in arena.roster))
    one.drop()
    if back:
        await Peer(arena).hello(one.token, ["nim"])
    found.set()
    assert await pairing == 0
    assert not arena.live
    assert all(arena.conductor.free(each) for each in arena.roster)


async def test_a_bot_that_leaves_the_ladder_during_a_round_is_not_paired(
    open_arena: OpenArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    arena = await open_arena()
    found = hold_openings(arena, monkeypatch)
    peers = [await seat(arena, f"bot-{number}", ["tictactoe"]) for number in range(4)]
    pairing = asyncio.create_task(arena.ladder.round())
    await until(lambda: sum(not arena.conductor.free(each) for each in arena.roster) == 2)
    for peer in peers:
        peer.send(type="availability", ladder=False, challenges=True)
    found.set()
    assert await pairing == 1


async def test_a_certain_order_is_left_alone_until_somebody_new_comes(
    open_arena: OpenArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(application, "ladder_fits", partial(ladder_fits, patience=0.0, least=0.0))
    arena = await open_arena(ladder_misordered=0.02, ladder_patience=1e9)
    for name in ("one", "other"):
        await seat(arena, name, ["tictactoe"])
    one, other = (entrant.version for entrant in arena.roster)
    for _ in range(10):
        await play(arena.store, one, other, "1-0", game="tictactoe")
        await play(arena.store, other, one, "0-1", game="tictactoe")
    assert await arena.ladder.round() == 0
    await seat(arena, "new", ["tictactoe"])
    assert await arena.ladder.round() == 1, "of a newcomer nothing is known"
    assert "new" in players(arena)[0]


async def test_of_too_many_bots_a_random_sample_is_paired(
    open_arena: OpenArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ladder, "CROWD", 3)
    arena = await open_arena()
    for number in range(7):
        await seat(arena, f"bot-{number}", ["tictactoe"])
    assert [await arena.ladder.round() for _ in range(3)] == [1, 1, 1]
    assert await arena.ladder.round() == 0
    assert len({name for pair in players(arena) for name in pair}) == 6


async def test_a_bot_that_waited_long_plays_though_the_order_is_certain(open_arena: OpenArena) -> None:
    arena = await open_arena(ladder_misordered=0.5, ladder_patience=0.3)
    for name in ("one", "other"):
        await seat(arena, name, ["tictactoe"])
    assert await arena.ladder.round() == 1


async def test_bots_rest_between_pairs(open_arena: OpenArena) -> None:
    arena = await open_arena(ladder_pause=1e6)
    one, other = await seat(arena, "one", ["tictactoe"]), await seat(arena, "other", ["tictactoe"])
    assert await arena.ladder.round() == 1
    await asyncio.gather(one.play(matches=2), other.play(matches=2))
    await until(lambda: not arena.live)
    assert await arena.ladder.round() == 0


async def test_built_in_bots_play_a_limited_number_of_matches_against_each_other(open_arena: OpenArena) -> None:
    arena = await open_arena(built_in_matches=1)
    for number in range(4):
        peer = Peer(arena)
        await peer.hello(await register(arena, f"built-in-{number}", "built-in"), ["tictactoe"], capacity=4)
    for _ in range(4):
        await arena.ladder.round()
    assert len(arena.live) == 1
    await seat(arena, "guest", ["tictactoe"])
    for _ in range(20):
        await arena.ladder.round()
        if len(arena.live) == 2:
            break
    assert sum("guest" in pair for pair in players(arena)) == 1
