# SPDX-License-Identifier: GPL-3.0-or-later
"""Delete the moves of old matches; keep results and ratings."""

import argparse
import time

from arena.cli.support.errors import CommandError
from arena.cli.support.output import add_json, print_json, say
from arena.cli.support.records import on_records
from arena.data_directory import add_place

GROUP = "maintain"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("--days", type=float, required=True, help="age of the matches, in days since their end")
    add_place(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Do it; returns the exit code."""
    if not arguments.days >= 0:  # nor what is no number
        raise CommandError(f"--days must be 0 or more (got {arguments.days:g})")
    matches = on_records(arguments, lambda store: store.prune(time.time() - arguments.days * 86_400), changes=True)
    if arguments.json:
        print_json({"matches": matches})
    else:
        say(f"deleted the moves of {matches:,} matches")
    return 0
