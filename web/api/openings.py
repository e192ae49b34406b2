# SPDX-License-Identifier: GPL-3.0-or-later
"""REST route of the opening of a match: its name in chess, and how often the game's matches begin with its moves."""

import asyncio

from arena.application import Arena
from arena.store.encounters import FromStart
from arena.watching.opening_names import LONGEST, NamedOpening, named_opening
from arena.watching.opening_tree import PLIES, GameTree
from engine.game import Game
from web.answer_limits import READING
from web.api.endpoint import Answer, Endpoint, One
from web.api.matches import PlayedMoves, played_moves
from web.api.positions import known
from web.errors import BadRequest

RARE = 100
"""An opening without a name is the longest beginning that at least one in so many of the game's matches have."""


class OpeningAnswer(Answer, frozen=True):
    """The opening of a match: the moves up to its last position with a name; without one, the longest beginning that
    other matches of the game have too.
    """

    match: int
    moves: list[str]
    """In the usual notation; empty if no other match begins alike, and if a match begins at a position with a name."""
    eco: str | None
    """In chess: the code of the Encyclopaedia of Chess Openings."""
    name: str | None
    """In chess: the name of the opening."""
    matches: int | None
    """How many of the newest matches of the game begin with these moves; null for more than 16 moves, and for a match
    that does not begin at the usual start."""
    among: int
    """The number of these newest matches, at most 1,000: finished ones from the usual start."""


async def get_opening(arena: Arena, query: One) -> OpeningAnswer:
    """Return the opening of a match."""
    async with READING.taken():
        played = await played_moves(arena, query.id)
        game = await known(arena, played.row.game)
        texts = [move.move for move in played.moves[:LONGEST]]
        try:
            found, usual = await asyncio.to_thread(_looked_up, game, played.row.start, texts)
        except ValueError as error:
            raise BadRequest(str(error)) from None
        tree = await arena.game_trees.get(FromStart(game.name, usual))
    return _answer(played, found, tree, texts, counted=played.row.start in (None, usual))


def _looked_up(game: Game, start: str | None, texts: list[str]) -> tuple[NamedOpening, str]:
    """Return the opening, and the usual start of the game as text."""
    return named_opening(game, start, texts), game.format_position(game.start())


def _answer(
    played: PlayedMoves, found: NamedOpening, tree: GameTree, texts: list[str], *, counted: bool
) -> OpeningAnswer:
    plies = found.plies
    if found.name is None:
        plies = _shared(played.row.id, tree, texts) if counted else 0
    return OpeningAnswer(
        match=played.row.id,
        moves=list(found.said[:plies]),
        eco=found.name and found.name.eco,
        name=found.name and found.name.name,
        matches=tree.count(texts[:plies]) if counted and 0 < plies <= PLIES else None,
        among=len(tree.matches),
    )


def _shared(match: int, tree: GameTree, texts: list[str]) -> int:
    """Return the number of moves of the longest beginning that enough other matches have."""
    own = int(match in tree.matches)
    enough = max(1, len(tree.matches) // RARE)
    plies = 0
    while plies < min(len(texts), PLIES) and tree.count(texts[: plies + 1]) - own >= enough:
        plies += 1
    return plies


ENDPOINTS = (Endpoint("GET", "/api/v1/matches/{id}/opening", get_opening),)
