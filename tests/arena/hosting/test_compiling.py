# SPDX-License-Identifier: GPL-3.0-or-later
"""Bots, pages and tournaments that wait for a compilation see it with an estimated time."""

import asyncio
import re
from types import SimpleNamespace

import pytest

from arena.hosting import readiness
from arena.hosting.readiness import Compiling
from arena.protocol.orders import HostProgress
from arena.protocol.watching import FollowLobby
from arena.registry import GameRegistry
from arena.settings import Settings
from arena.tournaments.machine.formats.round_robin import RoundRobin
from engine.native.compile_times import about
from tests.arena.conftest import OpenArena
from tests.arena.peers import PATIENCE, seat, until
from tests.arena.tournaments.test_manager import create
from tests.arena.watching.test_broadcast import Viewer

CHESS = HostProgress(warming="play for tictactoe", game="tictactoe", until={"tictactoe": 41.0, "chess": 200.0})


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.2, "a few seconds"), (12.0, "about 10 s"), (41.0, "about 40 s"), (200.0, "about 3 min")]
)
def test_times_are_written_for_people(seconds: float, text: str) -> None:
    assert about(seconds) == text


@pytest.fixture
def standing_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no time pass while something compiles: estimates count down."""
    monkeypatch.setattr(readiness, "time", SimpleNamespace(monotonic=lambda: 0.0))


@pytest.mark.usefixtures("standing_time")
def test_the_status_names_compilations_with_estimated_times() -> None:
    compiling = Compiling(GameRegistry(Settings(games="tictactoe,chess")), lambda bot: bot == "play")
    assert compiling.bots == ""
    compiling.heard(CHESS)
    assert compiling.bots == "play for tictactoe (tictactoe about 40 s, all about 3 min)"
    assert compiling.all == f"rules; {compiling.bots}"
    assert compiling.why_not("chess", "play").startswith("chess is not ready: ")
    compiling.heard(HostProgress(ready=True))
    assert compiling.bots == ""


@pytest.mark.usefixtures("standing_time")
async def test_a_challenge_to_a_bot_that_is_compiled_is_refused_with_the_time(open_arena: OpenArena) -> None:
    arena = await open_arena(games="tictactoe,nim", ladder=False)
    one = await seat(arena, "one", ["tictactoe", "nim"])
    await seat(arena, "two", ["nim"])
    arena.hosting.declare({"built-in": ["play", "two"]})
    arena.built_in_bots_progress(CHESS)
    for opponent in ("play", "two"):
        one.send(type="challenge", opponent=opponent, game="tictactoe")
        error = await one.next("error")
        assert error["code"] == "not-ready"
        assert error["message"] == f"{opponent} is not ready for tictactoe: compiling, about 40 s"
    arena.hosting.heard("built-in", HostProgress(settled=True))
    one.send(type="challenge", opponent="two", game="tictactoe")
    assert (await one.next("error"))["code"] == "challenge-refused"


@pytest.mark.usefixtures("standing_time")
async def test_a_tournament_tells_what_it_waits_for(open_arena: OpenArena) -> None:
    arena = await open_arena(games="tictactoe", ladder=False)
    arena.hosting.declare({"built-in": ["play"]})
    arena.built_in_bots_progress(CHESS)
    await seat(arena, "one", ["tictactoe"])
    number = await create(arena, RoundRobin(), ["one", "play"])

    # the tournament has games before they are due
    async with asyncio.timeout(PATIENCE):
        while (shown := await arena.tournaments.view(number)).waiting is None:  # noqa: ASYNC110  # nothing tells it
            await asyncio.sleep(0.01)
    assert re.fullmatch(r"play is not ready for tictactoe: compiling, about \d+ s", shown.waiting)
    arena.hosting.heard("built-in", HostProgress(settled=True))
    assert (await arena.tournaments.view(number)).waiting is None


async def test_the_compiler_hears_how_many_wait_for_a_game(open_arena: OpenArena) -> None:
    arena = await open_arena(games="tictactoe,nim", ladder=False)
    heard: list[dict[str, int]] = []
    arena.on_waiting = lambda waiting: heard.append(dict(waiting))
    arena.built_in_bots_progress(CHESS)
    await seat(arena, "one", ["nim"])
    await create(arena, RoundRobin(), ["one", "play"])
    Viewer(arena).say(FollowLobby(game="nim"))
    await until(lambda: {"nim": 2, "tictactoe": 1} in heard)
    assert arena.registry.waiting == {"nim": 2, "tictactoe": 1}
