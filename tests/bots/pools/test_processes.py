# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches in processes of their own: the same games, and a process that dies costs nothing."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

from bots.contest import Contest, NoEntrant
from bots.pools.matches import played_in
from bots.pools.pool import WorkerDied
from bots.pools.processes import Processes
from bots.series import Played, series

DEADLY = """
import os, pathlib, signal
from bots.bot import Bot, Turn

class Deadly(Bot):
    games = ("tictactoe",)

    def move(self, turn: Turn) -> str:
        print("what bots print does not disturb")
        mark = pathlib.Path(__file__).with_suffix(".died")
        if {always} or (turn.ply > 2 and not mark.exists()):
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return turn.legal_moves[0]
"""


def run(contest: Contest, games: int, count: int) -> list[Played]:
    async def play() -> list[Played]:
        return [one async for one in played_in(pool, contest, range(games))]

    with Processes(count) as pool:
        return asyncio.run(play())


def test_they_are_the_games_of_one_process_in_the_same_order() -> None:
    contest = Contest("tictactoe", "random", "random", seed=5)

    async def here() -> list[Played]:
        first, second = await contest.entrants()
        return [one async for one in series(contest.setting(), first, second, range(9))]

    def told(found: list[Played]) -> list[object]:
        return [(one.number, one.seat, one.record.opening, one.record.moves, one.score) for one in found]

    assert told(run(contest, 9, 2)) == told(asyncio.run(here()))


def test_a_process_that_dies_is_started_again(tmp_path: Path) -> None:
    bot = tmp_path / "deadly.py"
    bot.write_text(DEADLY.format(always=False), encoding="utf-8")
    found = run(Contest("tictactoe", str(bot), "random"), 4, 1)
    assert bot.with_suffix(".died").exists()
    assert [one.number for one in found] == [1, 2, 3, 4]
    assert {one.record.termination for one in found} == {"decided"}


def test_a_match_that_always_ends_its_process_is_reported(tmp_path: Path) -> None:
    bot = tmp_path / "deadly.py"
    bot.write_text(DEADLY.format(always=True), encoding="utf-8")
    with pytest.raises(WorkerDied, match="game 1 ended the process"):
        run(Contest("tictactoe", str(bot), "random"), 2, 1)


def test_a_series_that_cannot_be_played_is_refused() -> None:
    with pytest.raises(NoEntrant, match="no bot is called 'nobody'"):
        run(Contest("tictactoe", "nobody", "random"), 2, 1)


def test_no_process_is_left_behind(tmp_path: Path) -> None:
    bot, pids = tmp_path / "slow.py", tmp_path / "pids"
    bot.write_text(
        "import os, pathlib, time\nfrom bots.bot import Bot\n\nclass Slow(Bot):\n"
        '    games = ("tictactoe",)\n\n    async def move(self, turn):\n'
        f"        pathlib.Path({str(pids)!r}).write_text(str(os.getpid()))\n"
        "        import asyncio\n        await asyncio.sleep(60)\n",
        encoding="utf-8",
    )

    async def begin(pool: Processes) -> None:
        matches = played_in(pool, Contest("tictactoe", str(bot), str(bot)), range(2))
        task = asyncio.ensure_future(anext(matches))
        while not pids.exists() or not pids.read_text():  # noqa: ASYNC110  # another process writes it
            await asyncio.sleep(0.05)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await matches.aclose()  # type: ignore[attr-defined]  # an asynchronous generator

    with Processes(1) as pool:
        asyncio.run(begin(pool))
    with pytest.raises(ProcessLookupError):
        os.kill(int(pids.read_text()), signal.SIG_DFL)
