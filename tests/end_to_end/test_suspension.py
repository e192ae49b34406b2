# SPDX-License-Identifier: GPL-3.0-or-later
"""A server that is stopped for a while and goes on: the time is charged to nobody, and nobody loses its connection."""

import asyncio
import os
import re
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.end_to_end.server import Server
from tests.web.players import RawBot, connected, first_move, start_match

FREEZE = 3.0
"""Seconds of the shortest freeze."""
SLACK = 0.5
"""Seconds: the log rounds the length of a suspension."""
SUSPENDED = re.compile(r"the process was suspended .*seconds=([0-9.]+)")

OPTIONS = (
    "--no-built-in-bots", "--games", "tictactoe", "--time-controls", "tictactoe=3000+0", "--ladder", "no",
    "--learning", "no", "--log-level", "warning",
)  # fmt: skip


@asynccontextmanager
async def frozen(server: Server, seconds: float = FREEZE) -> AsyncIterator[None]:
    """Stop the process, do what there is to do meanwhile, and let it go on when it has stood still for long enough."""
    os.kill(server.pid, signal.SIGSTOP)
    try:
        yield
        await asyncio.sleep(seconds)
    finally:
        os.kill(server.pid, signal.SIGCONT)


def suspended(server: Server) -> float:
    """Return for how many seconds the server was suspended, by its log."""
    return sum(float(found) for found in SUSPENDED.findall(server.log))


async def charged(server: Server, mover: RawBot, asked: float, *, in_between: bool) -> tuple[float, float]:
    """Freeze the server in a turn that was given after ``asked``, and move, ``in_between`` or afterwards; returns the
    seconds that the clock was charged, and at most how many the server ran meanwhile.

    A server that waited long for a processor does not take a short freeze for one.
    """
    turn = await mover.hear("turn")
    before, seconds = suspended(server), FREEZE
    if in_between:
        async with frozen(server):
            await mover.move(turn, first_move(turn))
    else:
        while suspended(server) == before:
            async with frozen(server, seconds):
                pass
            await server.health()
            seconds *= 2
        await mover.move(turn, first_move(turn))
    accepted = await mover.hear("accepted", "over")
    assert accepted["type"] == "accepted", accepted
    ran = time.monotonic() - asked - (suspended(server) - before)
    return (turn["clocks"][turn["seat"]] - accepted["clock"]) / 1000, ran


async def test_a_freeze_is_charged_to_neither_clock_and_costs_no_connection(tmp_path: Path) -> None:
    server = Server(tmp_path, *OPTIONS)
    await server.start()
    try:
        await server.ready()
        tokens = await server.register("one", "other")
        async with connected(server.play_url) as one, connected(server.play_url) as other:
            await one.hello(tokens["one"], ["tictactoe"])
            await other.hello(tokens["other"], ["tictactoe"])
            asked = time.monotonic()
            match, first, second = await start_match(one, other, "other")
            for mover, in_between in ((first, False), (second, True)):
                taken, ran = await charged(server, mover, asked, in_between=in_between)
                assert taken <= ran + SLACK, "a freeze is not charged"
                asked = time.monotonic()
            await asyncio.gather(one.play(first_move), other.play(first_move))
            assert one.over[match]["termination"] == other.over[match]["termination"] == "decided"
    finally:
        await server.stop()
