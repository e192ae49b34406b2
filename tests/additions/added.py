# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests that run in a copy of the sources with the additions."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from arena.cli import main
from arena.protocol import messages
from bots.client.client import Client
from tests.arena.peers import ready
from tests.arena.tournaments.test_manager import NAMES, over, playing
from tests.bots.client.first import First
from tests.web.door import Door, opened, unhurried

pytestmark = pytest.mark.asyncio(loop_scope="session")

TURNS = 2


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data directory of the arena."""
    return tmp_path_factory.mktemp("added")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def door(folder: Path) -> AsyncIterator[Door]:
    """An arena whose ladder makes no matches."""
    async with opened(folder, unhurried("tictactoe", ladder=False)) as door:
        await ready(door.arena)
        yield door


async def test_a_tournament_of_the_added_format_is_created_by_its_options_and_played(door: Door, folder: Path) -> None:
    players = [word for name in NAMES for word in ("--player", name)]
    form = ("--format", "scheveningen", "--turns", str(TURNS))
    words = ("create", "Teams", "--game", "tictactoe", *form, *players, "--games", "1", "--rated", "--start")
    async with playing(door.arena, NAMES):
        assert await asyncio.to_thread(main, ["tournament", *words, "--data", str(folder)]) == 0
        door.arena.tournaments.look()
        shown = await over(door.arena, 1)
    assert (shown.description, shown.played) == ("scheveningen", len(NAMES) * TURNS)
    assert shown.tiebreaks == ("wins",)
    async with door.http.get("/api/v1/openapi.json") as answer:
        assert "Scheveningen" in (await answer.json())["components"]["schemas"]


async def test_the_added_rating_system_is_in_the_api_on_the_page_and_in_the_command(
    door: Door, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    query = "game=tictactoe&system=win-share"
    async with door.http.get(f"/api/v1/leaderboard?{query}") as answer:
        items = (await answer.json())["items"]
    assert [item["values"]["played"] for item in items] == [len(NAMES) * TURNS // 2] * len(NAMES)
    assert items[0]["rating"] >= items[-1]["rating"]
    async with door.http.get("/api/v1/openapi.json") as answer:
        assert "win-share: The share of points, in thousandths." in await answer.text()
    async with door.http.get(f"/leaderboard?{query}") as answer:
        page = await answer.text()
    assert ">Win share</a>" in page
    assert ">Rated games</th>" in page
    command = ["leaderboard", "tictactoe", "--system", "win-share", "--data", str(folder)]
    assert await asyncio.to_thread(main, command) == 0
    assert "Rated games" in capsys.readouterr().out


async def test_the_added_kind_of_genomes_is_evolved_continued_and_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ("--game", "tictactoe", "--schema", "tictactoe/squares", "--population", "8", "--plies", "9")
    command = ["evolve", *arguments, "--dynamics", "moran", "--seed", "3", "--islands", "2", "--migration", "2"]
    for generations in (2, 4):
        words = [*command, "--out", str(tmp_path / "parts"), "--generations", str(generations)]
        assert await asyncio.to_thread(main, words) == 0
    words = [*command, "--out", str(tmp_path / "whole"), "--generations", "4", "--threads", "2"]
    assert await asyncio.to_thread(main, words) == 0
    best, again = ((tmp_path / name / "best.json").read_bytes() for name in ("parts", "whole"))
    assert best == again
    capsys.readouterr()
    assert await asyncio.to_thread(main, ["evolve", "--show", str(tmp_path / "whole")]) == 0
    assert "square 9" in capsys.readouterr().out


async def test_the_added_message_is_answered(door: Door) -> None:
    _, token = await door.register()
    answers: asyncio.Queue[Any] = asyncio.Queue()

    def hear(message: Any) -> None:
        if isinstance(message, vars(messages)["Pong"]):
            answers.put_nowait(message)

    client: Any = Client(First(), url=f"http://{door.address}", token=token, games=["tictactoe"], heard=hear)
    async with client:
        await client.ping(7)
        async with asyncio.timeout(300):
            assert (await answers.get()).number == 7
