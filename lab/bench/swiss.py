# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairing rounds of a Swiss tournament of a thousand players."""

import time
from collections.abc import Iterator
from random import Random

from arena.pairing.swiss import pair
from lab.bench.lines import Line
from tests.arena.pairing.swiss_events import Entered, play

PLAYERS = 1_000
ROUNDS = 9


def slowest() -> float:
    """Return the seconds of the slowest of the rounds."""
    chance, players = Random(1), [Entered(number) for number in range(PLAYERS)]
    spent = []
    for _ in range(ROUNDS):
        contenders = [each.contender for each in players]
        began = time.perf_counter()
        found = pair(contenders)
        spent.append(time.perf_counter() - began)
        play(players, found, chance)
    return max(spent)


def run() -> Iterator[Line]:
    """Time it."""
    what = f"the slowest of {ROUNDS} Swiss rounds of {PLAYERS:,} players"
    yield Line(what=what, unit="s", ours=slowest(), target=5.0, of="figure", bound="at most")
