# SPDX-License-Identifier: GPL-3.0-or-later
"""The process of the built-in bots: it reads orders, reports progress, plays, and ends with its standard input."""

import asyncio
import contextlib
import json
import signal
import sys
import threading
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from arena.protocol import messages as wire
from arena.protocol.errors import CloseCode
from arena.protocol.orders import HostedBot, HostOrders, HostProgress
from bots.built_in import process
from bots.built_in.kinds.adaptive import AdaptiveBot
from bots.testing import TOKEN, MiniArena, TicTacToe
from tests.arena.peers import until
from tests.bots.client.scripted import LEGAL, Peer, match, scripted, turn


@contextlib.asynccontextmanager
async def started(line: str) -> AsyncIterator[Process]:
    """Run the process and give it its first line."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bots.built_in.process", stdin=PIPE, stdout=PIPE, stderr=PIPE
    )
    assert process.stdin is not None
    process.stdin.write(line.encode() + b"\n")
    await process.stdin.drain()
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def orders(url: str, kind: str, name: str) -> str:
    """The orders for one built-in bot."""
    return json.dumps({"url": url, "bots": [{"kind": kind, "name": name, "token": TOKEN}], "games": ["tictactoe"]})


async def until_ready(process: Process) -> list[str]:
    """Read progress until all is ready; returns what was being prepared."""
    assert process.stdout is not None
    assert process.stderr is not None
    steps: list[str] = []
    while True:
        line = await process.stdout.readline()
        assert line, (await process.stderr.read()).decode()
        told = json.loads(line)
        if told.get("ready"):
            return steps
        if not told.get("again"):
            steps.append(told["warming"])


async def test_it_warms_up_plays_and_ends_with_its_standard_input() -> None:
    async with (
        MiniArena(TicTacToe(), seconds=600) as arena,
        started(orders(arena.url, "searching", "alphabeta-4")) as process,
    ):
        assert await until_ready(process) == ["alphabeta-4 for tictactoe"]
        hello = await arena.welcome()
        assert hello.games == ["tictactoe"]
        await asyncio.gather(*[arena.play(await arena.begin(seat)) for seat in (0, 1)])
        assert process.stdin is not None
        process.stdin.close()
        assert await asyncio.wait_for(process.wait(), 600) == 0


async def test_a_bot_that_needs_no_compiled_code_plays_first() -> None:
    async with MiniArena(TicTacToe(), seconds=600) as arena, started(orders(arena.url, "random", "random")) as process:
        await arena.welcome()
        await arena.play(await arena.begin(0))
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), 600) == 0


async def test_each_game_is_played_as_soon_as_it_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    games = ["tictactoe", "nim", "nim/7"]
    compiled = {game: threading.Event() for game in games}
    heard: asyncio.Queue[list[str] | None] = asyncio.Queue()

    async def script(peer: Peer) -> None:
        heard.put_nowait((await peer.welcome()).games)
        await peer.socket.wait_closed()

    # how long a game takes is the test's to say, and its own process shall stay as it is
    monkeypatch.setattr(process, "_prepare", lambda bot, game: compiled[game].wait(600))
    monkeypatch.setattr(process, "_seconds", lambda game, names: dict.fromkeys(names, 1.0 + games.index(game)))
    monkeypatch.setattr(process, "_let_the_arena_go_first", lambda: None)
    async with scripted(script, script, script) as arena:
        told = HostOrders(arena.url, [HostedBot("searching", "minimax-2", TOKEN)], games)
        running = asyncio.create_task(process.BuiltInBots(told, lambda step: None).run())
        for count, game in enumerate(games, 1):
            compiled[game].set()
            async with asyncio.timeout(600):
                assert await heard.get() == games[:count]
        running.cancel()
        await asyncio.wait({running})


async def test_small_games_come_first_and_what_somebody_waits_for_before_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    seconds = {"chess": 40.0, "checkers": 20.0, "nim": 3.0, "tictactoe": 2.0}
    compiled: list[str] = []
    go_on = threading.Semaphore(0)
    told: list[HostProgress] = []

    def prepare(bot: object, game: str) -> float:
        compiled.append(game)
        assert go_on.acquire(timeout=600)
        return 0.1

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.socket.wait_closed()

    monkeypatch.setattr(process, "_prepare", prepare)
    monkeypatch.setattr(process, "_seconds", lambda game, names: dict.fromkeys(names, seconds[game]))
    monkeypatch.setattr(process, "_let_the_arena_go_first", lambda: None)
    monkeypatch.setattr(process, "TELL", 0.01)
    async with scripted(*[script] * 4) as arena:
        orders = HostOrders(arena.url, [HostedBot("searching", "minimax-2", TOKEN)], list(seconds))
        built_in = process.BuiltInBots(orders, told.append)
        running = asyncio.create_task(built_in.run())
        await until(lambda: bool(compiled) and sum(step.again for step in told) >= 2)
        assert compiled == ["tictactoe"]
        first, *others = told
        assert (first.warming, first.game, first.again) == ("minimax-2 for tictactoe", "tictactoe", False)
        assert list(first.until) == ["tictactoe", "nim", "checkers", "chess"], "in this order they are ready"
        # the time since its start is subtracted from all
        assert first.until["chess"] <= 65.0
        assert first.until["chess"] - first.until["checkers"] == pytest.approx(40.0, abs=0.11)
        assert first.until["checkers"] - first.until["nim"] == pytest.approx(20.0, abs=0.11)
        assert all(step.until["chess"] <= 65.0 for step in others)
        built_in.waiting = {"chess": 1}
        for _ in seconds:
            go_on.release()
        await until(lambda: any(step.ready for step in told))
        running.cancel()
        await asyncio.wait({running})
    assert compiled == ["tictactoe", "chess", "nim", "checkers"]


def test_a_further_line_changes_the_priority_of_games() -> None:
    bots = process.BuiltInBots(HostOrders("ws://127.0.0.1:1/play", [], []), lambda step: None)
    bots.update("no such line\n")
    bots.update('{"waiting": {"nim": 2}}\n')
    assert bots.waiting == {"nim": 2}


async def test_a_learning_bot_enters_once_with_all_games(monkeypatch: pytest.MonkeyPatch) -> None:
    prepared: list[str] = []
    heard: asyncio.Queue[list[str] | None] = asyncio.Queue()

    async def script(peer: Peer) -> None:
        heard.put_nowait((await peer.welcome()).games)
        await peer.socket.wait_closed()

    monkeypatch.setattr(process, "_prepare", lambda bot, game: prepared.append(game))
    monkeypatch.setattr(AdaptiveBot, "prepare", lambda bot, names: None)
    told = list[HostProgress]()
    async with scripted(script) as arena:
        orders = HostOrders(
            arena.url, [HostedBot("adaptive", "adaptive", TOKEN)], ["tictactoe", "nim"], background=True
        )
        running = asyncio.create_task(process.BuiltInBots(orders, told.append).run())
        async with asyncio.timeout(600):
            assert await heard.get() == prepared == ["tictactoe", "nim"]
        await until(lambda: told == [HostProgress(ready=True), HostProgress(settled=True)])
        running.cancel()
        await asyncio.wait({running})


async def test_a_bot_that_is_not_wanted_leaves_the_others_alone() -> None:
    async def script(peer: Peer) -> None:
        hello = await peer.hear(wire.Hello)
        if hello.token == "wrong":
            await peer.socket.close(CloseCode.UNKNOWN_TOKEN)
            return
        await peer.say(wire.Welcome(1, "scripted", "us", "1", hello.games, []), match(), turn())
        assert (await peer.hear(wire.Move)).move in LEGAL

    bots = [
        {"kind": "random", "name": "random", "token": "right"},
        {"kind": "searching", "name": "minimax-2", "token": "wrong"},
    ]
    async with AsyncExitStack() as stack:
        arena = await stack.enter_async_context(scripted(script, script))
        told = json.dumps({"url": arena.url, "bots": bots, "games": ["tictactoe"]})
        process = await stack.enter_async_context(started(told))
        await until_ready(process)
        await arena.done()
        assert process.returncode is None


async def test_orders_that_cannot_be_read() -> None:
    async with started("be nice") as process:
        assert process.stderr is not None
        assert b"the first line is no" in await process.stderr.read()
        assert await process.wait() == 2
