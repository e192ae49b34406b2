# SPDX-License-Identifier: GPL-3.0-or-later
"""Print the protocol as JSON Schema, or its documentation."""

import argparse

from arena.cli.support.output import add_json, print_json, say
from arena.protocol.reference import markdown
from arena.protocol.schema import json_schema

GROUP = "develop"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("--docs", action="store_true", help="print docs/reference/protocol.md instead")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print it."""
    if not arguments.docs:
        print_json(json_schema())
    elif arguments.json:
        print_json({"markdown": markdown()})
    else:
        say(markdown(), end="")
    return 0
