# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of accounts: signing up and in, one's own account and bots, administration; and the part in the web server.

A page that shows private things is for those who are signed in; others are led to the page where they sign in.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import get_args
from urllib.parse import urlencode

from aiohttp import web
from msgspec import Struct

from arena.application import Arena
from arena.features.accounts.access import authorise, identify
from arena.features.accounts.api import ENDPOINTS, administration, audit, own
from arena.features.accounts.part import AccountsPart
from arena.features.accounts.roles import ROLES, Role
from arena.features.accounts.rows import Account
from web.api.access import Access
from web.api.endpoint import Endpoint, OnePage
from web.errors import Forbidden
from web.feature import HeaderLink, WebPart
from web.keys import MENUS, SUMMARIES
from web.language import Text, spoken_to
from web.pages import show

SIGN_IN, ADMINISTRATION = "/sign-in", "/administration"
LISTED = 500
"""Accounts, and entries of the audit log, that come with their pages."""


class Entrance(Struct, frozen=True):
    """What somebody must know who has no account."""

    sign_up: str
    """open, invited or closed."""
    first: bool
    """Whether the arena has no administrator yet."""
    mail: bool
    """Whether the arena sends mails."""


async def visitor(request: web.Request) -> Account:
    """Return the account that is signed in. Raises HTTPSeeOther, to the page where people sign in."""
    account = await identify(request)
    if account is None:
        raise web.HTTPSeeOther(f"{SIGN_IN}?{urlencode({'next': request.path_qs})}")
    return account


async def administrator(request: web.Request) -> Account:
    """Return the administrator who is signed in. Raises HTTPSeeOther, and Forbidden for other accounts."""
    account = await visitor(request)
    if "administer" not in account.scopes:
        raise Forbidden("this page is for administrators")
    return account


VISITOR = Access("", visitor)
"""Pages for those who are signed in."""
ADMINISTRATOR_PAGE = Access("", administrator)


async def sign_up_page(arena: Arena, request: web.Request) -> web.Response:
    """The form for a new account."""
    return show(request, "accounts/sign_up.js", Text("Sign up"), await _entrance(arena))


async def sign_in_page(arena: Arena, request: web.Request) -> web.Response:
    """The form that begins a session."""
    return show(request, "accounts/sign_in.js", Text("Sign in"), await _entrance(arena))


async def reset_page(arena: Arena, request: web.Request) -> web.Response:
    """The form for a new password by a reset code, and the form that asks for a link by mail."""
    data = {"mail": arena.part(AccountsPart).mailer.on}
    return show(request, "accounts/reset_password.js", Text("Set a new password"), data)


async def confirm_page(request: web.Request) -> web.Response:
    """The form that confirms an e-mail address."""
    return show(request, "accounts/confirm_email.js", Text("Confirm your e-mail address"), None)


async def _entrance(arena: Arena) -> Entrance:
    part = arena.part(AccountsPart)
    await part.looked.wait()
    return Entrance(part.sign_up, bool(part.first_code), part.mailer.on)


async def account_page(arena: Arena, request: web.Request, account: Account) -> web.Response:
    """The account of the visitor."""
    data = {
        "account": await own.get_account(arena, account),
        "tokens": await own.list_tokens(arena, account),
        "sessions": await own.list_sessions(arena, account),
        "menu": _menu(request, ACCOUNT),
    }
    return show(request, "accounts/account.js", Text("Account"), data, private=True)


async def bots_page(arena: Arena, request: web.Request, account: Account) -> web.Response:
    """The bots of the visitor."""
    states = await arena.part(AccountsPart).states_of(account)
    data = {
        "bots": await own.list_own_bots(arena, account),
        "notices": await own.list_notices(arena, account),
        "states": {number: spoken_to(request, state) for number, state in states.items()},
        "menu": _menu(request, MY_BOTS),
    }
    return show(request, "accounts/my_bots.js", Text("My bots"), data, private=True)


async def accounts_page(arena: Arena, request: web.Request, account: Account) -> web.Response:
    """All accounts, for administrators."""
    listed = await administration.list_accounts(arena, account, OnePage(limit=LISTED))
    data = {"menu": _menu(request, ADMINISTRATION), "accounts": listed, "own": account.id, "roles": ROLES}
    return show(request, "accounts/accounts.js", Text("Administration: accounts"), data, private=True)


async def invitations_page(arena: Arena, request: web.Request, account: Account) -> web.Response:
    """All invitations, for administrators."""
    listed = await administration.list_invitations(arena, account)
    data = {"menu": _menu(request, ADMINISTRATION), "invitations": listed, "roles": get_args(Role)}
    return show(request, "accounts/invitations.js", Text("Administration: invitations"), data, private=True)


async def audit_page(arena: Arena, request: web.Request, account: Account) -> web.Response:
    """The audit log, for administrators."""
    listed = await audit.list_actions(arena, account, audit.SomeEntries())
    data = {"menu": _menu(request, ADMINISTRATION), "audit": listed, "summaries": request.app[SUMMARIES]}
    return show(request, "accounts/audit_log.js", Text("Administration: audit log"), data, private=True)


def _menu(request: web.Request, page: str) -> Sequence[tuple[str, str]]:
    return request.app[MENUS].get(page, ())


ACCOUNT, MY_BOTS = "/account", "/my-bots"

PAGES = (
    Endpoint("GET", "/sign-up", sign_up_page),
    Endpoint("GET", SIGN_IN, sign_in_page),
    Endpoint("GET", "/reset-password", reset_page),
    Endpoint("GET", "/confirm-email", confirm_page),
    Endpoint("GET", ACCOUNT, account_page, access=VISITOR),
    Endpoint("GET", MY_BOTS, bots_page, access=VISITOR, menus={"/connect": "My bots"}),
    Endpoint("GET", ADMINISTRATION, accounts_page, access=ADMINISTRATOR_PAGE, menus={ADMINISTRATION: "Accounts"}),
    Endpoint(
        "GET",
        f"{ADMINISTRATION}/invitations",
        invitations_page,
        access=ADMINISTRATOR_PAGE,
        menus={ADMINISTRATION: "Invitations"},
    ),
    Endpoint(
        "GET",
        f"{ADMINISTRATION}/audit-log",
        audit_page,
        access=ADMINISTRATOR_PAGE,
        menus={ADMINISTRATION: "Audit log"},
    ),
)

EDGE = WebPart(
    endpoints=(*ENDPOINTS, *PAGES),
    static=Path(__file__).parent / "static",
    styles=("accounts/accounts.css",),
    header_link=HeaderLink(SIGN_IN, "Sign in", "accounts/header.js"),
    authorise=authorise,
)
