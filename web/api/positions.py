# SPDX-License-Identifier: GPL-3.0-or-later
"""REST routes of positions: legal moves and results of positions, also of matches, and drawn principal variations."""

import asyncio
from http import HTTPStatus
from typing import Annotated

from msgspec import Meta

from arena.application import Arena
from arena.watching.lines import LineMove, drawn_line
from arena.watching.positions import PositionView, reached
from engine.game import Game
from web.answer_limits import READING, RETRY_AFTER
from web.api.endpoint import Answer, Endpoint, GameName, One, Query
from web.api.games import offered, recorded
from web.api.matches import PlayedMove, PlayedMoves, played_moves
from web.errors import BadRequest, NotFound, RequestError

MOST_MOVES = 400
"""Maximum moves in one request."""

Text = Annotated[str, Meta(max_length=400, description="A position as text; default: the start of the game.")]
Moves = Annotated[
    str, Meta(max_length=6000, description=f"Moves (and rolls of dice) separated by commas, at most {MOST_MOVES}.")
]


class OnePosition(Query, frozen=True):
    """Parameters: a game, a position and moves."""

    game: GameName
    position: Text | None = None
    moves: Moves = ""


async def get_position(arena: Arena, query: OnePosition) -> PositionView:
    """Return the position after moves, with its legal moves and its result."""
    game = await playable(arena, query.game)
    moves = split(query.moves)
    async with READING.taken():
        try:
            return await asyncio.to_thread(reached, game, query.position, moves)
        except ValueError as error:
            raise BadRequest(str(error)) from None


async def playable(arena: Arena, name: str) -> Game:
    """Return an offered game whose code is compiled, once it is loaded. Raises NotFound, and RequestError while it
    compiles.
    """
    game = offered(arena, name)
    await arena.registry.until_loaded(name)
    if not arena.registry.is_ready(name):
        message = f"the server still compiles {name}; try again soon"
        raise RequestError(HTTPStatus.SERVICE_UNAVAILABLE, "not-ready", message, {"Retry-After": RETRY_AFTER})
    return game


def split(text: str) -> list[str]:
    """Return the moves in a text with commas. Raises BadRequest if there are too many."""
    moves = text.split(",") if text else []
    if len(moves) > MOST_MOVES:
        raise BadRequest(f"parameter 'moves': at most {MOST_MOVES} moves (got {len(moves)})")
    return moves


Ply = Annotated[int, Meta(ge=0, le=100_000, description="Number of moves made; default: all.")]


class OneMatchPosition(One, frozen=True):
    """Parameters: a position of a match, and moves that were not played."""

    ply: Ply | None = None
    moves: Moves = ""


class OneMatchLines(One, frozen=True):
    """Parameters: a position of a match."""

    ply: Ply | None = None


class LineAnswer(Answer, frozen=True):
    """The principal variation that a side reported with a move."""

    ply: int
    """The ply of that move, the first of the variation."""
    moves: list[LineMove]
    """The moves before the first illegal one, at most 16."""


class LinesAnswer(Answer, frozen=True):
    """The newest principal variation of each side up to a position of a match; null where there is none."""

    match: int
    ply: int
    lines: tuple[LineAnswer | None, LineAnswer | None]
    """The variation of seat 0, then of seat 1."""
    thinking: LineAnswer | None
    """The principal variation of the running search at this position, if the server knows one and may show it."""


async def get_match_position(arena: Arena, query: OneMatchPosition) -> PositionView:
    """Return a position of a match, or the position after further moves, with its legal moves and its result."""
    more = split(query.moves)
    async with READING.taken():
        played = await played_moves(arena, query.id)
        made = _until(played, query.ply)
        game = await known(arena, played.row.game)
        texts = [move.move for move in made]
        try:
            return await asyncio.to_thread(reached, game, played.row.start, texts + more, len(texts))
        except ValueError as error:
            raise BadRequest(str(error)) from None


async def get_lines(arena: Arena, query: OneMatchLines) -> LinesAnswer:
    """Return the newest principal variations of both sides up to a ply, with the squares of each move."""
    async with READING.taken():
        played = await played_moves(arena, query.id)
        made = _until(played, query.ply)
        game = await known(arena, played.row.game)
        one, other = [await _line(game, played.row.start, made, seat) for seat in (0, 1)]
        thinking = await _thinking(arena, query.id, game, played.row.start, made)
    return LinesAnswer(match=query.id, ply=len(made), lines=(one, other), thinking=thinking)


async def _thinking(
    arena: Arena, match: int, game: Game, start: str | None, made: list[PlayedMove]
) -> LineAnswer | None:
    """Return the line of the running search, if these are all moves of a live match."""
    view = arena.broadcast.view(match)
    thought = None if view is None else view.shown_thought
    if thought is None or thought.ply != len(made):
        return None
    before = [move.move for move in made]
    return LineAnswer(
        ply=thought.ply + 1, moves=await asyncio.to_thread(drawn_line, game, start, before, thought.info.pv)
    )


async def _line(game: Game, start: str | None, made: list[PlayedMove], seat: int) -> LineAnswer | None:
    """Return the newest line of a seat."""
    last = next((move for move in reversed(made) if move.seat == seat and move.info is not None), None)
    if last is None or last.info is None or not last.info.pv:
        return None
    before = [move.move for move in made[: last.ply - 1]]
    moves = await asyncio.to_thread(drawn_line, game, start, before, last.info.pv)
    return LineAnswer(ply=last.ply, moves=moves)


def _until(played: PlayedMoves, ply: int | None) -> list[PlayedMove]:
    """Return the moves up to a ply. Raises NotFound."""
    if ply is not None and ply > len(played.moves):
        raise NotFound(f"match {played.row.id} has {len(played.moves)} plies, and there is no ply {ply}")
    return played.moves[:ply]


async def known(arena: Arena, name: str) -> Game:
    """Return the game of stored matches, offered or not. Raises NotFound, and RequestError while it compiles."""
    return await playable(arena, name) if name in arena.registry.games else recorded(name)


ENDPOINTS = (
    Endpoint("GET", "/api/v1/positions", get_position, cache="max-age=60"),
    Endpoint("GET", "/api/v1/matches/{id}/position", get_match_position),
    Endpoint("GET", "/api/v1/matches/{id}/lines", get_lines),
)
