# SPDX-License-Identifier: GPL-3.0-or-later
import asyncio
from pathlib import Path

import pytest
from prometheus_client import generate_latest

from arena.application import Arena
from arena.registry import GameRegistry
from arena.settings import Settings
from arena.store import Store
from tests.arena.conftest import OpenArena
from tests.arena.peers import Peer, duel, register, seat, until


async def test_two_bots_play_a_rated_pair_with_colours_swapped(open_arena: OpenArena) -> None:
    arena = await open_arena(ladder=True)
    one, other = await asyncio.gather(seat(arena, "one", ["tictactoe"]), seat(arena, "other", ["tictactoe"]))
    ends, _ = await asyncio.gather(one.play(matches=2), other.play(matches=2))
    first, second = (end["match"] for end in ends)
    rows = [
        stored.row for stored in [await arena.store.matches.get(first), await arena.store.matches.get(second)] if stored
    ]
    assert [row.result for row in rows] == [end["result"] for end in ends]
    assert rows[0].opening == rows[1].opening
    assert rows[1].pair == first
    assert [side.bot for side in rows[0].players] == [side.bot for side in reversed(rows[1].players)]
    assert all(end["rating"] for end in ends)


async def test_moves_of_old_matches_are_dropped_and_results_kept(open_arena: OpenArena) -> None:
    arena = await open_arena(retention_days=1e-9)
    game = await duel(arena)
    await asyncio.gather(game.first.play(), game.second.play())
    await arena.prune()
    stored = await game.stored()
    assert stored.row.pruned
    assert stored.events == []
    assert stored.row.result == "1-0"


async def test_events_are_counted_in_metrics(open_arena: OpenArena) -> None:
    arena = await open_arena()
    game = await duel(arena)
    game.first.connection.receive("nonsense")
    await asyncio.gather(game.first.play(), game.second.play())
    await until(lambda: not arena.live)
    text = generate_latest(arena.metrics.registry).decode()
    assert f'arena_moves_total{{game="tictactoe"}} {float((await game.stored()).row.plies or 0)}' in text
    assert 'arena_matches_finished_total{game="tictactoe",termination="decided"} 1.0' in text
    assert 'arena_errors_total{code="malformed"} 1.0' in text
    assert "arena_bots_connected 2.0" in text
    assert "arena_matches_live 0.0" in text


async def test_an_arena_answers_while_its_rules_are_still_being_prepared(tmp_path: Path) -> None:
    async with await Store.open(f"sqlite:///{tmp_path / 'arena.db'}") as store:
        arena = Arena(Settings(games="checkers"), store)
        await arena.start()
        try:
            assert arena.lobby().live == 0
            peer = Peer(arena)
            assert (await peer.hello(await register(arena, "early"), ["checkers"]))["games"] == ["checkers"]
        finally:
            await arena.stop()


def test_settings_that_name_a_game_that_does_not_exist_are_refused() -> None:
    with pytest.raises(ValueError, match="ludo"):
        GameRegistry(Settings(games="ludo"))
    with pytest.raises(ValueError, match="ludo"):
        GameRegistry(Settings(time_controls="ludo=1+1"))
