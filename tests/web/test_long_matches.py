# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches of a thousand moves and more, with more search info than is stored today: read a page at a time."""

import json
from typing import Any

import pytest
import pytest_asyncio
from jsonschema import Draft202012Validator

from arena.matches.search_info import MOVE_BYTES
from engine.formats import find
from lab.proofs.attacks.slow_peers import SHUFFLE, big_match
from tests.web.door import Door
from web.api import openapi

pytestmark = pytest.mark.asyncio(loop_scope="session")

MOVES, SIZE = 450, 6_000


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def match(door: Door) -> int:
    """A finished match that is as records of old may be."""
    return await big_match(door.arena.store, MOVES, SIZE)


async def ask(door: Door, path: str, schema: str) -> tuple[Any, int]:
    """Ask the API, hold the answer against its schema, and return it with its length."""
    async with door.http.get(f"/api/v1{path}") as response:
        assert response.status == 200, await response.text()
        body = await response.read()
    answer = json.loads(body)
    Draft202012Validator(
        {**openapi.document(door.application[openapi.DOCUMENTED]), "$ref": f"#/components/schemas/{schema}"}
    ).validate(answer)
    return answer, len(body)


async def test_moves_are_paged(door: Door, match: int) -> None:
    record, size = await ask(door, f"/matches/{match}", "MatchDetailAnswer")
    assert size < 200 * (MOVE_BYTES + 1_000)
    assert (record["plies"], len(record["moves"]), record["next"]) == (MOVES, 200, 200)
    moves, after = record["moves"], record["next"]
    while after is not None:
        page, size = await ask(door, f"/matches/{match}/moves?after={after}&limit=200", "MovesAnswer")
        assert size < 200 * (MOVE_BYTES + 1_000)
        assert (page["match"], page["plies"]) == (match, MOVES)
        moves += page["items"]
        after = page["next"]
    assert [move["ply"] for move in moves] == list(range(1, MOVES + 1))
    assert [move["move"] for move in moves] == [SHUFFLE[number % 4] for number in range(MOVES)]
    assert all(move["info"]["pv"] for move in moves)
    assert record["diagram"] == moves[-1]["diagram"]
    assert max(len(json.dumps(move["info"], ensure_ascii=False).encode()) for move in moves) < 1.1 * MOVE_BYTES


async def test_page_sizes_are_limited(door: Door, match: int) -> None:
    for after, limit, count, following in (
        (MOVES - 1, 5, 1, None),
        (MOVES, 5, 0, None),
        (0, 1, 1, 1),
        (10**6, 9, 0, None),
    ):
        page, _ = await ask(door, f"/matches/{match}/moves?after={after}&limit={limit}", "MovesAnswer")
        assert (len(page["items"]), page["next"]) == (count, following)
    for wrong in ("moves?limit=501", "moves?limit=0", "moves?after=-1", "moves?before=3", "?limit=501"):
        path = f"/api/v1/matches/{match}{'' if wrong[0] == '?' else '/'}{wrong}"
        async with door.http.get(path) as response:
            assert response.status == 400
    async with door.http.get("/api/v1/matches/999999999/moves") as response:
        assert response.status == 404


@pytest.mark.parametrize("path", ["/matches/{}/export?format={}", "/matches/export?game=chess&bot={1}&format={0}"])
@pytest.mark.parametrize("kind", ["jsonl", "pgn"])
async def test_exports_omit_invalid_stored_search_info(door: Door, match: int, path: str, kind: str) -> None:
    bot = await door.arena.store.bots.named("big-1")
    assert bot is not None
    path = path.format(kind, bot.id) if "bot" in path else path.format(match, kind)
    async with door.http.get(f"/api/v1{path}") as response:
        text = await response.text()
    assert len(text) < MOVES * (MOVE_BYTES + 1_000)
    (record,) = find(kind).read(text.splitlines())
    assert [move.move for move in record.moves] == [SHUFFLE[number % 4] for number in range(MOVES)]


async def test_the_page_of_a_match_holds_its_first_moves(door: Door, match: int) -> None:
    async with door.http.get(f"/matches/{match}") as response:
        text = await response.text()
    assert len(text) < 200 * (MOVE_BYTES + 1_000)
    assert '"next":200' in text
