# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line: one module for each command, imported only when it runs.

A module ``arena/cli/NAME.py`` with ``add_arguments(parser)`` and ``run(arguments) -> exit code`` is the command NAME.
The first line of its docstring is its help, and its ``GROUP`` is the key of a heading of ``GROUPS``. No other
registration is needed. Features have such modules, too. ``arena.cli.support`` holds code that commands share.
"""

import argparse
import sys
from collections.abc import Sequence

from arena.cli.features import FEATURES
from arena.cli.support.command_line import CommandError, Parser, add_commands, first_word
from arena.protocol.terminal import printable

GROUPS = {
    "run": "run the server",
    "play": "play",
    "compete": "compete",
    "breed": "breed",
    "study": "study games, searches and players",
    "maintain": "maintain",
    "experiment": "experiment",
}
"""Headings of ``arena --help`` by the ``GROUP`` of the commands below them."""


def packages() -> list[str]:
    """Return the packages whose modules are commands: this one, and those of features."""
    return [__name__, *(feature.commands for feature in FEATURES if feature.commands is not None)]


class _Version(argparse.Action):
    """Print the version and exit. The packages' metadata take longer to load than all of this module."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        print(f"arena {version('bot-arena')}")
        parser.exit()


def parser(chosen: str | None) -> Parser:
    """Return the parser of the command line, with the arguments of the ``chosen`` command only."""
    root = Parser(prog="arena", description="Bot Arena: host, rate and watch matches between game-playing bots.")
    root.add_argument("--version", action=_Version, nargs=0, help="show program's version number and exit")
    add_commands(root, packages(), GROUPS, chosen)
    return root


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 0 success, 1 negative result, 2 error, 130 interrupted.

    Without a command it prints the help.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    if not given:
        parser(None).print_help(sys.stderr)
        return 2
    parsed = parser(first_word(given)).parse_args(given)
    try:
        return int(parsed.run(parsed))
    except CommandError as error:
        # not through ``output``, which takes its time to load
        print(printable(f"arena {parsed.command}: {error}"), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 141
