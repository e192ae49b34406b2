# SPDX-License-Identifier: GPL-3.0-or-later
"""Copy an arena's SQLite database into a new file.

A manifest beside the copy lists its contents; `arena verify` compares with it.
"""

import argparse
from pathlib import Path

from arena.cli.support.output import add_json, print_json, say
from arena.cli.support.records import on_records
from arena.data_directory import add_place

GROUP = "maintain"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("file", metavar="FILE", type=Path, help="the new file; it must not exist")
    add_place(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Do it; returns the exit code."""
    manifest = on_records(arguments, lambda store: store.backup(arguments.file), changes=True)
    size = arguments.file.stat().st_size
    if arguments.json:
        print_json({"file": str(arguments.file), "bytes": size, "manifest": str(manifest)})
    else:
        say(f"{arguments.file}: {size:,} bytes; manifest: {manifest}")
    return 0
