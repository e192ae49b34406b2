# SPDX-License-Identifier: GPL-3.0-or-later
"""Access to the records of an existing arena, with or without a running server."""

import argparse
import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import TypeVar

from arena.cli.support.command_line import CommandError
from arena.cli.support.output import add_json, say_error
from arena.data_directory import add_place, database_url
from arena.store import Store
from arena.store.acting import Action, acting, by_this_process
from arena.store.database.migrating import note_on
from arena.store.errors import StoreError

Result = TypeVar("Result")


def actions(parser: argparse.ArgumentParser, summaries: Mapping[str, str]) -> dict[str, argparse.ArgumentParser]:
    """Declare the actions of a command, each with the options for the database and for JSON.

    Returns the parser of each action by name, for further arguments.
    """
    subparsers = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    found = {}
    for action, summary in summaries.items():
        found[action] = subparser = subparsers.add_parser(action, help=summary, description=summary)
        add_place(subparser)
        add_json(subparser)
    return found


def named_actions(
    parser: argparse.ArgumentParser, summaries: Mapping[str, str], kind: str, unnamed: Collection[str] = ("list",)
) -> dict[str, argparse.ArgumentParser]:
    """Declare the actions; all but those that are ``unnamed`` take the NAME of a record of this ``kind``."""
    found = actions(parser, summaries)
    for action, subparser in found.items():
        if action not in unnamed:
            subparser.add_argument("name", metavar="NAME", help=f"name of the {kind}")
    return found


READING = ("list", "show", "export", "audit")
"""Actions that change nothing."""

_UNTOLD = {"command", "action", "run", "data", "database_url", "json"}
"""Arguments that the audit log does not repeat."""


def on_records(arguments: argparse.Namespace, work: Callable[[Store], Awaitable[Result]]) -> Result:
    """Open the records that the arguments name, and return the result of ``work``.

    Every action but those of ``READING`` goes into the audit log; commands without actions change nothing.
    Raises CommandError when there are no records, or when the store refuses or fails.
    """
    changes = getattr(arguments, "action", READING[0]) not in READING

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


def note_action(arguments: argparse.Namespace) -> None:
    """Note a command in the audit log, where the database has the newest schema and can be written.

    For commands that succeed without: a warning says if it is not noted.
    """
    try:
        note_on(database_url(arguments), action_of(arguments))
    except StoreError as error:
        say_error(f"the audit log has no entry of this: {error}")


def action_of(arguments: argparse.Namespace) -> Action:
    """Return the audit log's description of a command."""
    given = {
        name: value if isinstance(value, bool | int | float) else str(value)
        for name, value in vars(arguments).items()
        if name not in _UNTOLD and value not in (None, "", [])
    }
    name = f"arena {arguments.command} {getattr(arguments, 'action', '')}".rstrip()
    return by_this_process(name, given)
