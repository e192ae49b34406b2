# SPDX-License-Identifier: GPL-3.0-or-later
"""REST route of positions: legal moves and results, for boards on which people try moves."""

import asyncio
from http import HTTPStatus
from typing import Annotated

from msgspec import Meta

from arena.application import Arena
from arena.watching.positions import PositionView, reached
from engine.game import Game
from web.answer_limits import READING, RETRY_AFTER
from web.api.endpoint import Endpoint, GameName, Query
from web.api.games import offered
from web.errors import BadRequest, RequestError

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
    game = playable(arena, query.game)
    moves = split(query.moves)
    async with READING.taken():
        try:
            return await asyncio.to_thread(reached, game, query.position, moves)
        except ValueError as error:
            raise BadRequest(str(error)) from None


def playable(arena: Arena, name: str) -> Game:
    """Return an offered game whose code is compiled. Raises NotFound, and RequestError while it compiles."""
    game = offered(arena, name)
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


ENDPOINTS = (Endpoint("GET", "/api/v1/positions", get_position, cache="max-age=60"),)
