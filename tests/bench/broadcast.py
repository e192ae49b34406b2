# SPDX-License-Identifier: GPL-3.0-or-later
"""How long until the last of a thousand spectators sees a move, beside a bare aiohttp server.

The bare server sends to one after the other. Ours counts from the bot's sending of the move, the bare server's from its
first frame.
"""

from collections.abc import Iterator

from bots.load.jobs import WatchersJob
from tests.bench.lines import Line
from tests.bench.processes import clients, line_of, loaded, running

SECONDS = 15.0
SPECTATORS = 1000


def bare() -> float:
    """Return the milliseconds of the bare server."""
    with running("tests.bench.bare") as server:
        address = f"127.0.0.1:{line_of(server)}"
        job = WatchersJob(f"ws://{address}/watch", f"http://{address}/matches", SPECTATORS, watched=1)
        return 1000 * (clients(job, SECONDS).everybody.percentile(50) or 0.0)


def run() -> Iterator[Line]:
    """Compare."""
    options = ["--matches=1", "--watched=1", "--moves-per-second=2", f"--seconds={SECONDS}"]
    outcome = loaded(*options, f"--spectators={SPECTATORS}")
    yield Line(
        what=f"until {SPECTATORS:,} spectators see a move",
        unit="ms",
        ours=outcome["everybody"]["50"],
        peer=bare(),
        peer_name="bare aiohttp broadcast",
        target=1.5,
        of="ratio",
        bound="at most",
    )
