# SPDX-License-Identifier: GPL-3.0-or-later
"""Waiting times at the start, and the time to compile all searches of chess.

A start is timed until the server answers, until a built-in bot makes its first move, and until chess is ready. Cold:
with an empty cache. Warm: with the same cache again, a new arena and a new process.

Compiling is compared with an older version in the same run, in turn, with empty caches. The older version is a commit
of this repository; without it there is no comparison.
"""

import io
import json
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bots.client.rest import RestClient
from lab.bench.measurements import Measurement, Skipped
from lab.bench.processes import ROOT, line_of, running
from lab.processes import used_by_tree

PATIENCE = 300.0
LOOK = 0.02
WARM = 3
"""Warm starts."""


CHESS = (
    ("engine.warm", "chess"),
    ("arena.cli", "search", "chess", "--evaluation", "tuned", "--depth", "1", "--json"),
)
"""Commands that compile the code of chess: the rules, and a search with the tuned evaluation."""


def surroundings(cache: Path) -> dict[str, str]:
    """Return the environment in which compiled code is kept here."""
    kept = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    return kept | {"XDG_CACHE_HOME": str(cache)}


def of_chess(cache: Path) -> tuple[float, ...]:
    """Return the seconds that each command of CHESS takes with this cache. Raises Skipped when one fails."""
    took = []
    for command in CHESS:
        began = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-m", *command], cwd=ROOT, env=surroundings(cache), check=False, capture_output=True
        )
        if done.returncode:
            raise Skipped(f"{command[0]} failed: {done.stderr.decode(errors='replace').strip()[-200:]}")
        took.append(time.monotonic() - began)
    return tuple(took)


class Started(NamedTuple):
    """What a start of an arena took."""

    answered: float
    """Seconds until it answers."""
    moved: float
    """Seconds until a built-in bot's first move is on a board."""
    cpu: float
    """Processor seconds of all its processes until then."""


def begin(cache: Path, checkout: Path = ROOT) -> Started:
    """Start an arena with this cache. ``checkout``: its sources."""
    with tempfile.TemporaryDirectory(prefix="arena-start-") as folder:
        options = ("--no-browser", "--json", "--log-level=error", "--port=0", f"--data={folder}")
        began = time.monotonic()
        with running("arena.cli", "serve", *options, environment=surroundings(cache), folder=checkout) as server:
            url = json.loads(line_of(server))["url"].rstrip("/")
            RestClient(url).get("/status")
            answered = time.monotonic() - began
            while not _moved(url):
                if time.monotonic() - began > PATIENCE:
                    raise Skipped("no built-in bot moved")
                time.sleep(LOOK)
            return Started(answered, time.monotonic() - began, used_by_tree(server.pid))


def _moved(url: str) -> bool:
    """Tell whether a move of a bot's own was made, not of an opening."""
    rest = RestClient(url)
    for match in rest.get("/matches", status="live")["items"]:
        moves = rest.get(f"/matches/{match['id']}")["moves"]
        if any(not move.get("opening") for move in moves):
            return True
    return False


def run_start() -> Iterator[Measurement]:
    """Time them."""
    with tempfile.TemporaryDirectory(prefix="arena-cache-") as cache:
        cold = begin(Path(cache))
        warm = [begin(Path(cache)) for _ in range(WARM)]
    answered, moved, _ = (statistics.median(figures) for figures in zip(*warm, strict=True))
    with tempfile.TemporaryDirectory(prefix="arena-cache-") as cache:
        compiling = sum(of_chess(Path(cache)))
        loading = statistics.median(of_chess(Path(cache))[-1] for _ in range(WARM))
    for what, seconds, target in (
        ("the server answers, cold", cold.answered, 3.0),
        ("a built-in bot moves, cold", cold.moved, 15.0),
        ("the server answers, warm", answered, 3.0),
        ("a built-in bot moves, warm", moved, 2.0),
        ("all of chess is compiled", compiling, 60.0),
        ("a search of chess from command to move, warm", loading, 2.0),
    ):
        yield Measurement(what=what, unit="s", ours=seconds, target=target, of="figure", bound="at most")


# ---------------------------------------------------------------- compiling

BEFORE = "ad27b7f"
"""The version that is compared with."""

GAME = "chess"
REPEATS = 3
SHOWN = 6
"""Functions that the note tells."""


def cold(checkout: Path) -> Any:
    """Compile everything in a new process with an empty cache; return the output of ``lab.bench.server.cold``."""
    with tempfile.TemporaryDirectory(prefix="arena-cache-") as cache:
        done = subprocess.run(
            [sys.executable, str(Path(__file__).with_name("cold.py")), GAME],
            cwd=checkout,
            env=surroundings(Path(cache)),
            check=False,
            capture_output=True,
            text=True,
        )
    if done.returncode:
        raise Skipped(f"{checkout.name} cannot be compiled: {done.stderr.strip()[-200:]}")
    return json.loads(done.stdout.splitlines()[-1])


def checked_out(commit: str, folder: Path, packages: Sequence[str] = ("engine", "bots", "arena")) -> Path:
    """Write packages of a commit into a folder. Raises Skipped where the history is not there."""
    command = ["git", "archive", commit, *packages]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True)
    if done.returncode:
        raise Skipped(f"there is no commit {commit} here")
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return folder


def run_compiling() -> Iterator[Measurement]:
    """Measure both in turn."""
    with tempfile.TemporaryDirectory(prefix="arena-before-") as folder:
        try:
            before: Path | None = checked_out(BEFORE, Path(folder))
            why = ""
        except (Skipped, OSError) as reason:
            before, why = None, str(reason)
        found = [(cold(ROOT), cold(before) if before else None) for _ in range(REPEATS)]
    ours = [each["seconds"] for each, _ in found]
    theirs = [each["seconds"] for _, each in found if each is not None]
    last = found[-1][0]
    most = ", ".join(f"{name.rpartition('engine.')[2]} {seconds:.1f} s" for name, seconds in last["most"][:SHOWN])
    yield Measurement(
        what=f"compiling every built-in bot's search of {GAME}, cold",
        unit="s CPU",
        ours=statistics.median(ours),
        peer=statistics.median(theirs) if theirs else None,
        peer_name=BEFORE if theirs else "",
        target=0.5,
        bound="at most",
        note=why or f"{last['functions']} functions, most for {most}",
    )


BENCHMARKS = {"start": run_start, "compiling": run_compiling}
