# SPDX-License-Identifier: GPL-3.0-or-later
"""How long until the last of a thousand spectators sees a move, beside a bare aiohttp server.

The bare server sends to one after the other. Ours counts from the bot's sending of the move, the bare server's from its
first frame.
"""

from collections.abc import Iterator

from lab.bench.lines import Line, in_turn
from lab.bench.processes import clients, line_of, loaded, running
from lab.load.jobs import WatchersJob

SECONDS = 8.0
SPECTATORS = 1000


def bare() -> float:
    """Return the milliseconds of the bare server."""
    with running("lab.bench.bare") as server:
        address = f"127.0.0.1:{line_of(server)}"
        job = WatchersJob(f"ws://{address}/watch", f"http://{address}/matches", SPECTATORS, watched=1)
        return 1000 * (clients(job, SECONDS).everybody.percentile(50) or 0.0)


def arena() -> float:
    """Return the milliseconds of the arena's server."""
    options = ["--matches=1", "--watched=1", "--moves-per-second=2", f"--seconds={SECONDS}"]
    return float(loaded(*options, f"--spectators={SPECTATORS}")["everybody"]["50"])


def run() -> Iterator[Line]:
    """Compare."""
    ours, peer = in_turn(arena, bare)
    yield Line(
        what=f"until {SPECTATORS:,} spectators see a move",
        unit="ms",
        ours=ours,
        peer=peer,
        peer_name="bare aiohttp broadcast",
        target=1.5,
        of="ratio",
        bound="at most",
    )
