# SPDX-License-Identifier: GPL-3.0-or-later
"""What PGN and PDN have in common when a game is read: its tags and moves become a record."""

from collections.abc import Sequence

from engine.formats import comments, movetext, tags
from engine.game import Game
from engine.record import Record


def record(
    game: Game, found: tags.Tags, start: str | None, played: Sequence[tuple[str, str]], ending: str | None
) -> Record:
    """Return the record of a game: its tags, which are taken, and its moves, each with its comment.

    ``start``: the initial position, None for the usual one; ``ending``: the result that stands after the moves.
    Raises ValueError when neither they nor the tags have a result.
    """
    result = found.result() or ending
    if result is None:
        raise ValueError("the game has no result")
    found.pop("PlyCount", None)
    termination, detail = found.termination()
    booked = movetext.booked(played)
    first, second = game.seats
    return Record(
        game=game.name,
        players=(found.player(first), found.player(second)),
        result=result,
        start=start,
        opening=tuple(move for move, _ in played[:booked]),
        moves=tuple(comments.read(move, comment) for move, comment in played[booked:]),
        termination=termination,
        detail=detail,
        time_control=found.take("TimeControl") or None,
        seed=found.seed(),
        event=found.take("Event"),
        site=found.take("Site"),
        round=found.take("Round"),
        started=found.started(),
        finished=found.take("GameEndTime") or None,
        tags=dict(found),
    )
