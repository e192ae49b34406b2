# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of the commands about models of players: actions with their arguments and errors, and skipped games."""

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path

from arena.cli.support.command_line import input_errors
from arena.cli.support.output import add_json, say_error
from bots.modelling.sources import Skips


def warn(path: Path, skips: Skips) -> None:
    """Say which games were left out, and why."""
    if skips:
        say_error(f"{path}: skipped {skips.told()}")


Action = tuple[Callable[[argparse.ArgumentParser], None], Callable[[argparse.Namespace], None], str]
"""Adds its arguments to a parser; does the work; a summary."""


def add_actions(parser: argparse.ArgumentParser, actions: Mapping[str, Action]) -> None:
    """Add one subparser for each action."""
    subparsers = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, (declare, _, summary) in actions.items():
        subparser = subparsers.add_parser(name, help=summary, description=summary)
        declare(subparser)
        add_json(subparser)


def run_action(arguments: argparse.Namespace, actions: Mapping[str, Action]) -> int:
    """Run the chosen action; return the exit code. Raises CommandError where its input or a file is wrong."""
    with input_errors():
        actions[arguments.action][1](arguments)
    return 0
