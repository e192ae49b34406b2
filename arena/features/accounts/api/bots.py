# SPDX-License-Identifier: GPL-3.0-or-later
"""Endpoints by which owners register bots that connect from elsewhere, and manage them."""

from typing import Annotated

from msgspec import Meta, Struct

from arena.application import Arena
from arena.connections.admission import hash_token, make_token
from arena.features.accounts.access import PLAY, changeable
from arena.features.accounts.api.refusals import ERRORS, refusals
from arena.features.accounts.api.signing import DoneAnswer, Empty
from arena.features.accounts.part import AccountsPart
from arena.features.accounts.rows import Account
from arena.protocol.messages import LONGEST_TEXT
from arena.protocol.terminal import plain_line
from web.api.endpoint import Answer, Endpoint, One
from web.errors import Conflicting

Description = Annotated[str, Meta(max_length=LONGEST_TEXT)]


class RegistrationRequest(Struct, frozen=True):
    """A new bot."""

    name: Annotated[str, Meta(max_length=100)]
    """Name of the bot, not used by another one; it cannot be changed later."""
    description: Description = ""
    """One line about the bot for its page; empty: none."""


class DescriptionRequest(Struct, frozen=True):
    """A new description."""

    description: Description
    """One line about the bot for its page; empty: none."""


class BotNumber(Answer, frozen=True):
    """A bot."""

    id: int
    name: str
    """Name of the bot."""


class RegisteredAnswer(Answer, frozen=True):
    """A new bot of the account."""

    bot: BotNumber
    """The new bot, without matches and versions until it connects."""
    token: str
    """The token with which the bot connects. It is not shown again."""


class BotTokenAnswer(Answer, frozen=True):
    """A new token of a bot."""

    token: str
    """The token with which the bot connects. It is not shown again."""


async def register_bot(arena: Arena, account: Account, body: RegistrationRequest) -> RegisteredAnswer:
    """Register a bot of one's account."""
    part, token = arena.part(AccountsPart), make_token()
    with refusals():
        bot = await part.ownership.register(
            account.id,
            body.name,
            hash_token(token),
            description=plain_line(body.description),
            most=part.most_bots(account),
        )
    return RegisteredAnswer(bot=BotNumber(id=bot.id, name=bot.name), token=token)


async def replace_bot_token(arena: Arena, account: Account, query: One, body: Empty) -> BotTokenAnswer:
    """Give a bot another token; a bot that is connected with the old one is disconnected."""
    bot, token = await changeable(arena, account, query.id), make_token()
    if bot.kind == "built-in":
        raise Conflicting(f"{bot.name} is a built-in bot; the arena gives it its token")
    with refusals():
        await arena.store.bots.rotate(bot.name, hash_token(token))
    return BotTokenAnswer(token=token)


async def describe_bot(arena: Arena, account: Account, query: One, body: DescriptionRequest) -> DoneAnswer:
    """Change the description of a bot."""
    bot = await changeable(arena, account, query.id)
    with refusals():
        await arena.store.bots.describe(bot.name, plain_line(body.description))
    return DoneAnswer()


async def remove_bot(arena: Arena, account: Account, query: One, body: Empty) -> DoneAnswer:
    """Remove a bot; its matches and ratings stay."""
    bot = await changeable(arena, account, query.id)
    with refusals():
        await arena.store.bots.remove(bot.name)
    await arena.part(AccountsPart).tell_change()
    return DoneAnswer()


ENDPOINTS = (
    Endpoint("POST", "/api/v1/bots", register_bot, access=PLAY, errors=ERRORS),
    Endpoint("POST", "/api/v1/bots/{id}/token", replace_bot_token, access=PLAY, errors=ERRORS),
    Endpoint("POST", "/api/v1/bots/{id}/description", describe_bot, access=PLAY, errors=ERRORS),
    Endpoint("POST", "/api/v1/bots/{id}/remove", remove_bot, access=PLAY, errors=ERRORS),
)
