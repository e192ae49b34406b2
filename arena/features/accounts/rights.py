# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of rights: which requests of the REST API each role may send."""

from collections.abc import Iterable
from typing import Any, Literal, get_args

from arena.features.accounts.access import ADMINISTRATOR, MANAGE, PLAY, SIGNED_IN, SUBMIT
from arena.features.accounts.roles import Scope, scopes_of
from web.api.access import EVERYBODY, NEAR, Access
from web.api.endpoint import PREFIX, Endpoint

Sender = Literal["nobody", "bot", "owner", "organiser", "administrator"]

SENDERS: tuple[Sender, ...] = get_args(Sender)

NEEDS: dict[Access[Any], Scope | None] = {
    SIGNED_IN: None,
    MANAGE: None,
    PLAY: "play",
    SUBMIT: "submit",
    ADMINISTRATOR: "administer",
}
"""The scope that an access needs; None: any account."""

OF_BOTS = f"{PREFIX}/bots/{{id}}/"
"""Requests of owners with such paths concern a bot, which must be theirs or the sender an administrator."""

INTRODUCTION = """\
# Rights

Each request of the REST API, and who may send it: `arena accounts rights` prints this page. A test sends every request
as every role, by token and by session. "own" means: for the sender's own bots; others' bots answer 403. Tokens may do
less than their accounts: the column "scope" names the scope that a token needs ("all": every scope of its account).
`/metrics`, and requests with "this machine", need no token from clients on the arena's machine. Requests of islands
need an island's token, and requests of runners a runner's.

"""


def scope_of(access: Access[Any]) -> Scope | None:
    """Return the scope that a token needs; None where any token of an account will do, or none."""
    return "organise" if access.kind == "operator" else NEEDS.get(access)


def admits(endpoint: Endpoint, sender: Sender) -> bool:
    """Tell whether an endpoint admits a sender who uses all rights, for a bot of its own where it concerns a bot."""
    access = endpoint.access
    if access is EVERYBODY:
        return True
    if access.kind == "bot":
        return sender == "bot"
    if access.kind == "operator":
        return sender in ("organiser", "administrator")
    if access.kind != "account":
        return False
    if sender == "nobody" or sender == "bot":
        return False
    scope = NEEDS[access]
    return scope is None or scope in scopes_of(sender)


def markdown(endpoints: Iterable[Endpoint]) -> str:
    """Return the page of rights."""
    lines = [f"| request | {' | '.join(SENDERS)} | scope |", f"|---|{'---|' * len(SENDERS)}---|"]
    for endpoint in sorted(endpoints, key=lambda each: (each.path, each.method)):
        cells = [_cell(endpoint, sender) for sender in SENDERS]
        lines.append(f"| `{endpoint.method} {endpoint.path}` | {' | '.join(cells)} | {_scope(endpoint.access)} |")
    return INTRODUCTION + "\n".join(lines) + "\n"


def _cell(endpoint: Endpoint, sender: Sender) -> str:
    if endpoint.access is NEAR and not admits(endpoint, sender):
        return "this machine"
    if not admits(endpoint, sender):
        return ""
    own = endpoint.access in NEEDS and endpoint.path.startswith(OF_BOTS) and sender != "administrator"
    return "own" if own else "yes"


def _scope(access: Access[Any]) -> str:
    if access is MANAGE:
        return "all"
    scope = scope_of(access)
    if scope is not None:
        return f"`{scope}`"
    return "any" if access is SIGNED_IN else ""
