# SPDX-License-Identifier: GPL-3.0-or-later
"""List the bots in quarantine, and put a bot back on the ladder.

A bot that crashes, makes illegal moves or loses on time too often is in quarantine: it plays no rated matches. The
command works on the database itself; a running server notices within a second.
"""

import argparse
from datetime import datetime
from functools import partial

from arena.cli.support.output import print_answer, print_json, print_table
from arena.cli.support.records import named_actions, on_records
from arena.features.health.records import Quarantines
from arena.features.health.rows import QuarantineRow
from arena.store import Store
from arena.store.errors import UnknownBot

GROUP = "maintain"

ACTIONS = {
    "list": "list the bots in quarantine, with the reasons",
    "lift": "put a bot back on the ladder and reset its failures",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    named_actions(parser, ACTIONS, "bot")


def run(arguments: argparse.Namespace) -> int:
    """Run the command; return the exit code."""
    on_records(arguments, partial(_run, arguments))
    return 0


async def _run(arguments: argparse.Namespace, store: Store) -> None:
    records = store.records(Quarantines)
    if arguments.action == "list":
        rows = await _all(records)
        if arguments.json:
            print_json({"items": [_plain(row) for row in rows], "next": None})
        else:
            print_table(("bot", "version", "owner", "since", "reason", "matches"), map(_cells, rows))
        return
    bot = await store.bots.named(arguments.name)
    if bot is None:
        raise UnknownBot(f"no bot is called {arguments.name}")
    row = await records.lift(bot.id)
    print_answer(arguments, _plain(row), f"{row.bot} is back on the ladder")


async def _all(records: Quarantines) -> list[QuarantineRow]:
    page = await records.lasting()
    rows = list(page.items)
    while page.next:
        page = await records.lasting(after=page.next)
        rows += page.items
    return rows


def _plain(row: QuarantineRow) -> dict[str, object]:
    """Return a quarantine as the API names its fields."""
    return {
        "bot": row.bot_id,
        "name": row.bot,
        "owner": row.owner,
        "version": row.version,
        "reason": row.reason,
        "matches": row.matches,
        "began": row.began,
        "lifted": row.lifted,
        "how": row.how,
    }


def _cells(row: QuarantineRow) -> tuple[object, ...]:
    since = datetime.fromtimestamp(row.began).astimezone().strftime("%Y-%m-%d %H:%M")
    return row.bot, row.version, row.owner, since, row.reason, " ".join(map(str, row.matches))
