# SPDX-License-Identifier: GPL-3.0-or-later
"""Genome views: the server accepts them from built-in bots alone, and everybody may read them."""

from typing import Any

import pytest

from arena.connections.admission import hash_token, make_token
from tests.web.door import Door
from tests.web.players import bearer
from tests.web.test_match import get
from tests.web.test_tournaments import operator, post

pytestmark = pytest.mark.asyncio(loop_scope="session")

GENOME = {"version": 1, "kind": "steered", "program": ["horizon"]}


def view_of(**more: Any) -> dict[str, Any]:
    """Describe a genome with one look at a position."""
    branch = {"parent": -1, "move": "a1", "given": 2.0, "reach": 3, "nodes": 9}
    search = {"name": "mine", "nodes": 10, "depth": 3, "move": "a1", "branches": [branch]}
    look = {"position": ".../.../...", "diagram": ".........", "to_move": 0, "searches": [search]}
    word = {"label": "horizon", "meaning": "depth", "parent": -1, "start": 0, "end": 7}
    gene = {"name": "pawn", "value": 1.0, "low": 0.0, "high": 2.0, "standard": 1.0}
    modules = [{"title": "what positions are worth", "genes": [gene]}]
    about = {"schema": "tictactoe/lines", "nodes": 500, "formula": "horizon", "program": [word], "modules": modules}
    return about | {"search_traces": [look]} | more


def order(version: str, **more: Any) -> dict[str, Any]:
    """Describe what a version was bred to be."""
    return {"version": version, "game": "tictactoe", "genome": GENOME, "view": view_of()} | more


async def admitted(door: Door, name: str) -> str:
    """Admit a built-in bot; returns its token."""
    token = make_token()
    await door.arena.store.bots.admit_built_in(name, hash_token(token), description="Bred.")
    return token


async def test_a_built_in_bot_publishes_its_genome(door: Door) -> None:
    headers = bearer(await admitted(door, "bred-one"))
    body = order("s1", view=view_of(search_traces=[]))
    assert await post(door, "/genome-views", body, headers) == (200, {"bot": "bred-one", "version": "s1"})
    path = "/genome-views?bot=bred-one&version=s1"
    assert (await get(door, path, "GenomeViewAnswer"))["view"]["search_traces"] == []
    # a later report replaces it
    assert (await post(door, "/genome-views", order("s1"), headers))[0] == 200
    found = await get(door, path, "GenomeViewAnswer")
    assert found["genome"] == GENOME
    (look,) = found["view"]["search_traces"]
    assert look["searches"][0]["branches"][0]["move"] == "a1"
    told = await get(door, "/genomes?game=tictactoe", "GenomesAnswer")
    (own,) = [item for item in told["items"] if item["bot"] == "bred-one"]
    assert (own["genome"], own["has_view"]) == (GENOME, True)
    bot = await get(door, f"/bots/{own['bot_id']}/genomes", "BotGenomesAnswer")
    assert bot["items"] == [{"version": "s1", "game": "tictactoe"}]


async def test_nobody_else_is_believed(door: Door) -> None:
    _, own = await door.register()
    for headers in (None, bearer(own), bearer("nonsense"), await operator(door)):
        status, answer = await post(door, "/genome-views", order("s1"), headers)
        assert (status, answer["error"]["code"]) == (401, "not-allowed")


@pytest.mark.parametrize(
    "change",
    [
        {"game": "go"},
        {"version": ""},
        {"view": view_of(more=1)},
        {"view": view_of(formula="x" * 5_000)},
        {"view": view_of(nodes=-1)},
        {"view": {}},
    ],
)
async def test_what_cannot_be_is_refused(door: Door, change: dict[str, Any]) -> None:
    headers = bearer(await admitted(door, "bred-two"))
    status, answer = await post(door, "/genome-views", order("s1") | change, headers)
    assert status == 400, answer
    async with door.http.get("/api/v1/genome-views?bot=bred-two&version=s1") as response:
        assert response.status == 404


async def test_a_genome_without_further_facts(door: Door) -> None:
    name, _ = await door.register()
    genome = {"version": 1, "values": {"man": 1}}
    body = {"bot": name, "version": "g1", "game": "tictactoe", "genome": genome}
    assert (await post(door, "/genomes", body, await operator(door)))[0] == 200
    told = await get(door, "/genomes?game=tictactoe", "GenomesAnswer")
    (own,) = [item for item in told["items"] if item["bot"] == name]
    assert (own["genome"], own["has_view"]) == (genome, False)
    async with door.http.get(f"/api/v1/genome-views?bot={name}&version=g1") as response:
        assert response.status == 404
        assert "there is no genome view" in (await response.json())["error"]["message"]


async def test_operators_report_genomes_of_bots(door: Door) -> None:
    headers, (name, _) = await operator(door), await door.register()
    body = {"bot": name, "version": "g1", "game": "nim", "genome": {"version": 1, "values": {"man": 1}}}
    assert (await post(door, "/genomes", body))[0] == 401
    assert (await post(door, "/genomes", body, headers))[1] == {"bot": name, "version": "g1"}
    assert (await post(door, "/genomes", body | {"bot": "nobody"}, headers))[0] == 400
    told = await get(door, "/genomes?game=nim", "GenomesAnswer")
    (own,) = [item for item in told["items"] if item["bot"] == name]
    assert (own["genome"], own["rating"]) == (body["genome"], None)
