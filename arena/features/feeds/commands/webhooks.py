# SPDX-License-Identifier: GPL-3.0-or-later
"""Register webhooks of accounts, test them, and list their deliveries.

Works on the database itself, whether a server runs on it or not; the running server sends what waits. The address of a
new webhook is checked against the settings of the environment (`ARENA_WEBHOOK_ALLOW`, `ARENA_WEBHOOK_PORTS`).
"""

import argparse
import time
from datetime import datetime
from functools import partial

from arena.cli.support.command_line import CommandError
from arena.cli.support.output import print_answer, print_json, print_table
from arena.cli.support.records import actions, on_records
from arena.cli.support.settings import chosen
from arena.features.accounts.records import Accounts
from arena.features.feeds.records.webhooks import Webhooks
from arena.features.feeds.rows import EVENTS, DeliveryRow, Filter, WebhookRow
from arena.features.feeds.settings import WebhookSettings
from arena.features.feeds.webhooks.addresses import BadUrl, Guard
from arena.features.feeds.webhooks.events import body_of_test
from arena.features.feeds.webhooks.signing import make_secret
from arena.store import Store
from arena.store.errors import UnknownBot

GROUP = "maintain"

ACTIONS = {
    "list": "list the webhooks",
    "add": "register an address for events of an account, and print the secret once",
    "show": "list the deliveries of a webhook, the newest first",
    "test": "send a test to a webhook",
    "enable": "enable a webhook again",
    "disable": "disable a webhook; deliveries that wait are given up",
    "secret": "replace the secret of a webhook, and print the new one once",
    "remove": "remove a webhook with its deliveries",
}

LISTED = 50
"""Deliveries that are listed at once."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    found = actions(parser, ACTIONS)
    for action, subparser in found.items():
        if action == "add":
            subparser.add_argument("account", metavar="ACCOUNT", help="name of the account")
            subparser.add_argument("url", metavar="URL", help="address that gets the events")
            subparser.add_argument(
                "--event", action="append", choices=EVENTS, help="event to send (repeatable; default: all)"
            )
            subparser.add_argument("--bot", metavar="NAME", help="only events of this bot")
            subparser.add_argument("--tournament", type=int, metavar="NUMBER", help="only events of this tournament")
            subparser.add_argument("--game", metavar="GAME", help="only events of this game")
        elif action != "list":
            subparser.add_argument("number", type=int, metavar="NUMBER", help="number of the webhook")


def run(arguments: argparse.Namespace) -> int:
    """Run the command; return the exit code."""
    on_records(arguments, partial(_run, arguments))
    return 0


async def _run(arguments: argparse.Namespace, store: Store) -> None:
    records, now = store.records(Webhooks), time.time()
    match arguments.action:
        case "list":
            rows = await records.all()
            if arguments.json:
                print_json({"items": [_plain(row) for row in rows], "next": None})
            else:
                print_table(("webhook", "account", "address", "events", "state"), map(_cells, rows))
        case "add":
            await _add(arguments, store, now)
        case "show":
            await _show(arguments, records)
        case "test":
            await records.test(arguments.number, body_of_test(now, arguments.number), now=now)
            row = await records.get(arguments.number)
            text = f"the test of webhook {row.id} is queued; `arena webhooks show {row.id}` shows its outcome"
            print_answer(arguments, _plain(row), text)
        case "secret":
            secret = make_secret()
            row = await records.replace_secret(arguments.number, secret)
            _tell_secret(arguments, row, secret)
        case "enable":
            row = await records.enable(arguments.number, now=now)
            print_answer(arguments, _plain(row), f"webhook {row.id} is enabled")
        case "disable":
            row = await records.disable(arguments.number, now=now)
            print_answer(arguments, _plain(row), f"webhook {row.id} is disabled")
        case _:
            row = await records.remove(arguments.number)
            print_answer(arguments, _plain(row), f"webhook {row.id} is removed")


async def _add(arguments: argparse.Namespace, store: Store, now: float) -> None:
    from arena.cli.features import FEATURES

    account, bot = await store.records(Accounts).find(arguments.account), None
    try:
        Guard(chosen(arguments, FEATURES).of(WebhookSettings)).check_url(arguments.url)
    except (BadUrl, ValueError) as error:
        raise CommandError(str(error)) from None
    if arguments.bot is not None:
        bot = await store.bots.named(arguments.bot)
        if bot is None:
            raise UnknownBot(f"no bot is called {arguments.bot}")
    if arguments.tournament is not None:
        await store.tournaments.get(arguments.tournament)
    secret = make_secret()
    wanted = Filter(None if bot is None else bot.id, arguments.tournament, arguments.game)
    events = arguments.event or EVENTS
    row = await store.records(Webhooks).add(account.id, arguments.url, secret, events, wanted, now=now, most=None)
    _tell_secret(arguments, row, secret)


async def _show(arguments: argparse.Namespace, records: Webhooks) -> None:
    row = await records.get(arguments.number)
    page = await records.deliveries(row.id, limit=LISTED)
    if arguments.json:
        print_json({"items": [_delivery(each) for each in page.items], "next": page.next})
    else:
        rows = [
            (each.id, each.event, each.state, each.attempts, each.status, _time(each.created), each.problem)
            for each in page.items
        ]
        print_table(("delivery", "event", "state", "attempts", "status", "time", "problem"), rows)


def _tell_secret(arguments: argparse.Namespace, row: WebhookRow, secret: str) -> None:
    text = f"The secret of webhook {row.id}. It is shown only once. Requests are signed with it:"
    print_answer(arguments, _plain(row) | {"secret": secret}, text, secret)


def _plain(row: WebhookRow) -> dict[str, object]:
    """Return a webhook as the API names its fields, and its account."""
    return {
        "id": row.id,
        "account": row.account,
        "url": row.url,
        "events": row.events,
        **row.filter._asdict(),
        "created": row.created,
        "failures": row.failures,
        "disabled": row.disabled,
        "reason": row.reason,
    }


def _delivery(row: DeliveryRow) -> dict[str, object]:
    return {
        "id": row.id,
        "event": row.event,
        "state": row.state,
        "created": row.created,
        "attempts": row.attempts,
        "last_try": row.last_try,
        "next_try": row.next_try,
        "status": row.status,
        "problem": row.problem,
    }


def _cells(row: WebhookRow) -> tuple[object, ...]:
    state = f"disabled {row.reason}".strip() if row.disabled is not None else "enabled"
    return row.id, row.account, row.url, " ".join(row.events), state


def _time(moment: float) -> str:
    return datetime.fromtimestamp(moment).astimezone().strftime("%Y-%m-%d %H:%M:%S")
