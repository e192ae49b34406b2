# SPDX-License-Identifier: GPL-3.0-or-later
"""Turns a second of round robins of the iterated Prisoner's Dilemma, beside the Axelrod library."""

import json
import time
from collections.abc import Iterator
from functools import cache

from bots.strategies.bulk import round_robin
from bots.strategies.catalogue import FIRST_TOURNAMENT
from engine.games.dilemma import ROUNDS
from lab.bench import processes
from lab.bench.measurements import Measurement, beside

REPETITIONS = 200
PEER_REPETITIONS = 5
TARGET = 20.0
"""The least number of the library's turns a second that we shall play."""


def turns(repetitions: int) -> int:
    """Return the turns of a round robin of the field of 1980, self-play included; a turn has both choices."""
    count = len(FIRST_TOURNAMENT)
    return repetitions * count * (count + 1) // 2 * ROUNDS


def ours() -> float:
    """Return our turns a second of processor time."""
    began = time.process_time()
    round_robin(FIRST_TOURNAMENT, repetitions=REPETITIONS)
    return turns(REPETITIONS) / (time.process_time() - began)


@cache
def _python() -> str:
    return str(processes.python())


def theirs() -> float:
    """Return the library's turns a second of processor time. Raises Skipped."""
    told, _ = processes.timed([_python(), str(processes.PEER_PACKAGES), "axelrod", str(PEER_REPETITIONS)], "")
    return float(json.loads(told)["turns_per_second"])


def run() -> Iterator[Measurement]:
    """Measure both in turn."""
    own, peer, reason = beside(ours, theirs, 3)
    yield Measurement(
        what=f"round robin of the field of 1980, {len(FIRST_TOURNAMENT)} strategies, {ROUNDS} turns a match",
        unit="turns/s",
        ours=own,
        peer=peer,
        peer_name="axelrod 4.13.1",
        target=TARGET,
        note=reason or "processor time",
    )


BENCHMARKS = {"dilemma": run}
