# SPDX-License-Identifier: GPL-3.0-or-later
"""Find the commands of a package and build their parser; only the chosen command is imported."""

import argparse
import importlib
import pkgutil
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import NoReturn

from arena.protocol.terminal import printable


class Parser(argparse.ArgumentParser):
    """Prints an error in one line, without the usage of all options before it."""

    def error(self, message: str) -> NoReturn:
        """Print the message and exit with 2."""
        self.exit(2, f"{self.prog}: error: {printable(message)}\n{self.prog} --help tells what there is\n")


@dataclass(frozen=True, slots=True)
class Command:
    """A command as its source describes it."""

    name: str
    summary: str
    """The first line of its docstring."""
    group: str
    """Its ``GROUP``; empty when it has none."""


# Every command pays for this at its start, so sources are searched and not parsed.
_IS_COMMAND = re.compile(r"^def run\(", re.MULTILINE)
_SUMMARY = re.compile(r'^"""(.*?)(?:""")?$', re.MULTILINE)
_GROUP = re.compile(r'^GROUP = "(.*)"$', re.MULTILINE)


def commands(package: ModuleType) -> Iterator[Command]:
    """Yield the commands of a package by name, without importing them: the modules that have a function ``run``."""
    folder = package.__path__[0]
    for info in pkgutil.iter_modules([folder]):
        if info.ispkg:
            continue
        source = Path(folder, f"{info.name}.py").read_text(encoding="utf-8")
        if _IS_COMMAND.search(source):
            summary, group = _SUMMARY.search(source), _GROUP.search(source)
            yield Command(info.name.replace("_", "-"), summary[1] if summary else "", group[1] if group else "")


def add_commands(parser: Parser, package: ModuleType, groups: Mapping[str, str], chosen: str | None) -> None:
    """Give a parser the commands of a package, and the arguments of the ``chosen`` one.

    ``groups``: the headings of the help by name of group, in order.
    """
    found = list(commands(package))
    lists = [(heading, [command for command in found if command.group == group]) for group, heading in groups.items()]
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = "\n\n".join(_listed(heading, members) for heading, members in lists)
    parser.usage = "%(prog)s [options] COMMAND ..."
    subparsers = parser.add_subparsers(
        dest="command", metavar="COMMAND", required=True, help=argparse.SUPPRESS, prog=parser.prog
    )
    for command in found:
        subparser = subparsers.add_parser(command.name, description=command.summary)
        if command.name == chosen:
            module = importlib.import_module(f"{package.__name__}.{command.name.replace('-', '_')}")
            module.add_arguments(subparser)
            subparser.set_defaults(run=module.run)


def _listed(heading: str, members: Sequence[Command]) -> str:
    return "\n".join([f"{heading}:", *(f"  {command.name:<12} {command.summary}" for command in members)])


def first_word(arguments: Sequence[str]) -> str | None:
    """Return the first argument that is no option."""
    return next((word for word in arguments if not word.startswith("-")), None)
