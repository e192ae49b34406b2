# SPDX-License-Identifier: GPL-3.0-or-later
"""REST routes of people: start a match, resume a seat, list opponents, people at play and their ratings."""

from http.cookies import SimpleCookie
from typing import Annotated

from aiohttp import web
from msgspec import Meta, Struct

from arena.application import Arena
from arena.features.accounts.access import add_header, check_page, identify
from arena.features.accounts.rows import Account
from arena.features.people.part import UNLIMITED, Full, PeoplePart, Refused
from arena.features.people.rows import PersonRow
from web.api.endpoint import Answer, Endpoint, GameName, Limit, Query
from web.api.games import offered
from web.api.leaderboard import TimeClass
from web.clients import client_of
from web.errors import Conflicting, NotFound, TooManyRequests
from web.prefix import cookie_name, cookie_path

COOKIE = "arena_guest"
"""The name of the cookie with the secret of a guest."""
SEAT = "arena_seat"
"""The name of the cookie that tells the scripts of pages which match the visitor plays; it holds no secret."""
LASTS = 30 * 86_400
"""Seconds for which browsers keep the cookies."""

BotName = Annotated[str, Meta(min_length=1, max_length=64)]


class MatchOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """The match that a person wants to play."""

    game: Annotated[str, Meta(min_length=1, max_length=64)]
    opponent: BotName
    """Name of a connected bot that accepts people."""
    seat: Annotated[int, Meta(ge=0, le=1)] | None = None
    """0 moves first; null: at random."""
    clock: Annotated[str, Meta(max_length=40)] = UNLIMITED
    """A time control that GET /people/opponents lists, or "unlimited"."""


class SeatOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """The request for a person's seat; it has no fields."""


class PersonSeat(Answer, frozen=True):
    """A person's seat, and the token that opens the socket /api/v1/play for it."""

    name: str
    """Name of the person."""
    bot: int
    """Number of the person among the bots."""
    match: int | None
    """The match that the person plays; null if none."""
    token: str
    """For `hello`. It replaces the token before it: the newest page of a person has the seat."""


class Visitor(Answer, frozen=True):
    """Who a visitor is at the board."""

    name: str | None
    """Name of the person; null if the visitor has no seat yet."""
    account: bool
    """Whether the visitor is signed in; other visitors play as guests."""
    match: int | None
    """The match that the visitor plays; null if none."""


class PlayableBot(Answer, frozen=True):
    """A bot that accepts people."""

    id: int
    name: str
    """Name of the bot, for `opponent` of a match."""
    built_in: bool
    """Whether the bot ships with the arena."""
    games: list[str]
    """Names of the games that it plays."""
    ratings: dict[str, float]
    """Ratings by game, in the game's usual time class."""


class PlayableBots(Answer, frozen=True):
    """The connected bots that accept people, and the clocks of matches with people."""

    items: list[PlayableBot]
    clocks: list[str]
    """Time controls that people can choose, besides "unlimited"."""
    move_time: float
    """In a match without a clock, the longest time of a person for one move, in seconds."""


class PersonAtPlay(Answer, frozen=True):
    """A person who plays a match."""

    name: str
    """Name of the person."""
    bot: int
    """Number of the person among the bots."""
    match: int
    game: str
    opponent: str
    """Name of the bot that plays against the person."""
    seat: int
    """The person's seat. 0 moves first."""


class PeopleAtPlay(Answer, frozen=True):
    """The people who play now."""

    items: list[PersonAtPlay]


class PersonRating(Answer, frozen=True):
    """A person's rating."""

    name: str
    """Name of the person."""
    bot: int
    """Number of the person among the bots."""
    rating: float
    """Elo rating of the person; the matches of people leave the ratings of bots unchanged."""
    games: int
    """Number of matches behind the rating."""
    wins: int
    draws: int
    losses: int
    last_played: float
    """Time of the end of the last of these matches, as Unix time in seconds."""


class PeopleRatings(Answer, frozen=True):
    """The people with the highest ratings in a game and a time class, the best first."""

    game: str
    time_class: str
    items: list[PersonRating]


class OneList(Query, frozen=True):
    """Which ratings of people."""

    game: GameName
    time_class: TimeClass | None = None
    limit: Limit = 100


async def play_match(arena: Arena, request: web.Request, order: MatchOrder) -> PersonSeat:
    """Start an unrated match between a person (with an account or as a guest) and a bot that accepts people."""
    part, account = arena.part(PeoplePart), await _visitor(request)
    try:
        wish = part.wish(order.game, order.opponent, order.seat, order.clock)
        secret, address = secret_of(request), client_of(request).key
        person, match, new = await part.start(wish, account, secret, address)
    except Full as full:
        raise TooManyRequests(str(full), full.retry_after) from None
    except Refused as refused:
        raise Conflicting(str(refused)) from None
    if new:
        set_cookie(request, cookie_name(request, COOKIE), new, hidden=True)
    return await _seat(arena, request, person, match)


async def resume_seat(arena: Arena, request: web.Request, order: SeatOrder) -> PersonSeat:
    """Return the seat of the person who asks, with a new token for the socket."""
    part, account = arena.part(PeoplePart), await _visitor(request)
    person = await part.find(account, secret_of(request))
    if person is None:
        raise NotFound("you have no seat; start a match first")
    return await _seat(arena, request, person, part.match_of(person.bot_id))


async def _seat(arena: Arena, request: web.Request, person: PersonRow, match: int | None) -> PersonSeat:
    part = arena.part(PeoplePart)
    if match is not None:
        part.sat_down(match, client_of(request).key)
    set_cookie(request, SEAT, "" if match is None else str(match), hidden=False)
    add_header(request, "Cache-Control", "no-store")
    token = await part.token(person)
    return PersonSeat(name=person.name, bot=person.bot_id, match=match, token=token)


async def get_visitor(arena: Arena, request: web.Request) -> Visitor:
    """Return the visitor's name as a player, whether the visitor has an account, and the visitor's running match."""
    part, account = arena.part(PeoplePart), await identify(request)
    person = await part.find(account, secret_of(request))
    match = None if person is None else part.match_of(person.bot_id)
    set_cookie(request, SEAT, "" if match is None else str(match), hidden=False)
    add_header(request, "Cache-Control", "no-store")
    return Visitor(name=None if person is None else person.name, account=account is not None, match=match)


async def list_opponents(arena: Arena) -> PlayableBots:
    """List the connected bots that accept people, and the clocks of such matches."""
    part = arena.part(PeoplePart)
    items = [
        PlayableBot(
            id=each.bot.id,
            name=each.bot.name,
            built_in=each.bot.kind == "built-in",
            games=list(each.games),
            ratings=each.ratings,
        )
        for each in part.opponents()
    ]
    items.sort(key=lambda each: (not each.built_in, each.name.lower()))
    return PlayableBots(items=items, clocks=part.settings.clocks(), move_time=part.settings.people_move_time)


async def list_people(arena: Arena) -> PeopleAtPlay:
    """List the people who play now, with their matches."""
    items = [
        PersonAtPlay(
            name=side.bot,
            bot=side.bot_id,
            match=referee.row.id,
            game=referee.row.game,
            opponent=referee.row.players[1 - seat].bot,
            seat=seat,
        )
        for referee in arena.conductor.of_people()
        for seat, side in enumerate(referee.row.players)
        if side.person
    ]
    return PeopleAtPlay(items=items)


async def list_ratings(arena: Arena, query: OneList) -> PeopleRatings:
    """List the people with the highest ratings in a game and a time class."""
    game = offered(arena, query.game)
    time_class = query.time_class or arena.registry.time_class(game)
    rows = await arena.part(PeoplePart).records.ratings(game.name, time_class, query.limit)
    items = [PersonRating.of(row, bot=row.bot_id) for row in rows]
    return PeopleRatings(game=game.name, time_class=time_class, items=items)


async def _visitor(request: web.Request) -> Account | None:
    """Return the account that sent a request, None for a guest. Raises RequestError for a page of another site."""
    check_page(request)
    return await identify(request)


def secret_of(request: web.Request) -> str:
    """Return the secret of a guest that a request shows; "" for none."""
    secret = request.cookies.get(cookie_name(request, COOKIE), "")
    return secret if secret.isascii() else ""


def set_cookie(request: web.Request, name: str, value: str, *, hidden: bool) -> None:
    """Give the browser a cookie; "" takes it back. ``hidden``: scripts do not see it."""
    cookie: SimpleCookie = SimpleCookie()
    cookie[name] = value
    morsel = cookie[name]
    morsel["path"], morsel["samesite"] = cookie_path(request), "Strict"
    morsel["max-age"] = LASTS if value else 0
    if hidden:
        morsel["httponly"] = True
    if client_of(request).scheme == "https":
        morsel["secure"] = True
    add_header(request, "Set-Cookie", morsel.OutputString())


REFUSED = {
    409: "The match cannot start now; the message names the reason.",
    429: "A limit is reached; see Retry-After.",
}

ENDPOINTS = (
    Endpoint("GET", "/api/v1/people", list_people),
    Endpoint("GET", "/api/v1/people/me", get_visitor),
    Endpoint("POST", "/api/v1/people/matches", play_match, errors=REFUSED),
    Endpoint("GET", "/api/v1/people/opponents", list_opponents),
    Endpoint("GET", "/api/v1/people/ratings", list_ratings),
    Endpoint("POST", "/api/v1/people/seat", resume_seat, errors={404: "You have no seat."}),
)
