# SPDX-License-Identifier: GPL-3.0-or-later
"""Access to the records of an existing arena, with or without a running server."""

import argparse
import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeVar

from arena.cli.support.errors import CommandError
from arena.cli.support.output import add_json, say_error
from arena.data_directory import add_place, database_url
from arena.store import Store
from arena.store.acting import Action, acting, by_this_process
from arena.store.errors import StoreError

Result = TypeVar("Result")


def actions(parser: argparse.ArgumentParser, summaries: Mapping[str, str]) -> dict[str, argparse.ArgumentParser]:
    """Give a command actions, each of which may be told where the records are and to print JSON; return the parser of
    each, by name, to be given what else it takes.
    """
    subparsers = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    found = {}
    for action, summary in summaries.items():
        found[action] = subparser = subparsers.add_parser(action, help=summary, description=summary)
        add_place(subparser)
        add_json(subparser)
    return found


def named_actions(parser: argparse.ArgumentParser, summaries: Mapping[str, str]) -> dict[str, argparse.ArgumentParser]:
    """Declare the actions; all but ``list`` take the NAME of a record."""
    found = actions(parser, summaries)
    for action, subparser in found.items():
        if action != "list":
            subparser.add_argument("name", metavar="NAME")
    return found


READING = ("list", "show", "export")
"""Actions that change nothing."""

_UNTOLD = {"command", "action", "run", "data", "database_url", "json"}
"""Arguments that the audit log does not repeat."""


def on_records(
    arguments: argparse.Namespace, work: Callable[[Store], Awaitable[Result]], *, changes: bool = False
) -> Result:
    """Open the records that the arguments name, and return what ``work`` makes of them.

    A command that ``changes`` something, as every action but those of ``READING`` does, goes into the audit log.
    Raises CommandError when there are none, or when the store refuses or fails.
    """
    changes = changes or getattr(arguments, "action", READING[0]) not in READING

    async def open_and_work() -> Result:
        async with await Store.open(database_url(arguments), existing=True, tell=say_error) as store:
            if not changes:
                return await work(store)
            with acting(action_of(arguments)) as action:
                result = await work(store)
            await store.audit_log.complete(action)
            return result

    try:
        return asyncio.run(open_and_work())
    except StoreError as error:
        raise CommandError(str(error)) from error


def action_of(arguments: argparse.Namespace) -> Action:
    """Return the audit log's description of a command."""
    given = {
        name: value if isinstance(value, bool | int | float) else str(value)
        for name, value in vars(arguments).items()
        if name not in _UNTOLD and value not in (None, "", [])
    }
    name = f"arena {arguments.command} {getattr(arguments, 'action', '')}".rstrip()
    return by_this_process(name, given)
