# SPDX-License-Identifier: GPL-3.0-or-later
"""Give people tokens to manage tournaments through the API.

Works on the database itself, whether a server runs on it or not. This command needs no token; tokens are for pages
and for programs elsewhere.
"""

import argparse
from datetime import datetime
from functools import partial

from arena.cli.features import FEATURES
from arena.cli.support.command_line import CommandError
from arena.cli.support.output import print_json, print_table, say
from arena.cli.support.records import named_actions, on_records
from arena.connections.admission import hash_token, make_token
from arena.store import Store

GROUP = "maintain"

ACTIONS = {
    "add": "register an operator and print the token once",
    "list": "list the operators",
    "remove": "revoke an operator's token",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    named_actions(parser, ACTIONS)


def run(arguments: argparse.Namespace) -> int:
    """Run the command; return the exit code."""
    on_records(arguments, partial(_run, arguments))
    return 0


async def _run(arguments: argparse.Namespace, store: Store) -> None:
    if arguments.action == "list":
        operators = await store.operators.all()
        if arguments.json:
            items = [{"name": row.name, "created": row.created} for row in operators]
            print_json({"items": items, "next": None})
        else:
            days = [(row.name, datetime.fromtimestamp(row.created).strftime("%Y-%m-%d")) for row in operators]
            print_table(("operator", "since"), days)
    elif arguments.action == "remove":
        await store.operators.remove(arguments.name)
        if arguments.json:
            print_json({"removed": arguments.name})
        else:
            say(f"removed the operator {arguments.name}")
    else:
        if any(arguments.name in feature.operators for feature in FEATURES):
            raise CommandError(f"the name {arguments.name} is reserved for a part of the arena; choose another")
        token = make_token()
        await store.operators.add(arguments.name, hash_token(token))
        if arguments.json:
            print_json({"name": arguments.name, "token": token})
        else:
            say(f"The token of {arguments.name}. It is shown only once. A program that has it can manage tournaments:")
            say(token)
