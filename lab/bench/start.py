# SPDX-License-Identifier: GPL-3.0-or-later
"""How long a newcomer waits: until the server answers, until a built-in bot makes its first move, and for all of chess.

Cold: nothing compiled yet, in a cache folder of its own. Warm: the same folder again, a new arena, a new process.
"""

import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lab.bench.lines import Line, Skipped
from lab.bench.peers import ROOT

PATIENCE = 300.0
LOOK = 0.02
WARM = 3
"""Warm starts."""


CHESS = (
    ("engine.warm", "chess"),
    ("arena.cli", "search", "chess", "--evaluation", "house", "--depth", "1", "--json"),
)
"""Commands that compile what chess needs: the rules, and a search with the house evaluation."""


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


def begin(cache: Path) -> tuple[float, float]:
    """Start an arena with this cache; return the seconds until it answers, and until a built-in bot's first move."""
    with tempfile.TemporaryDirectory(prefix="arena-start-") as folder:
        command = [sys.executable, "-m", "arena.cli", "serve", "--no-browser", "--json", "--port=0", f"--data={folder}"]
        began = time.monotonic()
        process = subprocess.Popen(
            command, cwd=ROOT, env=surroundings(cache), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            if not line:
                raise Skipped("the arena could not be started")
            url = json.loads(line)["url"].rstrip("/")
            _get(f"{url}/healthz")
            answered = time.monotonic() - began
            while not _moved(url):
                if time.monotonic() - began > PATIENCE:
                    raise Skipped("no built-in bot moved")
                time.sleep(LOOK)
            return answered, time.monotonic() - began
        finally:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.communicate(timeout=20)
            process.kill()


def _get(url: str) -> Any:
    with urllib.request.urlopen(url, timeout=30) as response:
        return json.load(response)


def _moved(url: str) -> bool:
    """Tell whether a move of a bot's own was made, not of an opening."""
    for match in _get(f"{url}/api/v1/matches?status=live")["items"]:
        moves = _get(f"{url}/api/v1/matches/{match['id']}")["moves"]
        if any(not move.get("opening") for move in moves):
            return True
    return False


def run() -> Iterator[Line]:
    """Time them."""
    with tempfile.TemporaryDirectory(prefix="arena-cache-") as cache:
        cold = begin(Path(cache))
        warm = [begin(Path(cache)) for _ in range(WARM)]
    answered, moved = (statistics.median(figures) for figures in zip(*warm, strict=True))
    with tempfile.TemporaryDirectory(prefix="arena-cache-") as cache:
        compiling = sum(of_chess(Path(cache)))
        loading = statistics.median(of_chess(Path(cache))[-1] for _ in range(WARM))
    for what, seconds, target in (
        ("the server answers, cold", cold[0], 3.0),
        ("a built-in bot moves, cold", cold[1], 15.0),
        ("the server answers, warm", answered, 3.0),
        ("a built-in bot moves, warm", moved, 2.0),
        ("all of chess is compiled", compiling, 60.0),
        ("a search of chess from command to move, warm", loading, 2.0),
    ):
        yield Line(what=what, unit="s", ours=seconds, target=target, of="figure", bound="at most")
