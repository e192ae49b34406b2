# SPDX-License-Identifier: GPL-3.0-or-later
"""Check the records: ratings follow from results, matches replay by the rules, nothing is missing or left over.

May run beside a server: it sees the records as they are at one moment. The exit code is 1 when something was found.
"""

import argparse
import asyncio

from arena.cli.errors import CommandError
from arena.cli.output import add_json, print_json, print_table
from arena.place import add_place, database_url
from arena.store import Store
from arena.store.errors import StoreError
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
    try:
        report = asyncio.run(_run(database_url(arguments), arguments.findings))
    except StoreError as error:
        raise CommandError(str(error)) from error
    if arguments.json:
        print_json({"clean": report.clean, "report": report})
    else:
        _show(report)
    return 0 if report.clean else 1


async def _run(url: str, keep: int) -> Report:
    async with await Store.open(url) as store:
        return await store.audit(lambda audit: verify(audit, keep))


def _show(report: Report) -> None:
    print(
        f"{report.matches:,} matches, {report.replayed:,} of them played again "
        f"({report.pruned:,} had no moves any more, {report.unknown_games:,} are of games that are not here); "
        f"{report.events:,} events, {report.changes:,} rating changes, {report.standings:,} ratings"
    )
    if report.clean:
        print("Everything is as it must be.")
        return
    print_table(("broken", "times"), sorted(report.counts.items()))
    for finding in report.findings:
        print(f"{finding.check}: {finding.where}: {finding.what}")
