# SPDX-License-Identifier: GPL-3.0-or-later
"""Make accounts and invitations, and change or remove accounts.

Works on the database itself, whether a server runs on it or not. `add` prints a token for programs; `reset` prints a
one-time code with which the account's owner sets a password on the page of password resets.
"""

import argparse
from datetime import datetime
from functools import partial

from arena.cli.support.command_line import CommandError
from arena.cli.support.output import print_answer, print_json, print_table, say
from arena.cli.support.records import named_actions, on_records
from arena.connections.admission import hash_token, make_token
from arena.features.accounts.codes import hash_code, make_code
from arena.features.accounts.records import Accounts, Codes, Ownership, SecondFactors, Tokens
from arena.features.accounts.roles import ROLES, scopes_of
from arena.features.accounts.rows import AccountRow
from arena.store import Store

GROUP = "maintain"

DAY = 86_400.0

ACTIONS = {
    "add": "make an account and print its token once",
    "list": "list the accounts",
    "rights": "print the table of rights: the requests of the API that each role may send",
    "role": "give an account another role",
    "disable": "disable an account: end its sessions, refuse its tokens and revoke the tokens of its bots",
    "enable": "enable a disabled account again; its bots need new tokens",
    "second-factor-off": "switch off the second factor of an account whose owner lost it",
    "reset": "print a one-time code for a new password, valid for a day",
    "invite": "print a one-time code for a new account",
    "remove": "delete an account and remove its bots; matches and ratings stay, without the account's name",
}

UNNAMED = ("list", "invite", "rights")
"""Actions that concern no account that is there."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    found = named_actions(parser, ACTIONS, "account", UNNAMED)
    add, role, invite = found["add"], found["role"], found["invite"]
    add.add_argument("--role", choices=ROLES, default="owner", help="role of the account (default: %(default)s)")
    add.add_argument(
        "--email",
        default="",
        help="e-mail address of the owner, shown only to the account and to administrators; it counts as confirmed",
    )
    role.add_argument("role", choices=ROLES, help="the new role")
    invite.add_argument("--role", choices=ROLES, default="owner", help="role of the new account (default: %(default)s)")
    invite.add_argument("--days", type=float, default=7.0, help="days for which the code is valid (default: 7)")


def run(arguments: argparse.Namespace) -> int:
    """Run the command; return the exit code."""
    if arguments.action == "rights":
        _rights(arguments)
        return 0
    on_records(arguments, partial(_run, arguments))
    return 0


async def _run(arguments: argparse.Namespace, store: Store) -> None:
    match arguments.action:
        case "add":
            await _add(arguments, store)
        case "list":
            await _list(arguments, store)
        case "invite":
            await _invite(arguments, store)
        case _:
            await _change(arguments, store)


async def _add(arguments: argparse.Namespace, store: Store) -> None:
    token = make_token()
    added = await store.records(Accounts).add(
        arguments.name, arguments.role, email=arguments.email, confirmed=True, owner=True
    )
    await store.records(Tokens).add(added.id, "command line", hash_token(token), scopes_of(added.role))
    print_answer(
        arguments,
        {"account": added.name, "token": token},
        f"The token of {added.name}. It is shown only once. A program that has it can act for this account:",
        token,
    )


async def _list(arguments: argparse.Namespace, store: Store) -> None:
    accounts = await store.records(Accounts).all()
    bots = await store.records(Ownership).counts([row.id for row in accounts])
    if arguments.json:
        print_json({"items": [_plain(row, bots.get(row.id, 0)) for row in accounts], "next": None})
    else:
        rows = [
            (row.name, row.role, _day(row.created), bots.get(row.id, 0), "disabled" if row.disabled else "")
            for row in accounts
        ]
        print_table(("account", "role", "since", "bots", "state"), rows)


async def _invite(arguments: argparse.Namespace, store: Store) -> None:
    if not 0 < arguments.days <= 365:
        raise CommandError(f"--days must be above 0 and at most 365 (got {arguments.days:g})")
    code = make_code()
    made = await store.records(Codes).invite(hash_code(code), arguments.role, arguments.days * DAY)
    print_answer(
        arguments,
        {"id": made.id, "role": made.role, "expires": made.expires, "code": code},
        f"The code for one new account with the role {made.role}. It is shown only once:",
        code,
    )


async def _change(arguments: argparse.Namespace, store: Store) -> None:
    accounts = store.records(Accounts)
    found = await accounts.find(arguments.name)
    match arguments.action:
        case "role":
            _tell(arguments, await accounts.set_role(found.id, arguments.role), f"has the role {arguments.role} now")
        case "disable":
            _tell(arguments, await accounts.set_disabled(found.id, True), "is disabled")
        case "enable":
            _tell(arguments, await accounts.set_disabled(found.id, False), "is enabled; its bots need new tokens")
        case "second-factor-off":
            await store.records(SecondFactors).remove(found.id)
            _tell(arguments, found, "has no second factor now")
        case "reset":
            code = make_code()
            await store.records(Codes).reset(hash_code(code), found.id, DAY)
            print_answer(
                arguments,
                {"account": found.name, "code": code},
                f"The code for a new password of {found.name}, valid for a day. It is shown only once:",
                code,
            )
        case _:
            await accounts.delete(found.id)
            _tell(arguments, found, "is deleted")


def _rights(arguments: argparse.Namespace) -> None:
    from arena.cli.features import FEATURES
    from arena.features.accounts.rights import SENDERS, admits, markdown
    from web.application import endpoints_of

    endpoints = [each for each in endpoints_of(FEATURES) if each.path.startswith("/api/") or each.path == "/metrics"]
    if arguments.json:
        items = [
            {"request": f"{each.method} {each.path}", "roles": [sender for sender in SENDERS if admits(each, sender)]}
            for each in endpoints
        ]
        print_json({"items": items, "next": None})
    else:
        say(markdown(endpoints), end="")


def _tell(arguments: argparse.Namespace, row: AccountRow, text: str) -> None:
    print_answer(
        arguments, {"account": row.name, "role": row.role, "disabled": row.disabled is not None}, f"{row.name} {text}"
    )


def _plain(row: AccountRow, bots: int) -> dict[str, object]:
    return {
        "id": row.id,
        "name": row.name,
        "role": row.role,
        "email": row.email,
        "created": row.created,
        "disabled": row.disabled is not None,
        "bots": bots,
    }


def _day(moment: float) -> str:
    return datetime.fromtimestamp(moment).astimezone().date().isoformat()
