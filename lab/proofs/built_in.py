# SPDX-License-Identifier: GPL-3.0-or-later
"""The process of the built-in bots killed again and again

When the process of the built-in bots dies it is started again, after a second if it had been playing for a while, and
never so late that it would lose by that. It plays on: its matches go on with their clocks, those with other bots too,
as with any bot that loses its connection and comes back. None is lost by the server's fault.
"""

import asyncio
import os
import signal
from collections import Counter
from contextlib import suppress
from pathlib import Path

from lab.proofs.ledger import Ledger
from tests.end_to_end.server import Server
from tests.end_to_end.witness import Witness, ended, moves, until

KILLS = 20

PATIENCE = 120.0
OPTIONS = (
    "--games", "tictactoe", "--time-controls", "tictactoe=120+10", "--built-in-move-time", "0.05",
    "--ladder-interval", "0.1", "--ladder-pause", "0", "--log-level", "warning",
)  # fmt: skip


async def prove(ledger: Ledger) -> None:
    """Kill the process while its bots play each other and bots from outside."""
    server = Server(ledger.place("server"), *OPTIONS)
    await server.start()
    tokens = await server.register("anna", "bert")
    witnesses = [Witness(name, token, ["tictactoe"], pace=0.05) for name, token in tokens.items()]
    players = [asyncio.create_task(witness.play(lambda: server.play_url)) for witness in witnesses]
    kills, away = ledger.times(KILLS), 0.0
    loop = asyncio.get_running_loop()
    try:
        for _ in range(kills):
            played = await _played(server)
            goal = moves(witnesses) + 10
            await until(players, lambda: moves(witnesses) >= goal)  # noqa: B023  # it is called right here
            process = await process_of(server)
            os.kill(process, signal.SIGKILL)
            began = loop.time()
            assert await process_of(server, but=process) != process
            async with asyncio.timeout(PATIENCE):
                while await _played(server) < played + 4:  # noqa: ASYNC110  # it happens in another process
                    await asyncio.sleep(0.1)
            away = max(away, loop.time() - began)
        goal = moves(witnesses) + 10
        await until(players, lambda: moves(witnesses) >= goal)
        finished = await server.all("/matches?status=finished&limit=500")
    finally:
        for player in players:
            player.cancel()
        await asyncio.gather(*players, return_exceptions=True)
        await server.stop()
    assert "Traceback" not in server.log, server.log[-3000:]
    endings = Counter(match["termination"] for match in finished)
    assert not {"time", "void", "crash", "bad message", "disconnect"} & set(endings), endings
    ledger.note("kills", kills)
    ledger.note("longest until it had played four matches more, in seconds", away)
    ledger.note("moves of bots from outside meanwhile", moves(witnesses))
    ledger.note("their matches that ended", len(ended(witnesses)))
    ledger.note_counts("how matches ended", endings)
    await ledger.verify(server.database)


async def _played(server: Server) -> int:
    """Return how many matches have ended."""
    return len(await server.all("/matches?status=finished&limit=500"))


async def process_of(server: Server, but: int = 0) -> int:
    """Return the process of the built-in bots, once there is one (another than ``but``)."""
    async with asyncio.timeout(PATIENCE):
        while True:
            for child in _children(server.pid):
                if child != but:
                    return child
            await asyncio.sleep(0.05)


def _children(pid: int) -> list[int]:
    """Return a process's children that run built-in bots."""
    found = []
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        with suppress(FileNotFoundError):
            if b"bots.built_in" in Path(f"/proc/{child}/cmdline").read_bytes():
                found.append(int(child))
    return found
