# SPDX-License-Identifier: GPL-3.0-or-later
"""REST routes and page of learning: people allow bots to learn from their games, and read or delete the models."""

from typing import Annotated

from aiohttp import web
from msgspec import Meta, Struct

from arena.application import Arena
from arena.features.accounts.access import MANAGE, SIGNED_IN
from arena.features.accounts.pages import ACCOUNT, VISITOR
from arena.features.accounts.rows import Account
from arena.features.opponent_models.api import OpponentModelAnswer, models_of
from arena.features.people.part import PeoplePart
from web.api import games
from web.api.bots import find_bot
from web.api.endpoint import Answer, Endpoint, GameName, Query
from web.errors import Conflicting, NotFound
from web.language import Text
from web.pages import show

PATH = "/account/learning"


class OnePerson(Query, frozen=True):
    """Which person, and in which game."""

    name: Annotated[str, Meta(min_length=1, max_length=100)]
    """Name of the person."""
    game: GameName | None = None


class Learnable(Answer, frozen=True):
    """A person who allows bots to learn from their games."""

    bot: int
    """The number of the person among the bots."""
    rating: float | None
    """The person's rating in the game, in the time class in which it played most; null without a game or a rating."""


class LearningAnswer(Answer, frozen=True):
    """The permission to learn from one's games, and the opponent models."""

    allowed: bool
    """Whether bots may learn from the person's games. Not allowed until the person allows it."""
    models: list[OpponentModelAnswer]
    """The opponent models, the newest first."""


class LearningOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """The permission to learn from one's games. False also deletes the opponent models."""

    allowed: bool
    """Whether bots may learn from the person's games from now on."""


async def get_learnable(arena: Arena, query: OnePerson) -> Learnable:
    """Return the number and the rating of a person who allows bots to learn from their games."""
    part = arena.part(PeoplePart)
    bot = await arena.store.bots.named(query.name)
    if bot is None or bot.kind != "person" or not await part.learning.consents.given(bot.id):
        raise NotFound(f"no person called {query.name[:40]!r} allows bots to learn from their games")
    rating = None if query.game is None else await part.records.rating(bot.id, query.game)
    return Learnable(bot=bot.id, rating=rating)


async def get_learning(arena: Arena, account: Account) -> LearningAnswer:
    """Return the permission to learn from one's games, and the opponent models."""
    part = arena.part(PeoplePart)
    person = await part.find(account, "")
    if person is None or not await part.learning.consents.given(person.bot_id):
        return LearningAnswer(allowed=False, models=[])
    found = await models_of(arena, await find_bot(arena, person.bot_id))
    return LearningAnswer(allowed=True, models=found.items)


async def set_learning(arena: Arena, account: Account, body: LearningOrder) -> LearningAnswer:
    """Allow bots to learn from one's games, or forbid it and delete the opponent models."""
    part = arena.part(PeoplePart)
    person = await part.records.add_account(account.id, account.name)
    if person.removed is not None:
        raise Conflicting("an operator removed you from the board")
    if body.allowed:
        await part.learning.consents.give(person.bot_id)
    else:
        await part.learning.forget(person.bot_id)
    return await get_learning(arena, account)


async def learning_page(arena: Arena, request: web.Request, account: Account) -> web.Response:
    """The permission to learn from the visitor's games, and the opponent models."""
    data = {"games": await games.list_games(arena), "learning": await get_learning(arena, account)}
    return show(request, "people/learning.js", Text("Learning from your games"), data, private=True)


ENDPOINTS = (
    Endpoint("GET", "/api/v1/people/learning", get_learnable),
    Endpoint("GET", "/api/v1/account/learning", get_learning, access=SIGNED_IN),
    Endpoint(
        "POST",
        "/api/v1/account/learning",
        set_learning,
        access=MANAGE,
        errors={409: "An operator removed you from the board."},
    ),
    Endpoint("GET", PATH, learning_page, access=VISITOR, menus={ACCOUNT: "Learning from your games"}),
)
