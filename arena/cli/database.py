# SPDX-License-Identifier: GPL-3.0-or-later
"""Delete the moves of old matches, or show the audit log.

Works on the database itself, whether a server runs on it or not.
"""

import argparse
import time
from datetime import datetime

import msgspec

from arena.cli.support.command_line import check_least
from arena.cli.support.output import print_answer, print_json, print_table, say
from arena.cli.support.records import actions, on_records
from arena.store.operators import AuditRow

GROUP = "maintain"

ACTIONS = {
    "prune": "delete the moves of old matches; keep results and ratings",
    "audit": "show the audit log: each change with its author, time and origin",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    subparsers = actions(parser, ACTIONS)
    subparsers["prune"].add_argument(
        "--days", type=float, required=True, help="age of the matches, in days since their end"
    )
    audit = subparsers["audit"]
    audit.add_argument(
        "--since", metavar="DATE", type=_moment, help="entries from this date on: 2026-01-31, optionally with a time"
    )
    audit.add_argument("--limit", type=int, default=50, help="maximum number of entries (default: %(default)s)")


def run(arguments: argparse.Namespace) -> int:
    """Run the action; return the exit code."""
    {"prune": _prune, "audit": _audit}[arguments.action](arguments)
    return 0


def _prune(arguments: argparse.Namespace) -> None:
    check_least(arguments, {"days": 0})
    matches = on_records(arguments, lambda store: store.prune(time.time() - arguments.days * 86_400))
    print_answer(arguments, {"matches": matches}, f"deleted the moves of {matches:,} matches")


def _audit(arguments: argparse.Namespace) -> None:
    check_least(arguments, {"limit": 1})
    since = arguments.since or 0.0
    page = on_records(arguments, lambda store: store.audit_log.page(since=since, limit=arguments.limit))
    if arguments.json:
        print_json({"items": [_plain(row) for row in page.items], "next": page.next})
    elif not page.items:
        say("the audit log has no entries")
    else:
        rows = [(_when(row), row.account, row.origin, row.action, row.details) for row in page.items]
        print_table(("time", "account", "from", "action", "details"), rows)


def _moment(text: str) -> float:
    try:
        return datetime.fromisoformat(text).timestamp()
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a date; write 2026-01-31 or 2026-01-31T12:00") from None


def _plain(row: AuditRow) -> dict[str, object]:
    return row._asdict() | {"details": msgspec.json.decode(row.details)}


def _when(row: AuditRow) -> str:
    return datetime.fromtimestamp(row.time).strftime("%Y-%m-%d %H:%M:%S")
