# SPDX-License-Identifier: GPL-3.0-or-later
import asyncio

from tests.arena.conftest import OpenArena
from tests.arena.peers import seat


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
