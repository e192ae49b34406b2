# SPDX-License-Identifier: GPL-3.0-or-later
import os
import subprocess
from pathlib import Path

from arena.programme import Programme, compiled_elsewhere
from arena.settings import Settings
from engine import warm


async def test_another_process_compiles_and_tells_of_each_game() -> None:
    assert sorted([name async for name in compiled_elsewhere(["tictactoe", "nim"])]) == ["nim", "tictactoe"]


async def test_when_it_fails_the_games_are_left_to_this_process() -> None:
    assert [name async for name in compiled_elsewhere(["no-such-game"])] == ["no-such-game"]


def test_an_empty_cache_is_filled(tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    command = warm.command(["tictactoe"])
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=100)
    assert done.stdout.split() == ["tictactoe"]
    assert list(tmp_path.rglob("*.nbc"))
    assert list(tmp_path.glob("*/tictactoe.warm"))


async def test_games_are_offered_at_once_and_ready_one_by_one() -> None:
    programme = Programme(Settings(games="tictactoe,nim", time_controls="nim=3+1"))
    assert list(programme.games) == ["tictactoe", "nim"]
    assert (programme.ready, bool(programme.warming)) == (False, True)
    seen: list[str] = []
    async for game in programme.prepare(["nim/7", "no-such-game"]):
        assert not programme.is_ready(game.name)
        assert all(programme.is_ready(name) == (name in programme.games) for name in seen)
        seen.append(game.name)
    assert sorted(seen) == ["nim", "nim/7", "tictactoe"]
    assert (programme.ready, programme.warming) == (True, "")
    nim = programme.games["nim"]
    assert (str(programme.time_control(nim)), programme.time_class(nim)) == ("3+1", "bullet")


async def test_the_same_seed_draws_the_same_opening() -> None:
    programme = Programme(Settings(games="tictactoe"))
    game = programme.games["tictactoe"]
    warm.rules(game)
    assert await programme.opening(game, 7) == await programme.opening(game, 7)
    assert len({await programme.opening(game, seed) for seed in range(20)}) > 3
