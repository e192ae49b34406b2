# SPDX-License-Identifier: GPL-3.0-or-later
"""The opening of a match: its name in chess, and the number of matches that begin alike."""

from dataclasses import replace
from pathlib import Path

import pytest

from arena.store.rows import VersionRow
from engine.match.events import Moved, encode_event
from tests.arena.peers import ready
from tests.arena.store.company import CHECKERS, versions
from tests.web.door import Door, opened, unhurried
from tests.web.test_match import get

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def record(
    door: Door, pair: list[VersionRow], game: str, moves: list[str], *, opening: int = 0, start: str | None = None
) -> int:
    """Record a drawn match; its first moves are the opening of the arena."""
    store = door.arena.store
    players = pair[0].id, pair[1].id
    match = replace(CHECKERS, players=players, game=game, opening=tuple(moves[:opening]), start=start)
    number = await store.matches.start(match)
    made = [Moved(ply, (ply - 1) % 2, move) for ply, move in enumerate(moves, 1)][opening:]
    await store.matches.append(number, [(place, encode_event(move)) for place, move in enumerate(made)])
    await store.matches.finish(number, result="1/2-1/2", termination="agreement", plies=len(moves))
    return number


async def test_the_opening_of_a_match(tmp_path: Path) -> None:
    async with opened(tmp_path, unhurried("tictactoe,chess", ladder=False)) as door:
        await ready(door.arena)
        pair = await versions(door.arena.store, "one", "other")
        spanish = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "h7h6"]
        numbers = [
            await record(door, pair, "chess", spanish, opening=2),
            await record(door, pair, "chess", [*spanish[:5], "a7a6"]),
            await record(door, pair, "chess", ["e2e4", "c7c5"]),
            await record(door, pair, "tictactoe", ["b2", "a1", "c3"]),
            await record(door, pair, "tictactoe", ["b2", "a1", "b1"]),
            await record(door, pair, "tictactoe", ["a1"]),
            await record(door, pair, "tictactoe", ["b1"], start="x../.../o.."),
        ]
        told = [await get(door, f"/matches/{number}/opening", "OpeningAnswer") for number in numbers]
        shown = [(each["eco"], each["name"], " ".join(each["moves"]), each["matches"], each["among"]) for each in told]
        assert shown[0] == ("C60", "Ruy Lopez", "e4 e5 Nf3 Nc6 Bb5", 2, 3)
        assert shown[1] == ("C70", "Ruy Lopez: Morphy Defense", "e4 e5 Nf3 Nc6 Bb5 a6", 1, 3)
        assert shown[2] == ("B20", "Sicilian Defense", "e4 c5", 1, 3)
        assert shown[3] == shown[4] == (None, None, "b2 a1", 2, 3)
        assert shown[5] == (None, None, "", None, 3), "no other match begins alike"
        assert shown[6] == (None, None, "", None, 3), "it does not begin at the usual start"
        async with door.http.get("/api/v1/matches/999/opening") as response:
            assert response.status == 404
        path = f"/bots/{pair[0].bot_id}/openings?game=chess"
        node = await get(door, f"{path}&moves={','.join(spanish[:5])}", "OpeningNodeAnswer")
        assert (node["eco"], node["name"]) == ("C60", "Ruy Lopez")
        root = await get(door, path, "OpeningNodeAnswer")
        assert (root["eco"], root["name"]) == (None, None)
        met = await get(door, f"/bots/{pair[0].bot_id}/versus/{pair[1].bot_id}?game=chess", "VersusAnswer")
        assert {each["name"] for each in met["openings"]} == {None, "King's Pawn Game"}


async def test_a_tree_of_a_game_serves_for_a_minute(tmp_path: Path) -> None:
    async with opened(tmp_path, unhurried("tictactoe", ladder=False)) as door:
        await ready(door.arena)
        pair = await versions(door.arena.store, "one", "other")
        now = [0.0]
        door.arena.game_trees._clock = lambda: now[0]
        first = await record(door, pair, "tictactoe", ["b2", "a1"])
        path = f"/matches/{first}/opening"
        assert (await get(door, path, "OpeningAnswer"))["among"] == 1
        await record(door, pair, "tictactoe", ["b2", "a1"])
        assert (await get(door, path, "OpeningAnswer"))["among"] == 1
        now[0] = 61.0
        answer = await get(door, path, "OpeningAnswer")
        assert (answer["among"], answer["matches"], answer["moves"]) == (2, 2, ["b2", "a1"])
