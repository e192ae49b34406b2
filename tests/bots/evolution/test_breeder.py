# SPDX-License-Identifier: GPL-3.0-or-later
"""The breeder, as a client of a real arena."""

import asyncio
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import pytest_asyncio

from arena.settings import Settings
from arena.tokens import hash_token, make_token
from bots.evolution import genome
from bots.evolution.breeder import VISITS, Breeder
from bots.evolution.breeding import VERSION, Arenas, Breed
from bots.evolution.door import Door, Refused
from bots.evolution.genes import SCHEMAS
from bots.evolution.player import label
from tests.arena.store.company import play, versions
from tests.web.door import Door as Behind
from tests.web.door import opened

LECTURE = SCHEMAS["checkers/lecture"]
BREED = Breed(VERSION, LECTURE.name, "kendall-whitwell", 6, 1, plies=40)


@pytest_asyncio.fixture
async def behind(tmp_path: Path) -> AsyncIterator[Behind]:
    """An arena in which nobody plays."""
    async with opened(tmp_path, Settings(games="checkers", ladder=False)) as door:
        yield door


async def breeder(behind: Behind, name: str = "deme") -> Breeder:
    """Return a breeder with an operator's token."""
    token = make_token()
    await behind.arena.store.operators.admit("breeder", hash_token(token))
    if await behind.arena.store.bots.named("evolved") is None:
        await behind.register("evolved")
    return Breeder(BREED, name, Door(f"http://{behind.address}", token), "evolved", every=2)


async def test_a_population_lives_in_the_arena_and_outlives_its_breeder(behind: Behind) -> None:
    first = await breeder(behind)
    with Arenas("checkers", 1, plies=40) as arenas:
        await asyncio.to_thread(first.begin)
        crowned = [await asyncio.to_thread(first.step, arenas) for _ in range(3)]
        assert crowned == [False, True, False]
        assert first.champion is not None
        second = await breeder(behind)
        await asyncio.to_thread(second.begin)
        assert second.kept == first.kept
        # what two report alike does no harm
        await asyncio.to_thread(second.step, arenas)
        with pytest.raises(Refused, match="no operator's"):
            await asyncio.to_thread(first.step, arenas)
        assert first.kept != second.kept
        third = await breeder(behind)
        third.kept, third._number = first.kept, first._number
        await asyncio.to_thread(third.step, arenas)
        assert third.kept == second.kept
    about = await told(behind, "/populations/1")
    assert about["generations"] == 5
    assert about["newest"]["champion"] == label(LECTURE, first.champion.values)
    assert about["lineage"][0]["number"] == about["newest"]["best"]
    (item,) = (await told(behind, "/genomes?game=checkers"))["items"]
    assert genome.read(msgspec.json.encode(item["genome"])) == (LECTURE, first.champion.values)


async def test_a_stranger_s_genome_that_wins_has_children(behind: Behind) -> None:
    store = behind.arena.store
    strong, weak = await versions(store, "stranger", "somebody")
    await store.populations.express(strong.id, "checkers", genome.write(LECTURE, LECTURE.standard).encode())
    for _ in range(4):
        await play(store, strong, weak)
    own = await breeder(behind)
    with Arenas("checkers", 1, plies=40) as arenas:
        await asyncio.to_thread(own.begin)
        came: list[int] = []
        for _ in range(30):
            await asyncio.to_thread(own.step, arenas)
            members = own.kept.population.members
            came += [member.number for member in members if member.name == "stranger"]
            if any(parent in came for member in members for parent in member.parents):
                break
        else:
            pytest.fail("the stranger had no child in 30 generations")
    assert set(own.kept.admitted) == {"1"}
    assert len(own.kept.admitted) <= VISITS
    newest = (await told(behind, "/populations/1"))["newest"]
    assert any(parent in came for member in newest["members"] for parent in member["parents"])


async def test_a_population_is_bred_there_by_command(behind: Behind) -> None:
    token = make_token()
    await behind.arena.store.operators.add("somebody", hash_token(token))
    await behind.register("evolved")
    command = [sys.executable, "-m", "arena.cli", "evolve", "--arena", f"http://{behind.address}", "--game=checkers"]
    command += ["--population=6", "--plies=40", "--every=2", "--json"]

    async def run(generations: int, token: str) -> tuple[int, bytes, bytes]:
        process = await asyncio.create_subprocess_exec(
            *command, f"--generations={generations}", "--token", token, stdout=PIPE, stderr=PIPE
        )
        out, complaint = await process.communicate()
        assert process.returncode is not None
        return process.returncode, out, complaint

    for generations in (2, 4):
        code, out, complaint = await run(generations, token)
        assert code == 0, complaint
        answer = msgspec.json.decode(out)
        assert (answer["generation"], answer["games"]) == (generations, 6 * generations)
        assert answer["champion"].startswith("g")
    assert (await told(behind, "/populations/1"))["generations"] == 5
    code, _, complaint = await run(6, "wrong")
    assert code == 2
    assert b"the token is no operator's" in complaint


async def told(behind: Behind, path: str) -> Any:
    """Ask the arena."""
    async with behind.http.get(f"/api/v1{path}") as response:
        assert response.status == 200
        return await response.json()


def test_what_is_no_address_is_refused() -> None:
    with pytest.raises(ValueError, match="is no address of an arena"):
        Door("nowhere")
