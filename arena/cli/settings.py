# SPDX-License-Identifier: GPL-3.0-or-later
"""Print the current settings, or their documentation."""

import argparse

from arena.cli import serve
from arena.cli.features import FEATURES
from arena.cli.support.command_line import input_errors
from arena.cli.support.output import add_json, print_json, print_table, say
from arena.cli.support.settings import add_settings, chosen, in_force, kinds, markdown
from arena.settings import declared

GROUP = "run"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("--docs", action="store_true", help="print docs/reference/settings.md instead")
    add_settings(parser, FEATURES)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print them."""
    with input_errors():
        settings = in_force(chosen(arguments, FEATURES), FEATURES)
    if arguments.docs:
        say(markdown(FEATURES) + _start_options(), end="")
    elif arguments.json:
        print_json(settings)
    else:
        print_table(("setting", "value"), [(name, str(value)) for name, value in settings.items()])
    return 0


def _start_options() -> str:
    """Return the options of ``arena serve`` that are not settings, as Markdown."""
    parser = argparse.ArgumentParser()
    serve.add_arguments(parser)
    settings = {each.name for kind in kinds(FEATURES) for each in declared(kind)}
    lines = [_INTRODUCTION, "| option | meaning |", "|---|---|"]
    for action in parser._actions:
        if action.dest not in settings and action.dest != "help":
            value = f" {action.metavar or action.dest.upper()}" if action.nargs != 0 else ""
            meaning = (action.help or "") % {"default": action.default}
            lines.append(f"| `{action.option_strings[0]}{value}` | {meaning[:1].upper()}{meaning[1:]}. |")
    return "\n".join([*lines, ""])


_INTRODUCTION = """
## Other options of `arena serve`

These options have no environment variable unless the table names one.
"""
