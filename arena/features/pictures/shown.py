# SPDX-License-Identifier: GPL-3.0-or-later
"""The positions of a match as everybody may see them, live or from the record."""

from collections.abc import Sequence

from msgspec import Struct

from arena.application import Arena
from arena.features.pictures.drawing import Position
from arena.protocol.terminal import plain_line
from arena.protocol.watching import SeenMove
from web import wording
from web.api.games import BoardAnswer, describe, recorded
from web.api.matches import MatchDetailAnswer, OneMatch, SomeMoves, get_match, list_moves
from web.errors import BadRequest, NotFound


class Shown(Struct, frozen=True):
    """Positions of a match, one after the other."""

    board: BoardAnswer
    title: str
    """Game and players, without control characters."""
    first: int
    """Ply of the first position."""
    positions: Sequence[Position]


async def position_of(arena: Arena, number: int, ply: int | None, seat: int | None = None) -> Shown:
    """Return the position of a match after ``ply`` moves, the newest without a ply; with a seat as that seat saw it.

    Raises NotFound, and BadRequest for a view of a seat that is not public.
    """
    match = await get_match(arena, OneMatch(id=number, limit=1, seat=seat))
    chosen = checked(match, ply)
    return await _shown(arena, match, chosen, chosen)


async def positions_of(
    arena: Arena, number: int, start: int | None, end: int | None, most: int, seat: int | None = None
) -> Shown:
    """Return the positions of a match from ``start`` to ``end`` (None: the last one), at most ``most``; with a seat as
    that seat saw them.

    Without a start: from the first position, or the last ``most`` positions of a longer match. Raises NotFound and
    BadRequest.
    """
    match = await get_match(arena, OneMatch(id=number, limit=1, seat=seat))
    last = checked(match, end)
    if start is None:
        first = max(0, last + 1 - most)
    else:
        first = checked(match, start)
        last = min(last, first + most - 1)
    if first > last:
        raise BadRequest(f"start must not be above end (got {first} and {last})")
    return await _shown(arena, match, first, last)


def checked(match: MatchDetailAnswer, ply: int | None) -> int:
    """Return a ply of a match, its last one for None. Raises NotFound."""
    if match.pruned:
        raise NotFound(f"the moves of match {match.id} were deleted because of their age")
    if ply is None:
        return match.plies
    if ply > match.plies:
        raise NotFound(f"match {match.id} has no ply {ply}; choose a ply from 0 to {match.plies}")
    return ply


async def _shown(arena: Arena, match: MatchDetailAnswer, first: int, last: int) -> Shown:
    positions = [Position(match.initial, ())] if first == 0 else []
    after = max(first - 1, 0)
    if last > after:
        moves = await list_moves(arena, SomeMoves(id=match.id, after=after, limit=last - after, seat=match.view))
        positions += map(_position, moves.items)
    if not positions:
        raise NotFound(f"the record of match {match.id} has no ply {first}")
    game = recorded(match.game)
    return Shown(describe(arena.registry, game).board, title_of(match, game.title), first, positions)


def _position(move: SeenMove) -> Position:
    return Position(move.diagram, tuple(move.squares))


def title_of(match: MatchDetailAnswer, game: str) -> str:
    """Return the game and the players of a match as one line; each name is isolated, so it reorders no other text."""
    return f"{game}: {players_of(match)}"


def players_of(match: MatchDetailAnswer) -> str:
    """Return the names of both players; hidden names are not shown."""
    one, other = (isolated(wording.named(player)) for player in match.players)
    return f"{one} – {other}"


def isolated(name: str) -> str:
    """Return a name as one line. The direction of its letters does not change the text around it."""
    plain = plain_line(name)
    return plain if plain.isascii() else f"\u2068{plain}\u2069"
