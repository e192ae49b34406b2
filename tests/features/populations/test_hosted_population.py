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

from arena.connections.admission import hash_token, make_token
from arena.features.genomes.records import GenomeRecords
from arena.rating.sprt import Sprt
from bots.client.errors import RequestRefused
from bots.client.rest import RestClient
from bots.evolution import championship, genome
from bots.evolution.breeding import VERSION, Arenas, Breed
from bots.evolution.championship import Champion, finished
from bots.evolution.genome import SCHEMAS, Values
from bots.evolution.hosted_population import VISITS, Breeder, Kept, seated_alike
from bots.evolution.operators import chance_for
from bots.evolution.player import label
from bots.evolution.population import Population, founded
from bots.evolution.seats import seated
from tests.arena.store.company import play, versions
from tests.forked import starts
from tests.web.door import Door as Behind
from tests.web.door import opened, unhurried

LECTURE = SCHEMAS["checkers/lecture"]
BREED = Breed(VERSION, LECTURE.name, "kendall-whitwell", 6, 1, plies=40)


@pytest_asyncio.fixture
async def behind(tmp_path: Path) -> AsyncIterator[Behind]:
    """An arena in which nobody plays."""
    async with opened(tmp_path, unhurried("checkers", ladder=False)) as door:
        yield door


async def breeder(behind: Behind, name: str = "island") -> Breeder:
    """Return a breeder with an operator's token, and nobody who plays."""
    if await behind.arena.store.bots.named("evolved") is None:
        await behind.register("evolved")
    return Breeder(BREED, name, await operators_rest(behind), "evolved", every=2)


async def operators_rest(behind: Behind) -> RestClient:
    """Return the arena as an operator finds it."""
    token = make_token()
    behind.arena.store.operators.admit("breeder", hash_token(token))
    return RestClient(f"http://{behind.address}", token)


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
        with pytest.raises(RequestRefused, match="does not belong to an operator"):
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
    await store.records(GenomeRecords).put(
        strong.id, "checkers", msgspec.json.decode(genome.write(LECTURE, LECTURE.standard))
    )
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


BLIND = LECTURE.fitted([100_000, 0, 0, 0, 0])
"""Sees no difference between a king and no man at all."""


def alike(breed: Breed, champion: Values) -> Kept:
    """Return a population whose members are all what people use, under a champion."""
    (population,) = breed.begin()
    members = tuple(msgspec.structs.replace(one, values=LECTURE.standard) for one in population.members)
    return Kept(msgspec.structs.replace(population, members=members), Champion(champion, 0, 0))


async def test_a_challenger_becomes_champion_by_rated_matches_in_the_arena(
    behind: Behind, monkeypatch: pytest.MonkeyPatch
) -> None:
    # it decides after a sixth of the matches
    monkeypatch.setattr(championship, "TEST", Sprt(-100.0, 20.0, 0.05, 0.05, "logistic"))
    rest = await operators_rest(behind)
    breed = msgspec.structs.replace(BREED, plies=200)

    def work() -> tuple[Any, Any, str]:
        with Arenas("checkers", 1) as arenas, seated(f"http://{behind.address}") as seats:
            own = Breeder(breed, "island", rest, "hero", every=2, seats=seats)
            own.kept = alike(breed, BLIND)
            own.begin()
            own.step(arenas)
            own.step(arenas)
            assert own.kept.trial is not None
            number = own.kept.trial.tournament
            # a breeder that is killed and comes again finds the trial that it began
            again = Breeder(breed, "island", rest, "hero", every=2, seats=seats)
            again.begin()
            assert again.kept == own.kept
            finished(rest, number)
            assert again.step(arenas)
            assert again.champion is not None
            items = rest.get("/genomes?game=checkers")["items"]
            return rest.get(f"/tournaments/{number}"), items, label(LECTURE, again.champion.values)

    view, genomes, champion = await asyncio.to_thread(work)
    assert view["test"]["accepted"] == "H1"
    assert view["rated"]
    assert view["entries"] == ["hero-next", "hero"]
    assert ("hero", champion) in {(item["bot"], item["version"]) for item in genomes}
    # what it won as a challenger stands on the ladder
    (challenger,) = [item for item in genomes if item["bot"] == "hero-next" and item["version"] == champion]
    assert challenger["games"] == view["played"]
    assert challenger["rating"] > 1500


async def test_an_arena_decides_by_rated_matches_that_can_be_watched(behind: Behind) -> None:
    rest = await operators_rest(behind)

    def work() -> Population:
        with Arenas("checkers", 1) as arenas, seated(f"http://{behind.address}") as seats:
            own = Breeder(BREED, "island", rest, "member", every=100, seats=seats, decides=True)
            own.begin()
            first = own.kept
            own.step(arenas)
            # the tournament is found again by who forgot that it was played
            second = own.kept.population
            own.kept = first
            own.step(arenas)
            assert own.kept.population == second
            return second

    population = await asyncio.to_thread(work)
    (item,) = (await told(behind, "/tournaments"))["items"]
    view = await told(behind, f"/tournaments/{item['id']}")
    assert (view["played"], view["rated"], view["over"]) == (6, True, "all rounds are played")
    assert population.games == 6
    about = await told(behind, "/populations/1")
    assert about["spec"]["decided"]
    seats = [(member["bot"], member["version"]) for member in about["newest"]["members"]]
    assert len(set(seats)) == 6
    assert {bot for bot, _ in seats} == {f"member-{number}" for number in range(1, 7)}
    matches = (await told(behind, "/matches?status=finished"))["items"]
    assert {match["rated"] for match in matches} == {True}


def test_members_keep_their_seats() -> None:
    before = founded(LECTURE, 4, chance_for(1))
    one, two, three, four = before.members
    fresh = msgspec.structs.replace(two, number=7)
    after = msgspec.structs.replace(before, members=(four, fresh, one, three))
    assert seated_alike(before, (0, 1, 2, 3), after) == (3, 1, 0, 2)


async def test_an_existing_bot_keeps_its_seat(behind: Behind) -> None:
    own = await breeder(behind)
    await asyncio.to_thread(own.begin)
    rest = await operators_rest(behind)
    for names, why in ((["evolved"], "is taken by a bot that is not of"), (["no name"], "is not a name for a bot")):
        with pytest.raises(RequestRefused, match=why):
            await asyncio.to_thread(rest.post, "/populations/1/seats", {"names": names})
    (first,) = (await asyncio.to_thread(rest.post, "/populations/1/seats", {"names": ["new"]}))["items"]
    (again,) = (await asyncio.to_thread(rest.post, "/populations/1/seats", {"names": ["new"]}))["items"]
    assert (first["name"], again["name"]) == ("new", "new")
    assert first["token"] != again["token"]


async def test_a_population_is_bred_there_by_command(behind: Behind) -> None:
    token = make_token()
    behind.arena.store.operators.admit("somebody", hash_token(token))
    command = [sys.executable, "-m", "arena.cli", "evolve", "--arena", f"http://{behind.address}", "--game=checkers"]
    command += ["--population=6", "--plies=40", "--every=2", "--json"]

    async def run(generations: int, token: str, *more: str) -> tuple[int, bytes, bytes]:
        with starts():
            process = await asyncio.create_subprocess_exec(
                *command, f"--generations={generations}", "--token", token, *more, stdout=PIPE, stderr=PIPE
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
    assert await behind.arena.store.bots.named("island-next") is not None
    code, out, complaint = await run(1, token, "--name", "watched", "--decided")
    assert (code, msgspec.json.decode(out or b"null")["games"]) == (0, 6), complaint
    assert (await told(behind, "/tournaments"))["items"][0]["name"] == "watched, generation 0"
    code, _, complaint = await run(6, "wrong")
    assert code == 2
    assert b"this token does not belong to an operator" in complaint


async def told(behind: Behind, path: str) -> Any:
    """Ask the arena."""
    async with behind.http.get(f"/api/v1{path}") as response:
        assert response.status == 200
        return await response.json()


def test_invalid_addresses_are_refused() -> None:
    with pytest.raises(ValueError, match="is not an address of an arena"):
        RestClient("nowhere")
