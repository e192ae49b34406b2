# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches to draw, played by the first legal moves and stored."""

from arena.store import Store
from arena.store.rows import NewMatch
from engine.games import find
from engine.match.events import Moved, encode_event
from tests.arena.store.company import versions


def first_moves(name: str, plies: int) -> list[Moved]:
    """Return the first plies of a game, or all of a shorter one; each is the first legal move."""
    game = find(name)
    position = game.look(game.start())
    moved = list[Moved]()
    while len(moved) < plies and len(position.moves):
        move = int(position.moves[0])
        moved.append(Moved(len(moved) + 1, position.to_move, game.format_move(position.state, move)))
        position = game.play(position, move)
    return moved


async def stored(
    store: Store,
    game: str,
    moved: list[Moved],
    names: tuple[str, str],
    *,
    anonymous: bool = False,
    over: bool = True,
    detail: str = "",
) -> int:
    """Store a match; return its number. A match that is not ``over`` is live."""
    one, other = await versions(store, *names)
    new = NewMatch(game, "bullet", "60+0", False, 1, None, (), (one.id, other.id), anonymous=anonymous)
    number = await store.matches.start(new)
    await store.matches.append(number, [(place, encode_event(event)) for place, event in enumerate(moved)])
    if over:
        await finish(store, number, len(moved), detail)
    return number


async def finish(store: Store, number: int, plies: int, detail: str = "") -> None:
    """End a match with a win of the first player."""
    await store.matches.finish(number, result="1-0", termination="resignation", detail=detail, plies=plies)
