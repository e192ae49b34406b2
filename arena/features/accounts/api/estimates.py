# SPDX-License-Identifier: GPL-3.0-or-later
"""The endpoint that estimates the strength of a password, which forms show before they send it."""

from aiohttp import web
from msgspec import Struct

from arena.application import Arena
from arena.features.accounts.access import add_header, check_page
from arena.features.accounts.api.refusals import ERRORS, refusals
from arena.features.accounts.api.signing import Secret
from arena.features.accounts.part import AccountsPart
from arena.features.accounts.passwords import BadPassword, Strength, strength_of
from web.api.endpoint import Answer, Endpoint
from web.clients import client_of


class PasswordEstimateRequest(Struct, frozen=True):
    """A password that somebody may choose."""

    password: Secret
    """The password to judge. The server does not store it."""


class PasswordEstimateAnswer(Answer, frozen=True):
    """The strength of a password."""

    strength: Strength
    """`weak` passwords are refused."""
    reason: str
    """Why the password would be refused; "" if it would not."""


async def estimate_password(
    arena: Arena, request: web.Request, body: PasswordEstimateRequest
) -> PasswordEstimateAnswer:
    """Estimate the strength of a password; the server stores nothing of it."""
    check_page(request)
    part = arena.part(AccountsPart)
    add_header(request, "Cache-Control", "no-store")
    with refusals():
        part.estimates.take(client_of(request).key)
        try:
            needed = await part.estimated.check(body.password, "")
        except BadPassword as error:
            return PasswordEstimateAnswer(strength="weak", reason=str(error))
    return PasswordEstimateAnswer(strength=strength_of(needed), reason="")


ENDPOINTS = (Endpoint("POST", "/api/v1/password-estimates", estimate_password, errors=ERRORS),)
