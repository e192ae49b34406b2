# SPDX-License-Identifier: GPL-3.0-or-later
"""What two hundred accepted, connected and idle bots cost the server and the process that hosts them."""

import asyncio
import json
import os
import re
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.request import urlopen

from arena.connections.admission import hash_token, make_token
from arena.features.accounts.records import Accounts
from arena.features.uploads.records.versions import Uploads
from arena.features.uploads.rows import Allowance, NewUpload
from arena.features.uploads.storage import Storage
from arena.features.uploads.unpacking import Caps
from arena.store import Store
from bots.sandbox.watchdog import members
from lab.bench.measurements import Measurement, Skipped
from lab.bench.processes import cpu, line_of, running

BOTS = int(os.environ.get("BENCH_BOTS", "200"))
SECONDS = float(os.environ.get("BENCH_SECONDS", "30"))
SETTLED = 5.0
"""Seconds after the last bot has connected."""
PATIENCE = 300.0
TARGET = 0.1
"""Of a core."""
GAME = "tictactoe"
OPTIONS = (
    "--no-built-in-bots",
    "--no-browser",
    "--log-level=error",
    "--ladder=no",
    # all bots of the benchmark have one address
    "--connection-rate=100000",
)
BOT = b"from bots import Bot\n\nclass Mine(Bot):\n    games = ['tictactoe']\n"
MIB = 1 << 20

_SHARE = re.compile(r"^Pss:\s+(\d+) kB", re.MULTILINE)


class Cost(NamedTuple):
    """What a process costs."""

    memory: int
    """Bytes; pages that processes share count for each by its share (PSS)."""
    cores: float
    """Seconds of processor time a second."""


async def accepted(folder: Path, bots: int) -> None:
    """Record accepted versions of ``bots`` bots, which have one file."""
    kept = Storage(folder / "uploads", Caps(unpacked=MIB, files=10)).keep(BOT, "mine.py")
    size = len(BOT)
    async with await Store.open(f"sqlite:///{folder / 'arena.db'}") as store:
        account = (await store.records(Accounts).add("owner", "owner")).id
        for number in range(bots):
            bot = await store.bots.add(f"bot-{number}", hash_token(make_token()))
            new = NewUpload(
                bot.id,
                account,
                kept.digest,
                "python",
                "mine.py",
                kept.contents.entry,
                [GAME],
                "1",
                size,
                size,
                "accepted",
            )
            await store.records(Uploads).add(new, Allowance(None, None, 1 << 40, bots + 1))


def hosting(server: int) -> int:
    """Return the process that hosts the bots of a server."""
    for pid in members(server):
        if "bots.hosted.process" in Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8"):
            return pid
    raise Skipped("the server hosts no bots")


def connected(url: str, bots: int) -> None:
    """Wait until this number of bots is connected. Raises Skipped if they do not come."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with urlopen(f"{url}/api/v1/status") as answer:  # an address of this machine
            if json.load(answer)["bots"] == bots:
                return
        time.sleep(0.2)  # the API has no event for it
    raise Skipped(f"{bots} bots were not connected within {PATIENCE:g} s")


def measured(bots: int) -> tuple[Cost, Cost]:
    """Return the costs of the server and of the hosting process with this number of connected bots."""
    with tempfile.TemporaryDirectory(prefix="arena-hosting-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        asyncio.run(accepted(folder, bots))
        with running(
            *("arena.cli", "serve", "--json", "--port=0", f"--games={GAME}", f"--hosted-processes={bots}"),
            *(*OPTIONS, f"--data={folder}"),
        ) as server:
            connected(json.loads(line_of(server))["url"].rstrip("/"), bots)
            time.sleep(SETTLED)  # what connecting leaves to do
            pids = server.pid, hosting(server.pid)
            before, began = [cpu(pid) for pid in pids], time.monotonic()
            time.sleep(SECONDS)  # the time that is measured
            seconds = time.monotonic() - began
            used = [(cpu(pid) - each) / seconds for pid, each in zip(pids, before, strict=True)]
            ours, hosted = (Cost(memory(pid), cores) for pid, cores in zip(pids, used, strict=True))
            return ours, hosted


def memory(pid: int) -> int:
    """Return the memory of a process. Raises Skipped if the system does not tell."""
    try:
        found = _SHARE.search(Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii"))
    except OSError as error:
        raise Skipped(f"the system does not tell the memory of a process: {error.strerror}") from error
    return 0 if found is None else int(found[1]) * 1024


def run() -> Iterator[Measurement]:
    """what two hundred accepted, connected and idle bots cost the server"""
    few, many = measured(1), measured(BOTS)
    for what, one, all_ in zip(("server", "hosting process"), few, many, strict=True):
        each = (all_.memory - one.memory) / max(BOTS - 1, 1) / 1024
        yield Measurement(
            what=f"memory of the {what} with {BOTS} idle hosted bots",
            unit="MiB",
            ours=all_.memory / MIB,
            peer=one.memory / MIB,
            peer_name="one hosted bot",
            note=f"{each:.0f} KiB a bot",
        )
        yield Measurement(
            what=f"processor time of the {what} with {BOTS} idle hosted bots",
            unit="cores",
            ours=all_.cores,
            target=TARGET,
            of="figure",
            bound="at most",
            note=f"over {SECONDS:g} s; {one.cores:.3g} with one hosted bot",
        )


BENCHMARKS = {"uploads": run}
"""What ``make bench`` runs under the name of the feature."""
