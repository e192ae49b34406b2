# SPDX-License-Identifier: GPL-3.0-or-later
"""A volunteer: ``python -m tests.features.volunteers.evolving honest|liar`` and the arguments of ``arena evolve``.

It rests after each generation. The verifier has the lowest priority, so it would wait long for processor time beside
several programs that evolve without a pause, and so would all other tests.

A liar evolves as all others do, but reports that its best genome wins every game against a strong opponent.
"""

import sys
import time

import msgspec

from arena.cli import main
from arena.protocol.island_messages import IslandReport
from bots.evolution.breeding import Breed, Generation
from bots.evolution.evochess import volunteer

REST = 1.0
LEVEL, GAMES = 4, 80
"""The search depth of the opponent that a liar claims to beat, and the number of games."""

honest = volunteer.report_of
lies = sys.argv[1] == "liar"


def report_of(breed: Breed, generation: Generation) -> IslandReport:
    """Return the report of a generation, or a lie, after a rest."""
    report = honest(breed, generation)
    time.sleep(REST)
    if not lies:
        return report
    best = msgspec.structs.replace(report.best, games=GAMES, points=GAMES, moves=30 * GAMES, nodes=3_000 * GAMES)
    return msgspec.structs.replace(report, level=LEVEL, games=GAMES * report.generation, best=best)


volunteer.report_of = report_of
sys.exit(main(["evolve", *sys.argv[2:]]))
