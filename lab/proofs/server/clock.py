# SPDX-License-Identifier: GPL-3.0-or-later
"""Proof of a wall clock that is set forward and back."""

import asyncio
import email.utils
import os
import time
from pathlib import Path

from aiohttp import ClientSession

from lab.proofs.clients import witnesses_play
from lab.proofs.ledger import Ledger
from tests.end_to_end.server import Server
from tests.end_to_end.witness import Witness, compare, ended, moves, until

LEAPS = (3600, -3600, 86_400, -86_400, 0, -7200, 31_536_000, 5, -5, 0)
"""Seconds by which the wall clock is wrong, one after the other."""

ROUNDS = 2
MOVES_BETWEEN = 40
BASE = 5000
"""Milliseconds that each side has for a match; setting the clock by more would end it at once."""

OPTIONS = (
    "--no-built-in-bots", "--games", "tictactoe", "--time-controls", f"tictactoe={BASE // 1000}+1",
    "--ladder-interval", "0.05",
    "--ladder-pause", "0", "--log-level", "warning",
)  # fmt: skip
LIBRARIES = sorted(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))
LIE = """\
import time, pathlib
def wrong(right=time.time, file=pathlib.Path({file!r})):
    return right() + float(file.read_text())
time.time = wrong
"""
SLEEP = """\
import time, select
time.sleep = lambda seconds: select.select((), (), (), seconds)
"""
"""libfaketime takes a steady clock's point in time, until which Python sleeps, for the wall clock's."""


async def prove_clock(ledger: Ledger) -> None:
    """Wall clock set forward and back during matches

    Setting the machine's clock costs no bot a match or a second, because match clocks are monotonic. The records stay
    in order, too: a rating follows from the results before it, whatever the wall clock showed. If libfaketime is
    installed, it falsifies the server's wall clock; otherwise Python's own function is replaced.
    """
    folder = ledger.place("server")
    said = folder / "wrong-by"
    _say(said, 0)
    server = Server(folder, *OPTIONS, environment=_lies(folder, said))
    leaps = (LEAPS * ROUNDS)[: ledger.times(len(LEAPS) * ROUNDS, 2)]
    async with ledger.running(server):
        tokens = await server.register("anna", "bert", "cleo", "dora")
        witnesses = [Witness(name, token, ["tictactoe"], pace=0.02) for name, token in tokens.items()]
        async with witnesses_play(witnesses, lambda: server.play_url) as players:
            for leap in leaps:
                goal = moves(witnesses) + MOVES_BETWEEN
                await until(players, lambda: moves(witnesses) >= goal)  # noqa: B023  # it is called right here
                _say(said, leap)
                await asyncio.sleep(0.1)
                assert abs(await _wrong(server) - leap) < 5, "the server believes it"
            live = {number for witness in witnesses for number, _ in witness.acknowledged} - ended(witnesses)
            await until(players, lambda: live <= ended(witnesses))
        await compare(server, witnesses, dated=False)
        longest = 0
        for number in ended(witnesses):
            # None ended by the clock: compare checks the terminations.
            match = await server.match(number)
            longest = max([longest, *(move.get("elapsed", 0) for move in match["moves"])])
        # A witness thinks for 20 ms; on a busy machine it may take some times as long.
        assert longest < BASE, f"a move is said to have taken {longest} ms"
    ledger.note("the server's clock", "libfaketime" if LIBRARIES else "Python's time.time")
    ledger.note("times it was set, forward and back", len(leaps))
    ledger.note("moves meanwhile, all found", moves(witnesses))
    ledger.note("matches played to the end, none lost on time", len(ended(witnesses)))
    ledger.note("longest move on any clock", f"{longest:,} ms")


def _lies(folder: Path, said: Path) -> dict[str, str]:
    """Return the environment of a process whose wall clock is wrong by what a file says."""
    place = folder / "lies"
    place.mkdir()
    (place / "sitecustomize.py").write_text(SLEEP if LIBRARIES else LIE.format(file=str(said)))
    paths = {"PYTHONPATH": os.pathsep.join(filter(None, (str(place), os.environ.get("PYTHONPATH"))))}
    if not LIBRARIES:
        return paths
    return paths | {
        "LD_PRELOAD": str(LIBRARIES[0]),
        "FAKETIME_TIMESTAMP_FILE": str(said),
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }


def _say(said: Path, leap: int) -> None:
    """Replace the file as a whole: the server reads it at any moment, and must never find it empty."""
    fresh = said.with_suffix(".new")
    fresh.write_text(f"{leap:+d}")
    fresh.replace(said)


async def _wrong(server: Server) -> float:
    """Return by how much the server's clock is wrong, as it dates its answers."""
    async with ClientSession() as http, http.get(f"{server.url}/healthz") as response:
        return email.utils.parsedate_to_datetime(response.headers["Date"]).timestamp() - time.time()
