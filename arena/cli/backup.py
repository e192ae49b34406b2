# SPDX-License-Identifier: GPL-3.0-or-later
"""Copy an arena's SQLite database into a new file, while the arena may run."""

import argparse
import asyncio
from pathlib import Path

from arena.cli.errors import CommandError
from arena.cli.output import add_json, print_json
from arena.place import add_place, database_url
from arena.store import Store
from arena.store.errors import StoreError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("file", metavar="FILE", type=Path, help="where to; must not exist yet")
    add_place(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Do it; returns the exit code."""
    try:
        asyncio.run(_run(database_url(arguments), arguments.file))
    except StoreError as error:
        raise CommandError(str(error)) from error
    size = arguments.file.stat().st_size
    if arguments.json:
        print_json({"file": str(arguments.file), "bytes": size})
    else:
        print(f"{arguments.file}: {size:,} bytes")
    return 0


async def _run(url: str, file: Path) -> None:
    async with await Store.open(url) as store:
        await store.backup(file)
