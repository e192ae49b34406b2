# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of ``arena tournament create`` for the tournament formats, from the declaration of each format."""

import argparse
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec.structs import FieldInfo, fields

from arena.cli.support.command_line import CommandError
from arena.tournaments.machine.format import Format
from arena.tournaments.machine.format_fields import ENTERED, described, plain


@dataclass(frozen=True, slots=True)
class _Option:
    """A field of a format that one option takes, or several fields that one option takes together."""

    kind: str
    """The name of the format."""
    name: str
    fields: tuple[FieldInfo, ...]
    together: bool = False

    @property
    def required(self) -> bool:
        return any(each.required for each in self.fields)

    @property
    def example(self) -> str:
        """The words of an option that takes several fields."""
        return " ".join(f"{each.name}={'X' if each.required else each.default}" for each in self.fields)

    @property
    def help(self) -> str:
        if self.together:
            return self.example
        (field,) = self.fields
        shown = "" if field.required or field.default in (False, None) else f" (default: {field.default})"
        return f"{described(field)}{shown}"


def _options(kind: str, form: type[Format]) -> list[_Option]:
    found = {field.name: field for field in fields(form)}
    options = [
        _Option(kind, name, tuple(found.pop(each) for each in names), together=True)
        for name, names in form.together.items()
    ]
    return options + [_Option(kind, name, (field,)) for name, field in found.items()]


_OPTIONS = [option for kind, form in ENTERED.items() for option in _options(kind, form)]


def _by_name() -> Iterator[tuple[str, Sequence[_Option]]]:
    for name in dict.fromkeys(option.name for option in _OPTIONS):
        yield name, [option for option in _OPTIONS if option.name == name]


def add_format_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of all formats; formats with a field of the same name share one."""
    for name, options in _by_name():
        flag = "--" + name.replace("_", "-")
        kinds: defaultdict[str, list[str]] = defaultdict(list)
        for option in options:
            kinds[option.help].append(option.kind)
        text = "; ".join(f"{', '.join(names)}: {told}" for told, names in kinds.items()).replace("%", "%%")
        (first, *_) = options
        if first.together:
            parser.add_argument(flag, metavar="X=Y", nargs="+", help=text)
        elif plain(first.fields[0]) is bool:
            parser.add_argument(flag, action="store_true", default=None, help=text)
        elif plain(first.fields[0]) == bool | None:
            parser.add_argument(flag, action=argparse.BooleanOptionalAction, help=text)
        else:
            kind = plain(first.fields[0])
            parser.add_argument(flag, type=kind if kind in (int, float) else str, help=text)


def chosen_format(arguments: argparse.Namespace) -> Format:
    """Return the format; omitted options keep the format's defaults. Raises CommandError and ValueError."""
    given: dict[str, Any] = {"kind": arguments.format}
    for name, options in _by_name():
        value = getattr(arguments, name)
        own = next((option for option in options if option.kind == arguments.format), None)
        flag = "--" + name.replace("_", "-")
        if own is None:
            if value is not None:
                kinds = " and ".join(option.kind for option in options)
                raise CommandError(f"{flag} is for {kinds}, not for {arguments.format}")
        elif value is None:
            if own.required:
                raise CommandError(
                    f"--format {arguments.format} needs {flag}{' ' + own.example if own.together else ''}"
                )
        elif own.together:
            given |= _words(flag, own, value)
        else:
            given[name] = value
    try:
        return msgspec.convert(given, ENTERED[arguments.format], strict=False)
    except msgspec.ValidationError as error:
        raise CommandError(f"--format {arguments.format}: {error}") from None


def _words(flag: str, option: _Option, words: Sequence[str]) -> dict[str, str]:
    """Return the values of fields that one option takes as words NAME=VALUE."""
    known = {field.name: field for field in option.fields}
    given: dict[str, str] = {}
    for word in words:
        name, _, value = word.partition("=")
        if name not in known or not value or name in given:
            raise CommandError(f"{flag}: {word!r} is not understood; write {option.example}")
        given[name] = value
    if missing := [f"{field.name}=…" for field in option.fields if field.required and field.name not in given]:
        raise CommandError(f"{flag} needs {' and '.join(missing)}")
    return given
