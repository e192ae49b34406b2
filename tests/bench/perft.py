# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaves of English draughts for a second of CPU, beside a plain program in C."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

from engine.games import find
from engine.perft import perft
from tests.bench import peers
from tests.bench.lines import Line, Skipped, median

SOURCE = Path(__file__).with_name("naive_perft.c")
DEPTH = 11
LEAVES = 85_242_128


def leaves_per_second() -> float:
    """Count from the start and return leaves for a second of CPU."""
    game = find("checkers")
    began = time.process_time()
    counted = perft(game, game.start(), DEPTH)
    assert counted == LEAVES
    return counted / (time.process_time() - began)


def in_c() -> float:
    """Return the same of the program in C. Raises Skipped."""
    figures = json.loads(peers.output([str(peers.compiled(SOURCE)), str(DEPTH)]))
    assert figures["leaves"] == LEAVES
    return float(figures["leaves"] / figures["seconds"])


def run() -> Iterator[Line]:
    """Compare."""
    perft(find("checkers"), find("checkers").start(), 2)
    note, peer = "", None
    try:
        peer = median(in_c, 3)
    except Skipped as reason:
        note = str(reason)
    yield Line(
        what="leaves of checkers",
        unit="1/s CPU",
        ours=median(leaves_per_second),
        peer=peer,
        peer_name="plain C, -O3",
        note=note,
        target=100e6,
        of="figure",
        bound="at least",
    )
