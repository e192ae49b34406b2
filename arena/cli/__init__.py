# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line: one module a command, imported only when it is asked for.

A module ``arena/cli/NAME.py`` that has ``add_arguments(parser)`` and ``run(arguments) -> exit code`` is the command
NAME; the first line of its docstring is its help. Nothing else needs to know of it.
"""

import argparse
import pkgutil
import re
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import NoReturn

from arena.cli.errors import CommandError
from arena.cli.features import FEATURES
from arena.protocol.terminal import printable

# Every command pays for this at its start, so sources are searched and not parsed.
_IS_COMMAND = re.compile(r"^def run\(", re.MULTILINE)
_SUMMARY = re.compile(r'^"""(.*?)(?:""")?$', re.MULTILINE)


class Parser(argparse.ArgumentParser):
    """Says what is wrong and where there is help, rather than print all options of a command before it."""

    def error(self, message: str) -> NoReturn:
        """Print the message and exit with 2."""
        self.exit(2, f"{self.prog}: error: {printable(message)}\n{self.prog} --help tells what there is\n")


def packages() -> list[str]:
    """Return the packages whose modules are commands: this one, and those of features."""
    return [__name__, *(feature.commands for feature in FEATURES if feature.commands is not None)]


def commands() -> Iterator[tuple[str, str, str]]:
    """Yield each command's name, its module and the first line of its help, without importing it."""
    folders = {package: import_module(package).__path__ for package in packages()}
    found = [(info.name, package) for package, path in folders.items() for info in pkgutil.iter_modules(path)]
    for name, package in sorted(found):
        source = Path(folders[package][0], f"{name}.py").read_text(encoding="utf-8")
        if _IS_COMMAND.search(source):
            summary = _SUMMARY.search(source)
            yield name.replace("_", "-"), f"{package}.{name}", summary[1] if summary else ""


def parser(chosen: str | None) -> Parser:
    """Return the parser of the command line, with the arguments of the ``chosen`` command only."""
    root = Parser(prog="arena", description="Bot Arena: bots play, everybody watches, ratings tell.")
    root.add_argument("--version", action="version", version=f"arena {version('bot-arena')}")
    subparsers = root.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, module_name, summary in commands():
        subparser = subparsers.add_parser(name, help=summary, description=summary)
        if name == chosen:
            module = import_module(module_name)
            module.add_arguments(subparser)
            subparser.set_defaults(run=module.run)
    return root


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 0 done, 1 the answer is no, 2 could not be done, 130 interrupted.

    Without a command there is help, and nothing done.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    if not given:
        parser(None).print_help(sys.stderr)
        return 2
    chosen = next((word for word in given if not word.startswith("-")), None)
    parsed = parser(chosen).parse_args(given)
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
