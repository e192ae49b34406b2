# SPDX-License-Identifier: GPL-3.0-or-later
"""``python -m lab.simulation measure|report``; see ``lab.simulation``."""

import argparse
import sys
import time
from pathlib import Path

from arena.cli.support.output import print_json, say
from lab.simulation import costs, measuring, page, questions


def main() -> int:
    """Measure the costs of a cluster, or simulate large ones and write the report."""
    parser = argparse.ArgumentParser(prog="python -m lab.simulation", description=main.__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    measure = commands.add_parser("measure", help="run real clusters, keep what they cost, and print it as JSON")
    measure.add_argument(
        "--repeats",
        type=int,
        default=measuring.REPEATS,
        metavar="N",
        help="times to measure, 10 minutes each (default: %(default)s)",
    )
    measure.add_argument(
        "--seconds", type=float, default=measuring.SECONDS, metavar="S", help="of each load (default: %(default)s)"
    )
    measure.add_argument(
        "--out", type=Path, default=costs.FILE, metavar="FILE", help="where to keep it (default: %(default)s)"
    )
    report = commands.add_parser("report", help="simulate, and write docs/reports/cluster-size.md")
    report.add_argument(
        "--costs", type=Path, default=costs.FILE, metavar="FILE", help="what was measured (default: %(default)s)"
    )
    arguments = parser.parse_args()
    if arguments.command == "measure":
        measuring.measure(
            lambda measured: costs.save_measured(measured, arguments.out), arguments.repeats, arguments.seconds
        )
        print_json(costs.load_measured(arguments.out))
    else:
        began = time.monotonic()
        measured = costs.load_measured(arguments.costs)
        written = page.write(measured, questions.ask(measured))
        say(f"wrote {written} in {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":  # the processes that simulate import this module
    sys.exit(main())
