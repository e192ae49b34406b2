# SPDX-License-Identifier: GPL-3.0-or-later
import asyncio
import errno
import os
import subprocess
from asyncio.subprocess import Process
from collections.abc import AsyncGenerator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arena.hosting import supervisor
from arena.registry import GameRegistry, compiled_elsewhere
from arena.settings import Settings
from engine import warm


async def test_another_process_compiles_and_tells_of_each_game() -> None:
    told = [compiled async for compiled in compiled_elsewhere(["tictactoe", "nim"])]
    assert sorted(compiled[:2] for compiled in told) == [("nim", ""), ("tictactoe", "")]
    assert all(compiled.took > 0 for compiled in told)


async def test_a_game_that_does_not_compile_costs_no_other_and_is_reported() -> None:
    told = {name: failed async for name, failed, *_ in compiled_elsewhere(["no-such-game", "nim"])}
    assert told.pop("nim") == ""
    assert "no-such-game" in told.pop("no-such-game")


async def test_a_compiler_that_dies_is_reported_for_every_game_that_it_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm, "command", lambda names: ["/bin/sh", "-c", "kill -9 $$"])
    (compiled,) = [compiled async for compiled in compiled_elsewhere(["nim"])]
    assert compiled[:2] == ("nim", "the process that compiles ended with status -9")


class Short:
    """A system that cannot start a process for some attempts."""

    def __init__(self, failures: int) -> None:
        self.failures = failures
        self._start = asyncio.create_subprocess_exec

    async def start(self, *command: str, **options: Any) -> Process:
        """Start one, or fail as fork does."""
        if self.failures:
            self.failures -= 1
            raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        return await self._start(*command, **options)


@pytest.mark.parametrize(("failures", "ready"), [(2, True), (99, False)])
async def test_a_compiler_that_cannot_be_started_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, failures: int, ready: bool
) -> None:
    monkeypatch.setattr(asyncio, "create_subprocess_exec", Short(failures).start)
    monkeypatch.setattr(supervisor, "WAITS", (0.0, 0.0, 0.0))
    monkeypatch.setattr(warm, "quick", lambda game: False)
    registry = GameRegistry(Settings(games="nim"))
    assert "compiled" in registry.reason("nim")
    assert [game.name async for game in registry.prepare([])] == ["nim"] * ready
    assert registry.is_ready("nim") == ready
    assert "nim" in registry.games, "it is still offered"
    assert ("temporarily unavailable" in registry.reason("nim")) == (not ready)
    assert [game.name async for game in registry.prepare([])] == [], "ready games are not loaded again"


async def test_rules_that_fail_leave_the_game_waiting_and_are_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    registry = GameRegistry(Settings(games="nim"))

    def fail(game: object) -> None:
        raise ValueError("no such instruction")

    with monkeypatch.context() as broken:
        broken.setattr(warm, "rules", fail)
        assert [game.name async for game in registry.prepare([])] == []
    assert registry.reason("nim") == "its rules cannot be compiled: ValueError: no such instruction"
    assert [game.name async for game in registry.prepare([])] == ["nim"]
    assert registry.reason("nim") == ""


def test_an_empty_cache_is_filled(tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    command = warm.command(["tictactoe"])
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=600)
    assert '"tictactoe"' in done.stdout
    assert '"failed": ""' in done.stdout
    assert list(tmp_path.rglob("*.nbc"))
    assert list(tmp_path.glob("*/tictactoe.warm"))


async def test_games_are_offered_at_once_and_ready_one_by_one() -> None:
    registry = GameRegistry(Settings(games="tictactoe,nim", time_controls="nim=3+1"))
    assert list(registry.games) == ["tictactoe", "nim"]
    assert (registry.ready, bool(registry.warming)) == (False, True)
    seen: list[str] = []
    async for game in registry.prepare(["nim/7", "no-such-game"]):
        assert not registry.is_ready(game.name)
        assert all(registry.is_ready(name) == (name in registry.games) for name in seen)
        seen.append(game.name)
    assert sorted(seen) == ["nim", "nim/7", "tictactoe"]
    assert (registry.ready, registry.warming) == (True, "")
    nim = registry.games["nim"]
    assert (str(registry.time_control(nim)), registry.time_class(nim)) == ("3+1", "bullet")


async def test_the_same_seed_draws_the_same_opening() -> None:
    registry = GameRegistry(Settings(games="tictactoe"))
    game = registry.games["tictactoe"]
    warm.rules(game)
    assert await registry.opening(game, 7) == await registry.opening(game, 7)
    assert len({await registry.opening(game, seed) for seed in range(20)}) > 3


async def test_small_games_are_compiled_first_and_awaited_ones_before_them(monkeypatch: pytest.MonkeyPatch) -> None:
    registry = GameRegistry(Settings(games="chess,checkers,tictactoe,nim"))
    seconds = {"chess": 30.0, "checkers": 20.0, "tictactoe": 2.0, "nim": 3.0}
    monkeypatch.setattr(warm, "quick", lambda game: False)
    monkeypatch.setattr(warm, "rules", lambda game: None)
    monkeypatch.setattr("arena.registry.time", SimpleNamespace(monotonic=lambda: 0.0))  # estimates count down
    monkeypatch.setattr("arena.registry.expected", lambda game, job: seconds[game])
    # the test decides what counts as compiled
    monkeypatch.setattr(warm, "command", lambda names: ["/bin/sh", "-c", COMPILE])
    order = []
    async for game in registry.prepare([]):
        order.append(game.name)
        if len(order) == 1:
            assert "rules of tictactoe" not in registry.warming
            assert registry.seconds("chess") > registry.seconds("checkers") > 0
            assert "s" in registry.reason("chess").partition("compiled: about ")[2]
            registry.waiting = {"chess": 1}
    assert order[0] == "tictactoe"
    assert order.index("chess") < order.index("checkers"), "somebody waits for it"
    assert registry.seconds("chess") == 0


COMPILE = """
while read -r name; do
    echo "{\\"name\\": \\"$name\\", \\"cache\\": \\"$NUMBA_CACHE_DIR\\", \\"failed\\": \\"\\", \\"took\\": 0.1}"
done
"""


@pytest.mark.parametrize("quick", [True, False])
async def test_a_request_waits_for_rules_that_are_loaded_and_not_for_a_compilation(
    monkeypatch: pytest.MonkeyPatch, quick: bool
) -> None:
    begun, loaded = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def load(game: object) -> None:
        loop.call_soon_threadsafe(begun.set)
        asyncio.run_coroutine_threadsafe(loaded.wait(), loop).result()

    async def compiled(names: list[str], choose: object) -> AsyncGenerator[Any, None]:
        begun.set()
        await loaded.wait()
        yield SimpleNamespace(name="nim", failed="", clock=1.0, took=1.0)

    monkeypatch.setattr(warm, "quick", lambda game: quick)
    monkeypatch.setattr(warm, "rules", load)
    monkeypatch.setattr("arena.registry.compiled_elsewhere", compiled)
    registry = GameRegistry(Settings(games="nim"))
    early = asyncio.create_task(registry.until_loaded("nim"))

    async def prepare() -> list[str]:
        return [game.name async for game in registry.prepare([])]

    preparing = asyncio.create_task(prepare())
    await begun.wait()
    if quick:
        late = asyncio.create_task(registry.until_loaded("nim"))
        await asyncio.sleep(0)
        assert not early.done()
        assert not late.done()
        loaded.set()
        await asyncio.gather(early, late)
        assert registry.is_ready("nim")
    else:
        await early
        await registry.until_loaded("nim")
        assert not registry.is_ready("nim")
        loaded.set()
    assert await preparing == ["nim"]
    await registry.until_loaded("nim")
