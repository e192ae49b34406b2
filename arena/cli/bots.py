# SPDX-License-Identifier: GPL-3.0-or-later
"""Register, list and remove bots, and replace their tokens.

Works on the database itself, whether a server runs on it or not; a running server disconnects a bot whose token was
replaced or revoked.
"""

import argparse
from datetime import datetime
from functools import partial

from arena.cli.support.output import print_answer, print_json, print_table
from arena.cli.support.records import named_actions, on_records
from arena.connections.admission import hash_token, make_token
from arena.store import Store
from arena.store.rows import BotRow

GROUP = "maintain"

ACTIONS = {
    "add": "register a bot and print its token once",
    "list": "list the bots",
    "rotate": "replace a bot's token and print the new one once",
    "remove": "revoke a bot's token; keep its matches and ratings",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add = named_actions(parser, ACTIONS, "bot")["add"]
    add.add_argument("--owner", default="", help="name of the owner; bots of one owner share limits of matches")
    add.add_argument("--description", default="", help="a description for people")


def run(arguments: argparse.Namespace) -> int:
    """Run the command; return the exit code."""
    on_records(arguments, partial(_run, arguments))
    return 0


async def _run(arguments: argparse.Namespace, store: Store) -> None:
    match arguments.action:
        case "add":
            token = make_token()
            about = {"owner": arguments.owner, "description": arguments.description}
            bot = await store.bots.add(arguments.name, hash_token(token), **about)
            _show_token(arguments, bot, token)
        case "rotate":
            token = make_token()
            _show_token(arguments, await store.bots.rotate(arguments.name, hash_token(token)), token)
        case "remove":
            bot = await store.bots.remove(arguments.name)
            print_answer(arguments, bot, f"removed {bot.name}")
        case "list":
            await _list(arguments, store)


def _show_token(arguments: argparse.Namespace, bot: BotRow, token: str) -> None:
    print_answer(
        arguments,
        {"id": bot.id, "name": bot.name, "token": token},
        f"The token of {bot.name}. It is shown only once. A program that has it can play as {bot.name}:\n{token}",
    )


async def _list(arguments: argparse.Namespace, store: Store) -> None:
    page = await store.bots.page(limit=1000)
    bots = list(page.items)
    while page.next:
        page = await store.bots.page(after=page.next, limit=1000)
        bots += page.items
    if arguments.json:
        print_json({"items": bots, "next": None})
    else:
        rows = [(bot.name, bot.kind, bot.owner, _day(bot.created), bot.description) for bot in bots]
        print_table(("name", "kind", "owner", "since", "description"), rows)


def _day(moment: float) -> str:
    return datetime.fromtimestamp(moment).astimezone().date().isoformat()
