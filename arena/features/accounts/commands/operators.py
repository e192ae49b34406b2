# SPDX-License-Identifier: GPL-3.0-or-later
"""Give people tokens to manage tournaments through the API.

An operator is an account with the role organiser: `arena accounts` manages all accounts. Works on the database itself,
whether a server runs on it or not. This command needs no token; tokens are for pages and for programs elsewhere.
"""

import argparse
from datetime import datetime
from functools import partial

from arena.cli.support.command_line import CommandError
from arena.cli.support.output import print_answer, print_json, print_table
from arena.cli.support.records import named_actions, on_records
from arena.connections.admission import hash_token, make_token
from arena.features.accounts.records import Accounts, Tokens
from arena.store import Store

GROUP = "maintain"

ACTIONS = {
    "add": "register an operator and print the token once",
    "list": "list the operators",
    "remove": "remove an operator and its token",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    named_actions(parser, ACTIONS, "operator")


def run(arguments: argparse.Namespace) -> int:
    """Run the command; return the exit code."""
    on_records(arguments, partial(_run, arguments))
    return 0


async def _run(arguments: argparse.Namespace, store: Store) -> None:
    accounts = store.records(Accounts)
    if arguments.action == "list":
        operators = [row for row in await accounts.all() if row.role != "owner"]
        if arguments.json:
            items = [{"name": row.name, "created": row.created} for row in operators]
            print_json({"items": items, "next": None})
        else:
            days = [(row.name, datetime.fromtimestamp(row.created).strftime("%Y-%m-%d")) for row in operators]
            print_table(("operator", "since"), days)
    elif arguments.action == "remove":
        found = await accounts.find(arguments.name)
        if found.role != "organiser" or found.password_hash is not None:
            raise CommandError(
                f"{found.name} is an account, not only an operator; use `arena accounts remove {found.name}`"
            )
        await accounts.delete(found.id)
        print_answer(arguments, {"removed": arguments.name}, f"removed the operator {arguments.name}")
    else:
        token = make_token()
        added = await accounts.add(arguments.name, "organiser", owner=True)
        await store.records(Tokens).add(added.id, "operator", hash_token(token), frozenset({"organise"}))
        print_answer(
            arguments,
            {"name": arguments.name, "token": token},
            f"The token of {arguments.name}. It is shown only once. A program that has it can manage tournaments:",
            token,
        )
