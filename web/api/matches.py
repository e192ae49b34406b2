# SPDX-License-Identifier: GPL-3.0-or-later
"""The matches, live and finished."""

import asyncio
from typing import Annotated, Any, Literal

from msgspec import Meta

from arena.application import Arena
from arena.picture import Picture
from arena.protocol.watching import SeenMove
from arena.store.rows import MatchKind, MatchRow, MatchStatus, PlayerRow, StoredMatch
from engine.game import Game
from engine.match import Moved, decode_event
from web.api.games import offered, recorded
from web.api.route import Answer, Cursor, GameName, Limit, Moment, One, Query, Route
from web.errors import BadRequest, NotFound


class PlayerBot(Answer, frozen=True):
    """Who plays."""

    id: int
    name: str


class PlayerAnswer(Answer, frozen=True):
    """One side of a match."""

    bot: PlayerBot
    version: str
    rating: float
    """Before the match."""
    rating_change: float | None
    """What the match did to it; null while it is live, and when it did nothing."""


class MatchAnswer(Answer, frozen=True):
    """A match, its moves aside. What only an end brings is null while it is live."""

    id: int
    game: str
    time_class: str
    time_control: str | None
    rated: bool
    kind: MatchKind
    pair: int | None
    """The match of the same opening with colours swapped that came first."""
    tournament: int | None
    """The tournament that it belongs to."""
    round: str | None
    """Which game of the tournament: round, board and game."""
    status: MatchStatus
    result: str | None
    """ "1-0" (the side that moves first won), "0-1", "1/2-1/2" or "*" (void)."""
    termination: str | None
    detail: str
    players: tuple[PlayerAnswer, PlayerAnswer]
    started: float
    finished: float | None
    plies: int
    """Moves made so far, those of the opening included."""


class MatchesAnswer(Answer, frozen=True):
    """A page of matches, newest first."""

    items: list[MatchAnswer]
    next: str | None
    previous: str | None
    """Hand it to the same request as `before` for the nearest that are newer; null where the page is empty."""


class MatchDetailAnswer(MatchAnswer, frozen=True):
    """A match with its moves and the board after each."""

    seats: tuple[str, str]
    start: str | None
    """The initial position; null: the game's own."""
    opening: list[str]
    initial: str
    """The diagram before the first move."""
    diagram: str
    """The newest."""
    moves: list[SeenMove]
    to_move: int | None
    clocks: tuple[int, int] | None
    """Milliseconds, as of ``clocks_at``; the mover's runs on from there."""
    clocks_at: float | None
    pruned: bool
    """Whether the moves were dropped with age."""


Status = Annotated[Literal["live", "finished", "all"], Meta(description="Going on, over, or both.")]


class SomeMatches(Query, frozen=True):
    """Which matches."""

    status: Status = "finished"
    game: GameName | None = None
    bot: Annotated[int, Meta(ge=1, le=2**53, description="Number of a bot that plays.")] | None = None
    tournament: Annotated[int, Meta(ge=1, le=2**53, description="Number of a tournament.")] | None = None
    until: Moment | None = None
    """That ended before this time."""
    limit: Limit = 50
    after: Cursor | None = None
    before: Annotated[str, Meta(max_length=200, description="`previous` of the page after.")] | None = None


async def list_matches(arena: Arena, query: SomeMatches) -> MatchesAnswer:
    """List matches, the newest first."""
    if query.after is not None and query.before is not None:
        raise BadRequest("'after' and 'before' are two directions: give one")
    game = offered(arena, query.game).name if query.game else None
    page = await arena.store.matches.page(
        None if query.status == "all" else query.status,
        game=game,
        bot_id=query.bot,
        tournament=query.tournament,
        ended=None if query.until is None else (0.0, query.until),
        after=query.after,
        before=query.before,
        limit=query.limit,
    )
    items = [MatchAnswer(**_fields(arena, row)) for row in page.items]
    return MatchesAnswer(items=items, next=page.next, previous=page.previous)


async def get_match(arena: Arena, query: One) -> MatchDetailAnswer:
    """Describe a match with its moves, and the board after each of them."""
    match = await find_match(arena, query.id)
    row = match.row
    game = recorded(row.game)
    stage = arena.broadcast.stage(row.id)
    if stage:
        picture, seen = stage.picture, stage.seen
    else:
        # in a thread, because the first replay of a game in a process loads its kernels
        picture, seen = await asyncio.to_thread(_draw, game, match), None
    return MatchDetailAnswer(
        **_fields(arena, row),
        seats=game.seats,
        start=row.start,
        opening=list(row.opening),
        initial=picture.initial,
        diagram=picture.diagram,
        moves=picture.moves,
        to_move=seen.to_move if seen else None,
        clocks=seen.clocks if seen else None,
        clocks_at=seen.clocks_at if seen else None,
        pruned=row.pruned,
    )


async def find_match(arena: Arena, match_id: int) -> StoredMatch:
    """Return a match with its events. Raises NotFound."""
    match = await arena.store.matches.get(match_id)
    if match is None:
        raise NotFound(f"no match has the number {match_id}")
    return match


def _draw(game: Game, match: StoredMatch) -> Picture:
    row = match.row
    events = (decode_event(event.body) for event in match.events)
    return Picture(game, row.start, row.opening, (event for event in events if isinstance(event, Moved)))


def _fields(arena: Arena, row: MatchRow) -> dict[str, Any]:
    """Return what all answers on matches say."""
    stage = arena.broadcast.stage(row.id)
    plies = stage.ply if stage else row.plies
    return {
        "id": row.id,
        "game": row.game,
        "time_class": row.time_class,
        "time_control": row.time_control,
        "rated": row.rated,
        "kind": row.kind,
        "pair": row.pair,
        "tournament": row.tournament,
        "round": row.round,
        "status": row.status,
        "result": row.result,
        "termination": row.termination,
        "detail": row.detail,
        "players": (_player(row.players[0]), _player(row.players[1])),
        "started": row.started,
        "finished": row.finished,
        "plies": len(row.opening) if plies is None else plies,
    }


def _player(row: PlayerRow) -> PlayerAnswer:
    return PlayerAnswer(
        bot=PlayerBot(id=row.bot_id, name=row.bot),
        version=row.version,
        rating=row.rating_before,
        rating_change=row.rating_change,
    )


ROUTES = (
    Route("/matches", SomeMatches, MatchesAnswer, list_matches),
    Route("/matches/{id}", One, MatchDetailAnswer, get_match),
)
