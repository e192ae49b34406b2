# SPDX-License-Identifier: GPL-3.0-or-later
"""The courier against a real arena: nothing is lost and nothing arrives twice, whichever side ends meanwhile."""

import asyncio
import shutil
import socket
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import pytest_asyncio

from arena.features.volunteers.exchange import Exchange
from arena.protocol.codec import EXCHANGE
from arena.protocol.island_messages import IslandReport, IslandTerms, Join
from bots.client.errors import RequestRefused
from bots.client.rest import RestClient
from bots.evolution.breeding import VERSION, Bred, Breed, first
from bots.evolution.evochess.genome import drawn, schema_for
from bots.evolution.evochess.searches import Searches, genotype_of
from bots.evolution.evochess.volunteer import JOINED, Courier, NotJoined, by_terms, report_of
from bots.evolution.islands import Guest
from bots.evolution.operators import chance_for
from tests.features.volunteers.test_api import NODES, SETTINGS, Island, invited, joined, tried
from tests.web.door import Door, opened
from tests.web.test_tournaments import operator

PATIENCE = 600.0
"""Seconds until a test gives up, on a machine that is busy with other things."""

ELITE = 2
BREED = Breed(VERSION, "checkers/search", "evochess", 4, 1, {"elite": ELITE, "contest": 3}, nodes=NODES)


@pytest_asyncio.fixture
async def here(tmp_path: Path) -> AsyncIterator[Door]:
    """An arena of the test's own."""
    (tmp_path / "arena").mkdir()
    async with opened(tmp_path / "arena", SETTINGS) as door:
        yield door


def told(generation: int, score: float = 0.25) -> IslandReport:
    """Return what is reported of a generation."""
    (island,) = first(BREED)
    best = {"games": 16, "points": 16 * score, "moves": 480, "nodes": 48_000}
    population = msgspec.structs.replace(
        island.population,
        generation=generation,
        games=64 * (generation + 1),
        state=island.population.state | {"played": {"level": 1, "mean": score, "best": best}},
    )
    return report_of(BREED, (Bred(population),))


def token_of(island: Island) -> str:
    """Return an island's token."""
    return island.headers["Authorization"].removeprefix("Bearer ")


async def arrived(courier: Courier, told: Callable[[Courier], bool]) -> None:
    """Wait until a courier is so far."""
    async with asyncio.timeout(PATIENCE):
        while not told(courier):  # noqa: ASYNC110  # it happens in a thread
            await asyncio.sleep(0.02)


async def reported(courier: Courier, count: int) -> None:
    """Wait until so many reports have arrived."""
    await arrived(courier, lambda one: one.reports >= count)


def patient(door: Door, island: Island) -> RestClient:
    """Return a client that waits for each answer: none is asked for twice because the arena is slow."""
    return RestClient(f"http://{door.address}", token_of(island), timeout=PATIENCE)


async def carrying(door: Door, island: Island, folder: Path, pace: float = 0.0) -> Courier:
    """Return a courier that has joined, and carries."""
    courier = Courier(patient(door, island), folder, pace)
    await asyncio.to_thread(courier.join, Join(EXCHANGE, "test", "checkers", courier.run, 1, 4))
    courier.start()
    return courier


async def stopped(courier: Courier) -> bool:
    """Stop a courier; returns whether all has arrived."""
    return await asyncio.to_thread(courier.stop, PATIENCE)


async def test_reports_arrive_one_after_the_other(here: Door, tmp_path: Path) -> None:
    island = await invited(here, "island")
    courier = await carrying(here, island, tmp_path)
    for number in range(3):
        courier.tell(told(number))
        await reported(courier, number + 1)
    assert await stopped(courier)
    shown = await island.shown()
    assert (shown["reports"], shown["generation"], shown["refusals"], shown["repeated"]) == (3, 2, {}, 0)


async def test_of_what_there_is_to_tell_the_newest_is_carried(here: Door, tmp_path: Path) -> None:
    island = await invited(here, "island")
    began = asyncio.get_running_loop().time()
    courier = await carrying(here, island, tmp_path, pace=1.0)
    for number in range(30):
        courier.tell(told(number))
        await asyncio.sleep(0.01)
    assert await stopped(courier)
    shown = await island.shown()
    assert shown["reports"] <= asyncio.get_running_loop().time() - began + 3
    assert shown["generation"] == 29


async def test_what_was_sent_and_not_acknowledged_is_sent_again(here: Door, tmp_path: Path) -> None:
    island = await invited(here, "island")
    courier = await carrying(here, island, tmp_path)
    courier.tell(told(0))
    await reported(courier, 1)
    before = (tmp_path / JOINED).read_bytes()
    courier.tell(told(1))
    await reported(courier, 2)
    assert await stopped(courier)
    # as if it had been killed between sending the second report and hearing of it
    state = msgspec.json.decode(before)
    state["pending"] = msgspec.to_builtins(msgspec.structs.replace(told(1), run=courier.run, sequence=2))
    (tmp_path / JOINED).write_bytes(msgspec.json.encode(state))
    again = await carrying(here, island, tmp_path)
    await reported(again, 1)
    again.tell(told(2))
    assert await stopped(again)
    shown = await island.shown()
    assert (shown["reports"], shown["repeated"], shown["generation"], shown["refusals"]) == (3, 1, 2, {})


async def test_a_folder_of_yesterday_begins_another_run(here: Door, tmp_path: Path) -> None:
    island = await invited(here, "island")
    courier = await carrying(here, island, tmp_path / "island")
    courier.tell(told(0))
    await reported(courier, 1)
    shutil.copytree(tmp_path / "island", tmp_path / "yesterday")
    courier.tell(told(7))
    assert await stopped(courier)
    again = await carrying(here, island, tmp_path / "yesterday")
    assert again.run != courier.run
    again.tell(told(3))
    assert await stopped(again)
    shown = await island.shown()
    assert (shown["reports"], shown["generation"], shown["refusals"]) == (3, 3, {})
    late = await carrying(here, island, tmp_path / "island")
    late.tell(told(8))
    assert await stopped(late), "and so does the other one, when it is back"
    assert (await island.shown())["generation"] == 8


def in_vain(ask: Callable[..., Any], loop: asyncio.AbstractEventLoop, tried: asyncio.Event) -> Callable[..., Any]:
    """Return what asks as ``ask`` does, and tells of a call without an answer."""

    def asked(*arguments: Any) -> Any:
        try:
            return ask(*arguments)
        except OSError:
            loop.call_soon_threadsafe(tried.set)
            raise

    return asked


async def test_an_arena_that_is_away_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "arena").mkdir()
    async with opened(tmp_path / "arena", SETTINGS) as door:
        island = await invited(door, "island")
        courier = await carrying(door, island, tmp_path)
    tried = asyncio.Event()
    with socket.socket() as closed:
        # nobody else listens there
        closed.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        host, _, port = door.address.partition(":")
        closed.bind((host, int(port)))
        monkeypatch.setattr(courier, "_ask", in_vain(courier._ask, asyncio.get_running_loop(), tried))
        courier.tell(told(0))
        async with asyncio.timeout(PATIENCE):
            await tried.wait()
    assert (courier.reports, courier.refused) == (0, None)
    async with opened(tmp_path / "arena", SETTINGS) as door:
        # it is at another port now
        monkeypatch.setattr(courier, "_rest", patient(door, island))
        assert await stopped(courier)
        island.door = door
        assert (await island.shown())["reports"] == 1


async def test_an_island_that_lost_its_access_is_informed(here: Door, tmp_path: Path) -> None:
    island = await invited(here, "island")
    courier = await carrying(here, island, tmp_path)
    await here.arena.part(Exchange).records.remove("island")
    await here.arena.part(Exchange).islands.tidy()
    courier.tell(told(0))
    await arrived(courier, lambda one: one.refused is not None)
    assert "does not belong to an island" in str(courier.refused)
    assert not await stopped(courier)
    again = Courier(RestClient(f"http://{here.address}", token_of(island)), tmp_path, 0.0)
    with pytest.raises(RequestRefused, match="does not belong to an island"):
        await asyncio.to_thread(again.join, Join(EXCHANGE, "test", "checkers", again.run, 1, 4))
    again.stop()


async def test_a_mate_is_kept_until_it_stands_in_the_run(here: Door, tmp_path: Path) -> None:
    headers = await operator(here)
    strong, weak = await joined(here, "strong"), await invited(here, "weak")
    await strong.report(0.9, seed=4)
    assert (await tried(here, headers, 0.9))["verdict"] == "confirmed"
    courier = await carrying(here, weak, tmp_path)
    courier.tell(told(0))
    await arrived(courier, lambda one: bool(one.guests()))
    (guest,) = courier.guests()
    assert guest.genotype == genotype_of(drawn(schema_for("checkers"), chance_for(4)))
    assert await stopped(courier)
    again = await carrying(here, weak, tmp_path)
    assert again.guests() == [guest]
    again.tell(told(1))
    await reported(again, 1)
    assert again.guests() == [guest], "it is offered again, and here already"
    again.placed({guest.migration})
    assert again.guests() == []
    again.tell(told(2))
    assert await stopped(again)
    assert ((await weak.shown())["taken"], (await strong.shown())["given"]) == (1, 1)


async def test_quarantine_is_reported(here: Door, tmp_path: Path) -> None:
    headers, island = await operator(here), await invited(here, "liar")
    courier = await carrying(here, island, tmp_path)
    courier.tell(told(0, score=1.0))
    await reported(courier, 1)
    assert (await tried(here, headers, 0.0))["verdict"] == "refuted"
    courier.tell(told(1, score=1.0))
    assert await stopped(courier)
    assert "the arena measured 0.000" in courier.quarantined


def test_a_folder_is_for_one_process_at_a_time(tmp_path: Path) -> None:
    courier = Courier(RestClient("http://127.0.0.1:9"), tmp_path, 1.0)
    with pytest.raises(NotJoined, match="another process uses"):
        Courier(RestClient("http://127.0.0.1:9"), tmp_path, 1.0)
    courier.stop()
    Courier(RestClient("http://127.0.0.1:9"), tmp_path, 1.0).stop()


def test_a_damaged_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / JOINED).write_text("{")
    with pytest.raises(NotJoined, match=r"joined\.json"):
        Courier(RestClient("http://127.0.0.1:9"), tmp_path, 1.0)


# ---------------------------------------------------------------- guests


def test_a_guest_of_another_game_is_refused() -> None:
    guest = Guest(1, genotype_of(drawn(schema_for("chess"), chance_for(1))))
    with pytest.raises(ValueError, match="genes"):
        first(BREED, [guest])


def test_guests_are_in_the_first_generation_too() -> None:
    guest = Guest(7, Searches(schema_for("checkers")).drawn(chance_for(1)))
    (island,) = first(BREED, [guest])
    assert [member.migration for member in island.population.members] == [0, 0, 0, 7]


def test_the_arena_says_what_a_move_may_cost() -> None:
    terms = IslandTerms("checkers", nodes=77, plies=120, highest=7, interval=1.0)
    assert (by_terms(BREED, terms).nodes, by_terms(BREED, terms).plies) == (77, 120)
    with pytest.raises(ValueError, match="nodes must be"):
        by_terms(BREED, IslandTerms("checkers", 0, 120, 7, 1.0))
