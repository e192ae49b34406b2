# SPDX-License-Identifier: GPL-3.0-or-later
"""Drop the moves of old matches; results and ratings stay."""

import argparse
import asyncio
import time

from arena.cli.errors import CommandError
from arena.cli.output import add_json, print_json
from arena.place import add_place, database_url
from arena.store import Store
from arena.store.errors import StoreError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("--days", type=float, required=True, help="of matches that finished longer ago than this")
    add_place(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Do it; returns the exit code."""
    if arguments.days < 0:
        raise CommandError("the number of days cannot be negative")
    try:
        matches = asyncio.run(_run(database_url(arguments), time.time() - arguments.days * 86_400))
    except StoreError as error:
        raise CommandError(str(error)) from error
    if arguments.json:
        print_json({"matches": matches})
    else:
        print(f"dropped the moves of {matches:,} matches")
    return 0


async def _run(url: str, before: float) -> int:
    async with await Store.open(url) as store:
        return await store.prune(before)
