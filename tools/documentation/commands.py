# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference of the command line: a page for each command, from its parser."""

import argparse
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from arena.cli import GROUPS, packages, parser
from arena.cli.lab import COMMANDS as LAB
from arena.cli.lab import GROUPS as LAB_GROUPS
from arena.cli.lab import command_line
from arena.cli.support.command_line import Command, commands
from tools.documentation.markdown import code, literal, prose, table

FOLDER = "reference/commands"

_INTRODUCTION = """\
# Commands

`arena --help` lists the commands, and `arena COMMAND --help` the options of one. `arena --version` prints the version.
All commands except `uci` print JSON with `--json`.
"""


def pages() -> Mapping[str, str]:
    """Return the pages by their paths."""
    found = {f"{FOLDER}/README.md": _index()}
    for command in commands(packages()):
        found[f"{FOLDER}/{command.name}.md"] = page(f"arena {command.name}", command, _chosen(command, parser))
    for command in commands([LAB]):
        found[f"{FOLDER}/lab-{command.name}.md"] = page(
            f"arena lab {command.name}", command, _chosen(command, command_line)
        )
    return found


def _index() -> str:
    lines = [_INTRODUCTION]
    for prefix, packs, groups in (("", packages(), GROUPS), ("lab ", [LAB], LAB_GROUPS)):
        found = list(commands(packs))
        for group, heading in groups.items():
            members = [command for command in found if command.group == group]
            lines += [f"## {f'Lab: {heading}' if prefix else _sentence(heading)}", ""]
            lines += [
                f"- [`arena {prefix}{each.name}`]({prefix.replace(' ', '-')}{each.name}.md): {prose(each.summary)}"
                for each in members
            ]
            lines.append("")
    return "\n".join(lines)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _chosen(command: Command, make: Callable[[str | None], argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Return the parser of a command."""
    return next(dict(each.choices)[command.name] for each in _subparsers(make(command.name)))


def _subparsers(parent: argparse.ArgumentParser) -> "Iterator[argparse._SubParsersAction[argparse.ArgumentParser]]":
    yield from (action for action in parent._actions if isinstance(action, argparse._SubParsersAction))


def page(title: str, command: Command, made: argparse.ArgumentParser) -> str:
    """Return the page of a command."""
    return "\n".join([f"# {title}", "", prose(command.summary), "", *_described(made, command.summary, 2)])


def _described(made: argparse.ArgumentParser, known: str, level: int) -> Iterator[str]:
    """Yield the lines about a parser and those below it; ``known``: a description that the page has already."""
    if made.description and made.description != known:
        yield from (prose(made.description), "")
    yield from ("```text", *_usage(made), "```", "")
    for group in made._action_groups:
        rows = [_row(made, action) for action in group._group_actions if _shown(action)]
        if rows:
            heading = _HEADINGS.get(group.title or "", group.title or "")
            yield from (f"{'#' * level} {_sentence(literal(heading))}", "")
            if group.description:
                yield from (prose(group.description), "")
            yield from table((_HEADS.get(heading, "option"), "meaning"), rows)
    for choices in _subparsers(made):
        helps = {choice.dest: choice.help or "" for choice in choices._choices_actions}
        for name, below in choices.choices.items():
            yield from (f"{'#' * level} {below.prog}", "")
            if helps.get(name):
                yield from (prose(_sentence(helps[name])), "")
            yield from _described(below, helps.get(name, ""), level + 1)


_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
"""What newer versions of Python print on terminals."""

_HEADINGS = {"positional arguments": "arguments"}
_HEADS = {"arguments": "argument"}


def _shown(action: argparse.Action) -> bool:
    return action.help != argparse.SUPPRESS and not isinstance(
        action, argparse._SubParsersAction | argparse._HelpAction
    )


def _usage(made: argparse.ArgumentParser) -> Sequence[str]:
    formatter = argparse.HelpFormatter(made.prog, width=100)
    formatter.add_usage(made.usage, made._actions, made._mutually_exclusive_groups, prefix="")
    return _COLOUR.sub("", formatter.format_help()).strip("\n").split("\n")


def _row(made: argparse.ArgumentParser, action: argparse.Action) -> tuple[str, str]:
    """Return the names of an argument with its value, and its help."""
    formatter = argparse.HelpFormatter(made.prog)
    value = (
        "" if action.nargs == 0 else formatter._format_args(action, formatter._get_default_metavar_for_optional(action))
    )
    if action.option_strings:
        names = ", ".join(code(f"{name} {value}".rstrip()) for name in action.option_strings)
    else:
        names = code(action.metavar if isinstance(action.metavar, str) else action.dest)
    text = prose(formatter._expand_help(action)) if action.help else ""
    if action.choices is not None and not isinstance(action.metavar, str | None):
        text = f"{text} ({', '.join(map(str, action.choices))})".lstrip()
    return names, text
