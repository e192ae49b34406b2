# SPDX-License-Identifier: GPL-3.0-or-later
"""Restarts during a tournament and a full ladder

A server that is killed with -9 while built-in bots play a tournament, and as many matches of the ladder as it allows,
goes on with all of them after the restart: no match is void, however long the bots need until they are ready. They have
two seconds to come back once they are. After each restart their process is held up for longer than that; after some all
compiled code is gone; and some restarts come in the middle of getting ready. The tournament comes to its end with all
its games played.
"""

import asyncio
import os
import shutil
import signal
from collections import Counter
from pathlib import Path

from arena.tournaments.machine.config import Config, Entry, check
from arena.tournaments.machine.formats import RoundRobin
from lab.proofs.built_in import process_of
from lab.proofs.entered import enter, look
from lab.proofs.ledger import Ledger
from tests.end_to_end.server import Server

RESTARTS = 10
COLD = 2
"""Restarts after which everything is compiled again."""
CYCLES = 8
"""Times that each meets each in the tournament."""

LADDER = 6
"""Matches that the ladder keeps going."""
TOURNAMENT = 2
"""Games of the tournament at once."""
PLAYERS = ("random", "minimax-2", "alphabeta-4", "play-1k")
GAME = "tictactoe"
GRACE = 2.0
"""Seconds that a bot has to come back."""
HELD_UP = 5.0
"""Seconds for which the process of the built-in bots stands still after a restart."""
OPTIONS = (
    "--games", f"{GAME},nim", "--time-controls", f"{GAME}=60+5,nim=60+5", "--built-in-move-time", "0.4",
    "--built-in-matches", str(LADDER), "--ladder-interval", "0.1", "--ladder-pause", "0", "--reconnect-grace",
    str(GRACE),
    "--breeding", "none", "--log-level", "warning",
)  # fmt: skip

PATIENCE = 1800.0
"""Seconds until a match that a restart left must be over: compiling may take long."""


async def prove(ledger: Ledger) -> None:
    """Restart the server again and again; then wait for the end of the tournament."""
    restarts, cold = ledger.times(RESTARTS), ledger.times(COLD, least=0)
    kernels = ledger.place("kernels")
    environment = {"NUMBA_CACHE_DIR": str(kernels)} if cold else {}
    server = Server(ledger.place("server"), *OPTIONS, environment=environment)
    await server.start()
    try:
        tournament = await _create(server, ledger.times(CYCLES))
        left, longest = 0, 0.0
        for number in range(restarts):
            going = await _under_way(server)
            left += len(going)
            await server.kill()
            if number < cold:
                _empty(kernels)
            await server.start()
            if number % 3 == 2:
                # once more, while it gets ready
                await asyncio.sleep(number / 2)
                await server.kill()
                await server.start()
            await _hold_up(server)
            longest = max(longest, await _over(server, going))
        async with asyncio.timeout(PATIENCE):
            while (await look(server, tournament))["status"] != "finished":  # noqa: ASYNC110  # another process
                await asyncio.sleep(0.2)
        view = await look(server, tournament)
        matches = await server.all("/matches?status=finished")
    finally:
        await server.stop()
    assert "Traceback" not in server.log, server.log[-3000:]
    endings = Counter(match["termination"] for match in matches)
    void = [(match["id"], match["detail"]) for match in matches if match["termination"] == "void"]
    assert not void, void
    games = [game for bouts in view["rounds"] for bout in bouts for game in bout["games"]]
    assert len(games) == view["played"]
    ledger.note("restarts", restarts)
    ledger.note("of these without any compiled code", cold)
    ledger.note("matches that they left under way", left)
    ledger.note("longest until all that a restart left were over, in seconds", longest)
    ledger.note("games of the tournament", len(games))
    ledger.note("void matches", len(void))
    ledger.note_counts("how matches ended", endings)
    await ledger.verify(server.database)


async def _hold_up(server: Server) -> None:
    """Let the process of the built-in bots stand still for a while."""
    process = await process_of(server)
    os.kill(process, signal.SIGSTOP)
    await asyncio.sleep(HELD_UP)
    os.kill(process, signal.SIGCONT)


async def _create(server: Server, cycles: int) -> int:
    """Record a tournament of built-in bots and start it, as another program would."""
    config = Config(
        name="built-in bots",
        game=GAME,
        format=RoundRobin(cycles),
        entries=tuple(Entry(name) for name in PLAYERS),
        concurrency=TOURNAMENT,
    )
    check(config)
    return await enter(server, config)


async def _under_way(server: Server) -> set[int]:
    """Wait until the ladder is full and the tournament goes on; return the matches."""
    async with asyncio.timeout(PATIENCE):
        while True:
            matches = await server.all("/matches?status=live")
            kinds = Counter(match["kind"] for match in matches)
            if kinds["ladder"] >= LADDER - TOURNAMENT and (kinds["tournament"] or not await _due(server)):
                return {match["id"] for match in matches}
            await asyncio.sleep(0.05)


async def _due(server: Server) -> bool:
    """Tell whether the tournament has games to play."""
    items = (await server.get("/api/v1/tournaments"))["items"]
    return any(item["status"] == "running" for item in items)


async def _over(server: Server, matches: set[int]) -> float:
    """Wait until all of these are over, and return how long that took."""
    began = asyncio.get_running_loop().time()
    async with asyncio.timeout(PATIENCE):
        while matches & {match["id"] for match in await server.all("/matches?status=live")}:  # noqa: ASYNC110  # another process
            await asyncio.sleep(0.2)
    return asyncio.get_running_loop().time() - began


def _empty(folder: Path) -> None:
    """Drop all compiled code."""
    shutil.rmtree(folder)
    folder.mkdir()
