# SPDX-License-Identifier: GPL-3.0-or-later
"""REST API of the matches, live and finished."""

import asyncio
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import Meta, Struct

from arena.application import Arena
from arena.matches.search_info import HEAD, shortened, without_info
from arena.matches.timings import decode_recorded
from arena.protocol.conditions import Conditions
from arena.protocol.messages import Info as ShownInfo
from arena.protocol.watching import Aside, Decision, Seen, SeenMove
from arena.store.rows import InfoRelease, MatchKind, MatchRow, MatchStatus, PlayerRow, StoredMatch, same_owner
from arena.watching.diagrams import DrawnMoves, draw_part
from arena.watching.disclosure import hides, opening_of, public, public_row, viewpoint_of, viewpoint_of_seat
from engine.game import CHANCE, Game
from engine.match.ending import Termination
from engine.match.events import Info, Moved, decode_event
from engine.viewpoint import Viewpoint
from web.answer_limits import READING
from web.api.endpoint import Answer, Cursor, Endpoint, GameName, Limit, Moment, One, Query
from web.api.games import ended_by, offered, recorded
from web.errors import BadRequest, NotFound


class PlayerAnswer(Answer, frozen=True):
    """One side of a match, in the same form as on the sockets."""

    name: str
    """Name of the bot; empty while the match hides names."""
    bot: int | None
    """Number of the bot; null while the match hides names."""
    version: str
    """Label of the bot's version; empty while the match hides names."""
    rating: float | None
    """Rating before the match; null while the match hides names."""
    rating_change: float | None
    """Rating change by the match; null while it is live, and for unrated matches."""


class MatchAnswer(Answer, frozen=True):
    """A match without its moves. Fields of the result are null while it is live."""

    id: int
    game: str
    time_class: str
    time_control: str | None
    rated: bool
    kind: MatchKind
    """What started the match: the ladder, a challenge, a tournament, or a person (people)."""
    pair: int | None
    """In the second match of a colour-swapped pair: the number of the first; otherwise null."""
    tournament: int | None
    """The tournament of the match."""
    round: str | None
    """Round, board and game of the tournament; null while the match hides names."""
    anonymous: bool
    """Whether the match hides the players' names until it is over."""
    info_release: InfoRelease
    """When search info is published: with its move, with the same side's next move, or after the match."""
    dice_commitment: str | None
    """Commitment to the secret of the dice; null without dice, and in old matches."""
    dice_secret: str | None
    """Secret of the dice; null while this match, or another one with the same dice, is live."""
    mirrored_dice: bool
    """Whether the secret determines the dice by seat and number of the roll: another match of the tournament, with
    swapped seats, has the same rolls, or the same cards."""
    sealed_until: str | None
    """If another match of the tournament has the same dice or cards and is not over: the last game with them, as in
    `round`. Until its end the secret, and everything that the game hides, stay hidden although this match may be over.
    Null: this match alone decides."""
    status: MatchStatus
    """live: it is being played; finished: it has a result or is void."""
    result: str | None
    """ "1-0" (the side that moves first won), "0-1", "1/2-1/2" or "*" (void)."""
    payoff: float | None
    """Payoff of the winner, in points: more than 1 in some games; null without a winner, or if `points` says it."""
    points: tuple[float, float] | None
    """Payoffs of both seats in a game that is not zero-sum; null in others, and without a result."""
    termination: str | None
    ended_by: str | None
    """How it ended, as a noun: such as checkmate, or the termination."""
    detail: str
    players: tuple[PlayerAnswer, PlayerAnswer]
    """The player of seat 0, then of seat 1."""
    same_owner: bool
    """Whether both bots have the same owner; false while the match hides names."""
    started: float
    """Time of its start, as Unix time in seconds."""
    finished: float | None
    """Time of its end, as Unix time in seconds."""
    plies: int
    """Number of moves so far, including the opening."""


class MatchesAnswer(Answer, frozen=True):
    """A page of matches, newest first."""

    items: list[MatchAnswer]
    next: str | None
    previous: str | None
    """Value of the parameter `before` for the previous page; null if this page is empty."""


class MatchDetailAnswer(MatchAnswer, frozen=True):
    """A match with its first moves and the board after each move. With the parameter `seat`, diagrams, moves, squares
    and additional data are those that this seat saw during the match.
    """

    view: int | None
    """The seat whose view this is; null: the view of everybody."""
    observation: str | None
    """In the view of a seat: what it saw before the first move, as the text that bots receive as a position; null in
    the view of everybody."""
    seats: tuple[str, str]
    """Names of the sides in the game, such as White and Black; the first moves first."""
    start: str | None
    """Initial position; null: the standard position of the game."""
    opening: list[str]
    """The moves that the arena played before the first turn, as bots send them; the first ones of `moves`."""
    initial: str
    """Diagram before the first move."""
    diagram: str
    """Newest diagram."""
    aside: Aside | None
    """Additional data of the newest position; null: none."""
    decision: Decision | None
    """What decided the match; null unless it ended by the rules of the game."""
    moves: list[SeenMove]
    """The first moves, at most `limit`."""
    next: int | None
    """Value of the parameter `after` of /matches/{id}/moves for the next moves; null: there are no more."""
    to_move: int | None
    """The seat to move; -1: a roll follows; null: the match is over."""
    clocks: tuple[int, int] | None
    """Clocks in milliseconds at ``clocks_at``; the clock of the side to move runs from then on."""
    clocks_at: float | None
    """Unix time in seconds to which `clocks` belongs; null: the match is over."""
    pruned: bool
    """Whether the moves were deleted because of their age."""
    conditions: Conditions | None
    """What the moves of a match by instructions depend on: the SHA-256 of both modules, the version of wasmtime and the
    version of the WebAssembly interface (``machine``). Null while the match is live, and for matches with a clock."""


class MovesAnswer(Answer, frozen=True):
    """Some moves of a match, in order, with the board after each move."""

    match: int
    view: int | None
    """The seat whose view this is; null: the view of everybody."""
    items: list[SeenMove]
    plies: int
    """Number of moves of the match so far."""
    next: int | None
    """Value of the parameter `after` for the next moves; null: there are no more yet."""


class SeriesAnswer(Answer, frozen=True):
    """The matches between the players of a match, in the same game and time class. Numbers are null where there is no
    such match, and all are while the match hides names.
    """

    twin: int | None
    """The other match of the colour-swapped pair."""
    previous: int | None
    """The finished match before this one."""
    next: int | None
    """The finished match after this one."""
    wins: int
    """Wins of the player that moves first, among the newest finished matches of both; likewise `draws`, `losses`."""
    draws: int
    """Draws among these matches."""
    losses: int
    """Losses of that player among these matches."""


Seat = Annotated[
    int,
    Meta(
        ge=0,
        le=1,
        description="Show what this seat saw during the match, and the moves that it was told. For games with hidden "
        "information or simultaneous moves, when everything that the match hides is public; otherwise refused.",
    ),
]
MoveLimit = Annotated[int, Meta(ge=1, le=500, description="Maximum moves in one answer.")]
Status = Annotated[Literal["live", "finished", "all"], Meta(description="Status of the matches.")]


class SomeMatches(Query, frozen=True):
    """Parameters: filters and page of the list of matches."""

    status: Status = "finished"
    game: GameName | None = None
    bot: Annotated[int, Meta(ge=1, le=2**53, description="Number of a bot.")] | None = None
    opponent: Annotated[int, Meta(ge=1, le=2**53, description="Number of an opponent of the bot `bot`.")] | None = None
    tournament: Annotated[int, Meta(ge=1, le=2**53, description="Number of a tournament.")] | None = None
    until: Moment | None = None
    """Only matches that ended before this time."""
    limit: Limit = 50
    after: Cursor | None = None
    before: (
        Annotated[str, Meta(max_length=200, description="Value `previous` of an answer; asks for the next newer page.")]
        | None
    ) = None


class OneMatch(One, frozen=True):
    """Parameters: a match, the maximum number of moves, and a seat."""

    limit: MoveLimit = 200
    seat: Seat | None = None


class SomeMoves(One, frozen=True):
    """Parameters: a match, a range of moves, and a seat."""

    after: Annotated[int, Meta(ge=0, le=2**31, description="Plies that the client has, including the opening.")] = 0
    limit: MoveLimit = 200
    seat: Seat | None = None


class _Shown(NamedTuple):
    """Moves of a match with the match's row and public state."""

    row: MatchRow
    game: Game
    part: DrawnMoves
    seen: Seen | None

    @property
    def next(self) -> int | None:
        last = self.part.moves[-1].ply if self.part.moves else self.part.ply
        return last if last < self.part.ply else None


async def list_matches(arena: Arena, query: SomeMatches) -> MatchesAnswer:
    """List matches, newest first."""
    if query.after is not None and query.before is not None:
        raise BadRequest("'after' and 'before' exclude each other; give only one")
    if query.opponent is not None and query.bot is None:
        raise BadRequest("'opponent' needs 'bot'")
    game = offered(arena, query.game).name if query.game else None
    page = await arena.store.matches.page(
        None if query.status == "all" else query.status,
        game=game,
        bot_id=query.bot,
        opponent_id=query.opponent,
        tournament=query.tournament,
        ended=None if query.until is None else (0.0, query.until),
        after=query.after,
        before=query.before,
        limit=query.limit,
        public=True,
    )
    items = [match_answer(arena, public_row(row)) for row in page.items]
    return MatchesAnswer(items=items, next=page.next, previous=page.previous)


async def get_match(arena: Arena, query: OneMatch) -> MatchDetailAnswer:
    """Return a match with its first moves and the board after each move."""
    shown = await _shown(arena, query.id, 0, query.limit, query.seat)
    row, game, part, seen = shown
    return MatchDetailAnswer.of(
        match_answer(arena, row),
        view=query.seat,
        observation=None if query.seat is None else part.observation,
        seats=game.seats,
        start=row.start,
        opening=list(row.opening),
        initial=part.initial,
        diagram=part.diagram,
        aside=part.aside,
        decision=part.decision if row.termination == Termination.DECIDED and not hides(row) else None,
        moves=part.moves,
        next=shown.next,
        to_move=seen.to_move if seen else None,
        clocks=seen.clocks if seen else None,
        clocks_at=seen.clocks_at if seen else None,
        pruned=row.pruned,
        conditions=None if row.status == "live" else Conditions.read(row.conditions),
    )


def has_views(match: MatchDetailAnswer) -> bool:
    """Return whether everybody may read what each seat saw of a match."""
    game = recorded(match.game)
    hidden = game.secrets is not None and match.sealed_until is not None
    return match.status == "finished" and not game.perfect_information and not hidden


async def shown_move(arena: Arena, match: MatchDetailAnswer, ply: int | None) -> SeenMove | None:
    """Return the move to a ply (None: the newest of a finished match) that is not among the moves of the answer."""
    wanted = match.plies if ply is None and match.status == "finished" else ply
    if not wanted or match.pruned or (match.moves and wanted <= match.moves[-1].ply):
        return None
    return next(iter((await _shown(arena, match.id, wanted - 1, 1, match.view)).part.moves), None)


async def list_moves(arena: Arena, query: SomeMoves) -> MovesAnswer:
    """List moves of a match, in order, with the board after each move."""
    shown = await _shown(arena, query.id, query.after, query.limit, query.seat)
    return MovesAnswer(match=query.id, view=query.seat, items=shown.part.moves, plies=shown.part.ply, next=shown.next)


async def get_series(arena: Arena, query: One) -> SeriesAnswer:
    """Return the score and the neighbours of a match in the series of its players."""
    row = await arena.store.matches.row(query.id)
    if row is None:
        raise NotFound(f"no match has the number {query.id}")
    if public_row(row).players[0].hidden:
        return SeriesAnswer(twin=None, previous=None, next=None, wins=0, draws=0, losses=0)
    return SeriesAnswer.of(await arena.store.results.series(row))


async def find_match(arena: Arena, match_id: int) -> StoredMatch:
    """Return the public view of a match with its events and shortened search info. Raises NotFound."""
    match = await arena.store.matches.get(match_id, shortened)
    if match is None:
        raise NotFound(f"no match has the number {match_id}")
    return public(match)


async def _shown(arena: Arena, match_id: int, after: int, limit: int, seat: int | None) -> _Shown:
    """Return some moves of a live or stored match, as everybody sees them or as a seat saw them. Raises NotFound, and
    BadRequest for a view of a seat that is not public.
    """
    row = await arena.store.matches.row(match_id)
    if row is None:
        raise NotFound(f"no match has the number {match_id}")
    game = recorded(row.game)
    viewpoint = None if seat is None else _of_seat(row, game, seat)
    view = arena.broadcast.view(match_id)
    if view and viewpoint is None:
        drawn = view.picture
        part = DrawnMoves(drawn.initial, drawn.diagram, view.part(after, limit), view.ply, drawn.aside, drawn.decision)
        return _Shown(public_row(row), game, part, view.seen)
    async with READING.taken():
        stored = public(await _part_of(arena, row, after, limit))
        # in a thread, because the first replay of a game in a process loads its kernels
        viewpoint = viewpoint or viewpoint_of(stored.row, game)
        return _Shown(stored.row, game, await asyncio.to_thread(_draw, viewpoint, stored, after, limit), None)


def _of_seat(row: MatchRow, game: Game, seat: int) -> Viewpoint:
    try:
        return viewpoint_of_seat(row, game, seat)
    except ValueError as error:
        raise BadRequest(f"parameter 'seat': {error}") from None


class PlayedMove(NamedTuple):
    """A move of a match without its drawing. ``seat``: -1 for rolls and moves of the opening."""

    ply: int
    seat: int
    move: str
    info: Info | None
    """Public search info."""


class PlayedMoves(NamedTuple):
    """All moves of a match so far."""

    row: MatchRow
    moves: list[PlayedMove]


async def played_moves(arena: Arena, match_id: int) -> PlayedMoves:
    """Return all moves of a live or stored match, with public search info only.

    Raises NotFound, and BadRequest for a match whose moves are still hidden.
    """
    view = arena.broadcast.view(match_id)
    if view:
        if view.ending is None or view.row.sealed:
            check_open(view.row)
        seen = view.part(0, view.ply)
        moves = [PlayedMove(move.ply, move.seat, move.move, _played_info(move.info)) for move in seen]
        return PlayedMoves(public_row(view.row), moves)
    match = await find_match(arena, match_id)
    check_open(match.row)
    opening = [PlayedMove(ply, CHANCE, text, None) for ply, text in enumerate(match.row.opening, 1)]
    events = (decode_event(event.body) for event in match.events)
    moved = [event for event in events if isinstance(event, Moved)]
    return PlayedMoves(match.row, opening + [PlayedMove(each.ply, each.seat, each.move, each.info) for each in moved])


def check_open(row: MatchRow) -> None:
    """Raise BadRequest for a match with hidden information that is not over, or whose deal another match still has."""
    if row.closed and recorded(row.game).secrets is not None:
        raise BadRequest(f"match {row.id} has hidden information until {opening_of(row)}")


def _played_info(info: ShownInfo | None) -> Info | None:
    return None if info is None else Info(pv=tuple(info.pv))


async def _part_of(arena: Arena, row: MatchRow, after: int, limit: int) -> StoredMatch:
    """Return a match with its moves; in a finished match the moves after ``after`` plies have search info."""
    match = await arena.store.matches.get(row.id, without_info, HEAD)
    if match is not None and any(len(event.body) >= HEAD for event in match.events):  # another long event
        match = await arena.store.matches.get(row.id, without_info)
    assert match is not None, "matches are never deleted"
    plies = [(event.number, _plies.decode(event.body).ply) for event in match.events]
    numbers = [number for number, ply in plies if after < ply <= after + limit]
    if not numbers or match.row.closed:
        return match
    shown = await arena.store.matches.events(row.id, numbers[0], numbers[-1], shortened)
    whole = {event.number: event for event in shown}
    return StoredMatch(match.row, [whole.get(event.number, event) for event in match.events])


class _Ply(Struct):
    """The ply of an event, if it is a move."""

    ply: int = 0


_plies = msgspec.json.Decoder(_Ply)


def _draw(viewpoint: Viewpoint, match: StoredMatch, after: int, limit: int) -> DrawnMoves:
    row = match.row
    events = (decode_recorded(event.body) for event in match.events)
    moved = (event for event in events if isinstance(event, Moved))
    return draw_part(viewpoint, row.start, row.opening, moved, after, limit)


def match_answer(arena: Arena, row: MatchRow) -> MatchAnswer:
    """Return the common fields of all answers about matches."""
    view = arena.broadcast.view(row.id)
    plies = view.ply if view else row.plies
    return MatchAnswer.of(
        row,
        dice_secret=None if row.status == "live" else row.told_secret,
        payoff=row.payoff if row.result in ("1-0", "0-1") and row.points is None else None,
        ended_by=None if row.termination is None else ended_by(row.game, row.result or "", row.termination),
        players=(_player(row.players[0]), _player(row.players[1])),
        same_owner=_same_owner(*row.players),
        plies=len(row.opening) if plies is None else plies,
    )


def _same_owner(one: PlayerRow, other: PlayerRow) -> bool:
    return not (one.hidden or other.hidden) and same_owner(one.owner, other.owner)


def _player(row: PlayerRow) -> PlayerAnswer:
    if row.hidden:
        return PlayerAnswer(name="", bot=None, version="", rating=None, rating_change=None)
    return PlayerAnswer.of(row, name=row.bot, bot=row.bot_id, rating=row.rating)


ENDPOINTS = (
    Endpoint("GET", "/api/v1/matches", list_matches),
    Endpoint("GET", "/api/v1/matches/{id}", get_match),
    Endpoint("GET", "/api/v1/matches/{id}/moves", list_moves),
    Endpoint("GET", "/api/v1/matches/{id}/series", get_series),
)
