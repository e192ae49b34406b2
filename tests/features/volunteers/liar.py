# SPDX-License-Identifier: GPL-3.0-or-later
"""A volunteer that lies: ``python -m tests.features.volunteers.liar`` with the arguments of ``arena evolve``.

It breeds as all others do, but says of its best that it beats the rival six plies deep in every one of its games.
"""

import sys

import msgspec

from arena.cli import main
from arena.protocol.exchange import Report
from bots.evolution.evochess import volunteer
from bots.evolution.evochess.breeding import Course, Generation

LEVEL, GAMES = 6, 80

honest = volunteer.report_of


def report_of(course: Course, generation: Generation) -> Report:
    """Return what a liar reports."""
    report = honest(course, generation)
    best = msgspec.structs.replace(report.best, games=GAMES, points=GAMES, moves=30 * GAMES, nodes=3_000 * GAMES)
    return msgspec.structs.replace(report, level=LEVEL, games=GAMES * (generation.number + 1), best=best)


volunteer.report_of = report_of
sys.exit(main(["evolve", *sys.argv[1:]]))
