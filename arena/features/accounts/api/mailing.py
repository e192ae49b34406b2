# SPDX-License-Identifier: GPL-3.0-or-later
"""Endpoints of e-mail addresses: one's own address, its confirmation, and the link for a forgotten password."""

from typing import Annotated

from aiohttp import web
from msgspec import Meta, Struct

from arena.application import Arena
from arena.features.accounts.access import MANAGE, check_page
from arena.features.accounts.api.own import check_own
from arena.features.accounts.api.refusals import ERRORS, refusals
from arena.features.accounts.api.signing import DoneAnswer, Name, Secret
from arena.features.accounts.codes import hash_code
from arena.features.accounts.mail import check_address
from arena.features.accounts.part import AccountsPart
from arena.features.accounts.rows import Account
from arena.store.acting import Action, acting
from web.api.endpoint import Endpoint
from web.clients import client_of
from web.errors import Conflicting


class EmailRequest(Struct, frozen=True):
    """An e-mail address, or "" for none, and the password of the account ("" where it has none)."""

    email: Annotated[str, Meta(max_length=200)]
    """The new address, to which the arena mails a code for its confirmation; empty: remove the address."""
    password: Secret
    """The password of the account; empty where it has none."""


class ConfirmationRequest(Struct, frozen=True):
    """The one-time code that was mailed to the address."""

    code: Secret
    """The one-time code of the mail; it works once, for the address to which it was sent."""


class ForgottenRequest(Struct, frozen=True):
    """The name of an account."""

    name: Name
    """Name of the account. The answer does not tell whether the account exists."""


async def change_email(arena: Arena, request: web.Request, account: Account, body: EmailRequest) -> DoneAnswer:
    """Change the e-mail address; if the arena sends mails, a mailed link confirms the new one."""
    part, client = arena.part(AccountsPart), client_of(request)
    with refusals():
        await check_own(part, request, account, body.password)
        email = check_address(body.email) if body.email.strip() else ""
        if email and part.mailer.on:
            part.mails.take(client.key, account.name)
        with acting(Action(account.name, client.address, "POST /api/v1/account/email")):
            await part.change_email(await part.accounts.get(account.id), email)
    return DoneAnswer()


async def confirm_email(arena: Arena, request: web.Request, body: ConfirmationRequest) -> DoneAnswer:
    """Confirm an e-mail address by the one-time code that was mailed to it."""
    check_page(request)
    part, client = arena.part(AccountsPart), client_of(request)
    with refusals(), part.guesses.attempt(client.key):
        row = await part.accounts.get(await part.codes.check(hash_code(body.code), "email"))
        with acting(Action(row.name, client.address, "POST /api/v1/email-confirmations")):
            before, _ = await part.accounts.confirm_email(hash_code(body.code))
    part.tell_owner(before, "The e-mail address of your account has changed")
    return DoneAnswer()


async def mail_reset_link(arena: Arena, request: web.Request, body: ForgottenRequest) -> DoneAnswer:
    """Mail a link for a new password to the owner of an account; the answer is the same for unknown names."""
    check_page(request)
    part = arena.part(AccountsPart)
    if not part.mailer.on:
        raise Conflicting("this arena sends no mail; ask an administrator for a reset code")
    with refusals():
        part.mails.take(client_of(request).key, body.name)
    part.mail_reset_link(body.name)
    return DoneAnswer()


ENDPOINTS = (
    Endpoint("POST", "/api/v1/account/email", change_email, access=MANAGE, audited=False, errors=ERRORS),
    Endpoint("POST", "/api/v1/email-confirmations", confirm_email, errors=ERRORS),
    Endpoint("POST", "/api/v1/password-resets/mail", mail_reset_link, errors=ERRORS),
)
