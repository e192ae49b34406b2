# SPDX-License-Identifier: GPL-3.0-or-later
"""Run experiments: tune and refine searches, study models, put a server under load, test a new game.

``arena lab`` lists the commands; each is a module of ``lab.commands``, which is imported only when it runs.
"""

import argparse

from arena.cli.support.command_line import Parser, add_commands, first_word

GROUP = "experiment"
COMMANDS = "lab.commands"

GROUPS = {
    "tune": "tune searches and evaluations",
    "study": "study searches and models",
    "load": "put a server under load",
    "develop": "develop games and clients",
}
"""Headings of ``arena lab`` by the ``GROUP`` of the commands below them."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("words", nargs=argparse.REMAINDER, metavar="COMMAND ...", help=argparse.SUPPRESS)
    parser.usage = "%(prog)s [options] COMMAND ..."
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = command_line(None).epilog


def run(arguments: argparse.Namespace) -> int:
    """Run the command of the laboratory; returns its exit code."""
    parsed = command_line(first_word(arguments.words)).parse_args(arguments.words)
    parsed.command = arguments.command = f"lab {parsed.command}"
    return int(parsed.run(parsed))


def command_line(chosen: str | None) -> Parser:
    """Return the parser of the command line below `arena lab`, with the arguments of the ``chosen`` command only."""
    root = Parser(prog="arena lab")
    add_commands(root, [COMMANDS], GROUPS, chosen)
    return root
