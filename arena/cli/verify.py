# SPDX-License-Identifier: GPL-3.0-or-later
"""Check the records: ratings follow from results, matches replay by the rules, nothing is missing or left over.

May run beside a server: it sees the records as they are at one moment. The exit code is 1 when something was found.
"""

import argparse

from arena.cli.errors import CommandError
from arena.cli.output import add_json, print_json, print_table
from arena.cli.records import on_records
from arena.place import add_place
from arena.verification import Report, verify


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "--findings", metavar="N", type=int, default=20, help="tell so many of each kind (default: %(default)s)"
    )
    add_place(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Check and print; returns the exit code."""
    if arguments.findings < 0:
        raise CommandError(f"--findings must be 0 or more, not {arguments.findings}")
    report = on_records(arguments, lambda store: store.audit(lambda audit: verify(audit, arguments.findings)))
    if arguments.json:
        print_json({"clean": report.clean, "report": report})
    else:
        _show(report)
    return 0 if report.clean else 1


def _show(report: Report) -> None:
    print(
        f"{report.matches:,} matches, {report.replayed:,} of them played again "
        f"({report.pruned:,} had no moves any more, {report.unknown_games:,} are of games that are not here); "
        f"{report.events:,} events, {report.changes:,} rating changes, {report.standings:,} ratings, "
        f"{report.generations:,} generations"
    )
    if report.clean:
        print("Everything is as it must be.")
        return
    print_table(("broken", "times"), sorted(report.counts.items()))
    for finding in report.findings:
        print(f"{finding.check}: {finding.where}: {finding.what}")
