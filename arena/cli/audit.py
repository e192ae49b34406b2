# SPDX-License-Identifier: GPL-3.0-or-later
"""Show the audit log: who changed what, when, and from where."""

import argparse
from datetime import datetime

import msgspec

from arena.cli.support.errors import CommandError
from arena.cli.support.output import add_json, print_json, print_table, say
from arena.cli.support.records import on_records
from arena.data_directory import add_place
from arena.store.audit_log import AuditRow

GROUP = "maintain"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument(
        "--since", metavar="DATE", type=_moment, help="entries from this date on: 2026-01-31, optionally with a time"
    )
    parser.add_argument("--limit", type=int, default=50, help="maximum number of entries (default: %(default)s)")
    add_place(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print; returns the exit code."""
    if arguments.limit < 1:
        raise CommandError(f"--limit must be 1 or more (got {arguments.limit})")
    since = arguments.since or 0.0
    page = on_records(arguments, lambda store: store.audit_log.page(since=since, limit=arguments.limit))
    if arguments.json:
        print_json({"items": [_plain(row) for row in page.items], "next": page.next})
    elif not page.items:
        say("the audit log has no entries")
    else:
        rows = [(_when(row), row.who, row.origin, row.action, row.details) for row in page.items]
        print_table(("time", "who", "from", "action", "details"), rows)
    return 0


def _moment(text: str) -> float:
    try:
        return datetime.fromisoformat(text).timestamp()
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a date; write 2026-01-31 or 2026-01-31T12:00") from None


def _plain(row: AuditRow) -> dict[str, object]:
    return row._asdict() | {"details": msgspec.json.decode(row.details)}


def _when(row: AuditRow) -> str:
    return datetime.fromtimestamp(row.time).strftime("%Y-%m-%d %H:%M:%S")
