# SPDX-License-Identifier: GPL-3.0-or-later
"""REST routes of the tournaments: reading for everybody; creating, starting and stopping for operators."""

import asyncio
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from arena.application import Arena
from arena.store.errors import BadStatus
from arena.store.rows import TournamentStatus
from arena.tournaments.book import Book, Unreadable
from arena.tournaments.machine.config import Config, check
from arena.tournaments.machine.course import Withdrawal
from arena.tournaments.machine.invalid import InvalidSetting
from arena.tournaments.machine.tournament import TournamentError
from arena.tournaments.own_play import settled
from arena.tournaments.shares import NoShares, SharesView, shares_of
from arena.tournaments.view import TournamentView, public
from arena.tournaments.walk import Walk
from web.answer_limits import READING
from web.api.access import OPERATOR
from web.api.endpoint import Answer, Endpoint, One, OnePage
from web.errors import BadRequest, Conflicting, NotFound


class TournamentAnswer(Answer, frozen=True):
    """A tournament in a list."""

    id: int
    name: str
    """Name of the tournament."""
    game: str
    status: TournamentStatus
    """created: not started; running; paused: no new games start; finished: it has a result; cancelled: ended without
    one."""
    created: float
    ended: float | None
    """Time of its end or cancellation."""


class TournamentsAnswer(Answer, frozen=True):
    """A page of tournaments, newest first."""

    items: list[TournamentAnswer]
    next: str | None


class StatusOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """The new status of a tournament."""

    status: Literal["running", "paused", "cancelled"]
    """running: start or continue; paused: start no new games; cancelled: end without a result."""


class WithdrawalOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """A player to withdraw."""

    bot: Annotated[str, Meta(max_length=100)]
    """Name of the bot."""
    reason: Annotated[str, Meta(max_length=200)] = str(Withdrawal.OPERATOR)
    """Reason, for people."""


class SharesQuery(One, frozen=True):
    """A tournament and the dynamics of its strategies."""

    dynamics: Literal["ecological", "replicator", "moran"] = "ecological"
    """ecological: shares grow in proportion to payoff; replicator: they follow the replicator equation; moran: the
    Moran process, with 100 members."""


async def list_tournaments(arena: Arena, query: OnePage) -> TournamentsAnswer:
    """List tournaments, newest first."""
    page = await arena.store.tournaments.page(after=query.after, limit=query.limit)
    return TournamentsAnswer(items=[TournamentAnswer.of(row) for row in page.items], next=page.next)


async def get_tournament(arena: Arena, query: One) -> TournamentView:
    """Describe a tournament: standings, rounds and running matches."""
    try:
        return public(await arena.tournaments.view(query.id))
    except Unreadable as error:
        raise Conflicting(str(error)) from None


async def get_walk(arena: Arena, query: One) -> Walk:
    """Return the log-likelihood ratio of a sequential test after each pair of matches, for a chart."""
    try:
        found = await arena.tournaments.walk(query.id)
    except Unreadable as error:
        raise Conflicting(str(error)) from None
    if found is None:
        raise NotFound(f"tournament {query.id} has no sequential test")
    return found


async def get_shares(arena: Arena, query: SharesQuery) -> SharesView:
    """Return the shares of strategies over time that evolutionary dynamics compute from the payoffs of a tournament."""
    try:
        shown = await arena.tournaments.view(query.id)
        async with READING.taken():
            # in a thread, because the largest tournament takes half a second
            return await asyncio.to_thread(shares_of, shown, query.dynamics)
    except (Unreadable, NoShares) as error:
        raise Conflicting(str(error)) from None


async def get_settings(arena: Arena, query: One) -> Config:
    """Return the description from which a tournament was created, for another one like it."""
    try:
        return (await Book.open(arena.store, query.id)).tournament.config
    except Unreadable as error:
        raise Conflicting(str(error)) from None


async def create_tournament(arena: Arena, config: Config) -> TournamentAnswer:
    """Create a tournament; it begins when it is started."""
    if config.game not in arena.registry.games:
        raise BadRequest(f"{config.game[:40]!r} is not a game of this server", "game")
    try:
        # in a thread, because the check plays the openings
        await asyncio.to_thread(check, config)
    except InvalidSetting as error:
        raise BadRequest(str(error), error.field) from None
    bots = []
    for entry in config.entries:
        bot = await arena.store.bots.named(entry.name)
        if bot is None or bot.removed is not None or bot.kind == "person":
            raise BadRequest(f"no bot has the name {entry.name[:40]!r}", "entries")
        bots.append(bot)
    try:
        config = settled(config, bots)
    except InvalidSetting as error:
        raise BadRequest(str(error), error.field) from None
    return TournamentAnswer.of(await arena.store.tournaments.add(config.name, config.game, msgspec.json.encode(config)))


async def conduct_tournament(arena: Arena, query: One, order: StatusOrder) -> TournamentAnswer:
    """Start, pause, resume or cancel a tournament."""
    try:
        row = await arena.store.tournaments.become(query.id, order.status)
    except BadStatus as error:
        raise Conflicting(str(error)) from None
    arena.tournaments.look()
    return TournamentAnswer.of(row)


async def withdraw_from_tournament(arena: Arena, query: One, order: WithdrawalOrder) -> TournamentAnswer:
    """Withdraw a player from a tournament."""
    try:
        book = await Book.open(arena.store, query.id)
        names = [entry.name.lower() for entry in book.tournament.config.entries]
        if order.bot.lower() not in names:
            raise BadRequest(f"{order.bot[:40]!r} is not a player of this tournament")
        player = names.index(order.bot.lower())
        await book.change(lambda tournament: tournament.withdraw(player, order.reason))
    except (TournamentError, Unreadable) as error:
        raise Conflicting(str(error)) from None
    arena.tournaments.wake()
    return TournamentAnswer.of(book.row)


ENDPOINTS = (
    Endpoint("GET", "/api/v1/tournaments", list_tournaments),
    Endpoint("GET", "/api/v1/tournaments/{id}", get_tournament),
    Endpoint("GET", "/api/v1/tournaments/{id}/settings", get_settings, access=OPERATOR),
    Endpoint("GET", "/api/v1/tournaments/{id}/shares", get_shares),
    Endpoint("GET", "/api/v1/tournaments/{id}/walk", get_walk),
    Endpoint("POST", "/api/v1/tournaments", create_tournament, access=OPERATOR),
    Endpoint("POST", "/api/v1/tournaments/{id}/status", conduct_tournament, access=OPERATOR),
    Endpoint("POST", "/api/v1/tournaments/{id}/withdrawals", withdraw_from_tournament, access=OPERATOR),
)
