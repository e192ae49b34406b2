# SPDX-License-Identifier: GPL-3.0-or-later
"""The lecture's minimax: every node of its checkers down to depth 8."""

import json
import sys
from collections.abc import Iterator

from lab.bench import peers
from lab.bench.lines import Line, median

NODES = 15_237_252


def seconds() -> float:
    """Search as the command line does, in a process of its own, and return the seconds of the search."""
    command = [sys.executable, "-m", "arena.cli", "search", "checkers/lecture", "--algorithm", "minimax"]
    found = json.loads(peers.output([*command, "--depth", "8", "--json"]))
    assert found["nodes"] == NODES, found["nodes"]
    return float(found["seconds"])


def run() -> Iterator[Line]:
    """Time it."""
    yield Line(
        what=f"{NODES:,} nodes of minimax",
        unit="s",
        ours=median(seconds, 3),
        target=1.0,
        of="figure",
        bound="at most",
    )
