# SPDX-License-Identifier: GPL-3.0-or-later
"""Print the settings in force, from options, environment and defaults; or their documentation."""

import argparse
from dataclasses import asdict

from arena.cli.errors import CommandError
from arena.cli.output import add_json, print_json, print_table, say
from arena.settings import add_settings, chosen, markdown


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("--docs", action="store_true", help="print docs/settings.md instead")
    add_settings(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print them."""
    try:
        settings = asdict(chosen(arguments))
    except ValueError as error:
        raise CommandError(str(error)) from None
    if arguments.docs:
        say(markdown(), end="")
    elif arguments.json:
        print_json(settings)
    else:
        print_table(("setting", "value"), [(name, str(value)) for name, value in settings.items()])
    return 0
