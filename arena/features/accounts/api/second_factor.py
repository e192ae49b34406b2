# SPDX-License-Identifier: GPL-3.0-or-later
"""Endpoints of the second factor of one's own account, and its check when somebody signs in."""

from aiohttp import web
from msgspec import Struct

from arena.application import Arena
from arena.features.accounts.access import MANAGE
from arena.features.accounts.api.own import check_own
from arena.features.accounts.api.refusals import ERRORS, refusals
from arena.features.accounts.api.signing import DoneAnswer, Secret
from arena.features.accounts.codes import hash_code, make_code
from arena.features.accounts.part import AccountsPart
from arena.features.accounts.qr import qr_code
from arena.features.accounts.rows import Account
from arena.features.accounts.totp import address_of, make_secret, step_of
from arena.store.acting import Action, acting
from web.api.endpoint import Answer, Endpoint
from web.clients import client_of
from web.errors import Forbidden

RECOVERY = 10
"""Recovery codes of an account."""


class FactorRequest(Struct, frozen=True):
    """The password of the account ("" where it has none)."""

    password: Secret
    """The password of the account, as proof that its owner sends the request; empty where it has none."""


class FactorCodeRequest(Struct, frozen=True):
    """The code that the authenticator app shows."""

    code: Secret
    """The six digits that the authenticator app shows now."""


class QrAnswer(Answer, frozen=True):
    """A QR code, to draw as SVG."""

    size: int
    """Width and height, with the light border."""
    path: str
    """The dark squares of 1 × 1, as the attribute `d` of the element `path`."""


class NewFactorAnswer(Answer, frozen=True):
    """A secret for an authenticator app; it counts once a code of it is confirmed."""

    secret: str
    """In base 32, to type it."""
    address: str
    """An otpauth:// address with the same secret, to open it in an app."""
    qr: QrAnswer
    """The address as a QR code, to scan it with an app."""


class RecoveryAnswer(Answer, frozen=True):
    """The second factor is on."""

    recovery_codes: list[str]
    """Each replaces a code of the app once. They are not shown again."""


async def begin_second_factor(
    arena: Arena, request: web.Request, account: Account, body: FactorRequest
) -> NewFactorAnswer:
    """Make a secret for an authenticator app; the second factor is on once a code is confirmed."""
    part, secret = arena.part(AccountsPart), make_secret()
    with refusals():
        await check_own(part, request, account, body.password)
        with acting(Action(account.name, client_of(request).address, "POST /api/v1/account/second-factor")):
            await part.second_factors.begin(account.id, secret)
    address = address_of(secret, account.name)
    return NewFactorAnswer(secret=secret, address=address, qr=QrAnswer.of(qr_code(address)))


async def confirm_second_factor(
    arena: Arena, request: web.Request, account: Account, body: FactorCodeRequest
) -> RecoveryAnswer:
    """Switch the second factor on by a code of the app; the answer has the recovery codes."""
    part, client, codes = arena.part(AccountsPart), client_of(request), [make_code() for _ in range(RECOVERY)]
    with refusals(), part.guesses.attempt(client.key, account.name):
        found = await part.second_factors.get(account.id)
        step = None if found is None else step_of(found.secret, body.code, part.now())
        if found is None or step is None:
            raise Forbidden("the code is wrong; the clock of the device that shows it must be right")
        with acting(Action(account.name, client.address, "POST /api/v1/account/second-factor/confirm")):
            await part.second_factors.confirm(account.id, found.secret, step, list(map(hash_code, codes)))
    part.tell_owner(await part.accounts.get(account.id), "The second factor of your account is on")
    return RecoveryAnswer(recovery_codes=codes)


async def remove_second_factor(arena: Arena, request: web.Request, account: Account, body: FactorRequest) -> DoneAnswer:
    """Switch the second factor off; its recovery codes are invalid from now on."""
    part = arena.part(AccountsPart)
    with refusals():
        await check_own(part, request, account, body.password)
        with acting(Action(account.name, client_of(request).address, "POST /api/v1/account/second-factor/remove")):
            await part.second_factors.remove(account.id)
    part.tell_owner(await part.accounts.get(account.id), "The second factor of your account is off")
    return DoneAnswer()


_PATH = "/api/v1/account/second-factor"

ENDPOINTS = (
    Endpoint("POST", _PATH, begin_second_factor, access=MANAGE, audited=False, errors=ERRORS),
    Endpoint("POST", f"{_PATH}/confirm", confirm_second_factor, access=MANAGE, audited=False, errors=ERRORS),
    Endpoint("POST", f"{_PATH}/remove", remove_second_factor, access=MANAGE, audited=False, errors=ERRORS),
)
