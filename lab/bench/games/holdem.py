# SPDX-License-Identifier: GPL-3.0-or-later
"""Random hands a second of no-limit hold'em, and hands of seven cards valued a second, beside pokerkit."""

import json
import time
from collections.abc import Iterator
from functools import cache

import numpy as np

from bots.built_in.kinds.equity import equity
from engine.games import find
from engine.games.holdem.rules import HANDS
from engine.walks.playout import playouts
from lab.bench import processes
from lab.bench.measurements import Measurement, beside

GAME = "holdem/no-limit"

MATCHES, PEER_HANDS = 1000, 300
SAMPLES, PEER_VALUES = 1_000_000, 20_000


def hands() -> float:
    """Return our random hands a second of processor time."""
    began = time.process_time()
    playouts(find(GAME), MATCHES, 1)
    return MATCHES * HANDS / (time.process_time() - began)


def values() -> float:
    """Return our values of seven cards a second of processor time; a rollout of the equity deals and values two."""
    began = time.process_time()
    equity(0b11, 0, SAMPLES, np.uint64(1))
    return 2 * SAMPLES / (time.process_time() - began)


@cache
def _python() -> str:
    return str(processes.python())


def _told(what: str, count: int) -> float:
    told, _ = processes.timed([_python(), str(processes.PEER_PACKAGES), what, str(count)], "")
    return float(json.loads(told)["per_second"])


def their_hands() -> float:
    """Return pokerkit's random hands a second of processor time. Raises Skipped."""
    return _told("pokerkit-hands", PEER_HANDS)


def their_values() -> float:
    """Return pokerkit's values of seven cards a second of processor time. Raises Skipped."""
    return _told("pokerkit-values", PEER_VALUES)


def run() -> Iterator[Measurement]:
    """Measure both in turn."""
    for what, unit, ours, theirs in (
        ("random hands of no-limit hold'em, 20 big blinds", "hands/s", hands, their_hands),
        ("values of seven random cards", "values/s", values, their_values),
    ):
        ours()  # compile
        own, peer, reason = beside(ours, theirs, 3)
        yield Measurement(
            what=what, unit=unit, ours=own, peer=peer, peer_name="pokerkit", note=reason or "processor time"
        )


BENCHMARKS = {"holdem": run}
