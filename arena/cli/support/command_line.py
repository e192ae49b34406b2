# SPDX-License-Identifier: GPL-3.0-or-later
"""Find the commands of packages, build their parser, and fail; only the chosen command is imported."""

import argparse
import contextlib
import importlib
import itertools
import pkgutil
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn, TextIO, TypeVar

from arena.protocol.terminal import printable

Item = TypeVar("Item")


class CommandError(Exception):
    """A failure to report to the person at the terminal in one line; ends the command with exit code 2."""


@contextlib.contextmanager
def input_errors() -> Iterator[None]:
    """Report errors of files and of input in one line; a KeyError's first argument is a message for people.

    Raises CommandError in place of KeyError, ValueError and OSError.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except KeyError as error:
        raise CommandError(str(error.args[0])) from error
    except ValueError as error:
        raise CommandError(str(error)) from error
    except OSError as error:
        raise CommandError(f"{error.filename}: {error.strerror}" if error.filename else str(error)) from error


def check_least(arguments: argparse.Namespace, least: Mapping[str, float]) -> None:
    """Raise CommandError for a number that is less than it may be; ``least``: the least value by name.

    Numbers that were not given pass; NaN does not.
    """
    for name, smallest in least.items():
        given = getattr(arguments, name)
        if given is not None and not given >= smallest:
            raise CommandError(f"--{name.replace('_', '-')} must be {smallest} or more (got {given:g})")


def read_items(path: Path, read: Callable[[TextIO], Iterable[Item]]) -> list[Item]:
    """Read the items of a text file. Raises CommandError, with the path, for what cannot be read."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return list(read(file))
    except OSError as error:
        raise CommandError(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:
        raise CommandError(f"{path}, {error}") from None


class LinesHelpFormatter(argparse.HelpFormatter):
    """Keeps the line breaks of an option's help: one line for each alternative, wrapped with an indent."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        first, *others = text.splitlines()
        alternatives = (textwrap.wrap(line, width, subsequent_indent="  ") for line in others)
        return [*super()._split_lines(first, width), *itertools.chain.from_iterable(alternatives)]


class Parser(argparse.ArgumentParser):
    """Prints an error in one line, without the usage of all options before it, and names the help of the command."""

    def parse_known_args(  # type: ignore[override]  # no caller gives a namespace of another class
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Refuse unknown arguments here, where the command is known, and not in the parser of all commands."""
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return found, unknown

    def error(self, message: str) -> NoReturn:
        """Print the message and exit with 2."""
        self.exit(2, f"{self.prog}: error: {printable(message)}\nSee `{self.prog} --help`.\n")


@dataclass(frozen=True, slots=True)
class Command:
    """A command as its source describes it."""

    name: str
    module: str
    summary: str
    """The first line of its docstring."""
    group: str
    """Its ``GROUP``; empty when it has none."""


# Every command pays for this at its start, so sources are searched and not parsed.
_IS_COMMAND = re.compile(r"^def run\(", re.MULTILINE)
_SUMMARY = re.compile(r'^"""(.*?)(?:""")?$', re.MULTILINE)
_GROUP = re.compile(r'^GROUP = "(.*)"$', re.MULTILINE)


def commands(packages: Iterable[str]) -> Iterator[Command]:
    """Yield the commands of packages by name, without importing them: the modules that have a function ``run``."""
    folders = {package: importlib.import_module(package).__path__ for package in packages}
    found = [(info.name, package) for package, path in folders.items() for info in pkgutil.iter_modules(path)]
    for name, package in sorted(found):
        file = Path(folders[package][0], f"{name}.py")
        source = file.read_text(encoding="utf-8") if file.exists() else ""
        if _IS_COMMAND.search(source):
            summary, group = _SUMMARY.search(source), _GROUP.search(source)
            yield Command(
                name.replace("_", "-"),
                f"{package}.{name}",
                summary[1] if summary else "",
                group[1] if group else "",
            )


def add_commands(parser: Parser, packages: Iterable[str], groups: Mapping[str, str], chosen: str | None) -> None:
    """Give a parser the commands of some packages, and the arguments of the ``chosen`` one.

    ``groups``: the headings of the help by name of group, in order.
    """
    found = list(commands(packages))
    lists = [(heading, [command for command in found if command.group == group]) for group, heading in groups.items()]
    if others := [command for command in found if command.group not in groups]:
        lists.append(("other commands", others))
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = "\n\n".join(_listed(heading, members) for heading, members in lists)
    parser.usage = "%(prog)s [options] COMMAND ..."
    subparsers = parser.add_subparsers(
        dest="command", metavar="COMMAND", required=True, help=argparse.SUPPRESS, prog=parser.prog
    )
    for command in found:
        subparser = subparsers.add_parser(command.name, description=command.summary, formatter_class=LinesHelpFormatter)
        if command.name == chosen:
            module = importlib.import_module(command.module)
            module.add_arguments(subparser)
            subparser.set_defaults(run=module.run)


def _listed(heading: str, members: Sequence[Command]) -> str:
    return "\n".join([f"{heading}:", *(f"  {command.name:<12} {command.summary}" for command in members)])


def first_word(arguments: Sequence[str]) -> str | None:
    """Return the first argument that is no option."""
    return next((word for word in arguments if not word.startswith("-")), None)
