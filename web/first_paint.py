# SPDX-License-Identifier: GPL-3.0-or-later
"""First paint of a page: heading, board or table as HTML before the page's script runs.

The templates escape names and texts of bots. They reserve the space for parts that the script adds, so nothing moves.
"""

from collections.abc import Callable
from functools import partial

from arena.protocol.messages import Player, RatingChange
from arena.protocol.watching import Ending, Seen, SeenMove
from web import drawing, wording
from web.api.games import BoardAnswer
from web.api.matches import MatchDetailAnswer
from web.assets import Assets

BOARDS = 4
"""Boards of the lobby that the first paint draws with pieces; it draws only frames for the others."""

FILTERS: dict[str, Callable[..., object]] = {
    "ago": wording.ago,
    "clock": wording.clock,
    "count": wording.count,
    "large": wording.large,
    "named": wording.named,
    "points": wording.points,
    "points_text": wording.points_text,
    "rating": wording.rating,
    "reason": wording.reason,
    "score": wording.score,
    "signed": wording.signed,
    "tone": wording.tone,
    "verdict": wording.verdict,
}
"""Template filters that format numbers, times and names."""


def painters(assets: Assets) -> dict[str, object]:
    """Return the functions that templates draw boards with."""
    shapes = drawing.read_shapes(assets)
    return {"draw": partial(drawing.draw_board, shapes), "mark": partial(drawing.draw_mark, shapes), "drawn": BOARDS}


def match_values(match: MatchDetailAnswer, board: BoardAnswer) -> dict[str, object]:
    """Return the template values of a match page: the position after the newest move in the answer."""
    last = match.moves[-1] if match.moves else None
    reports = [_report(match.moves, seat) for seat in (0, 1)]
    return {
        "match": match,
        "board": board,
        "seen": _seen(match),
        "diagram": last.diagram if last else match.initial,
        "squares": last.squares if last else [],
        "reports": reports,
    }


def _report(moves: list[SeenMove], seat: int) -> SeenMove | None:
    """Return the last move of a seat with search info."""
    return next((move for move in reversed(moves) if move.seat == seat and move.info is not None), None)


def _seen(match: MatchDetailAnswer) -> Seen:
    """Return a match as the spectators' stream describes it."""
    one, other = (Player(side.name, side.version, rating=side.rating, bot=side.bot) for side in match.players)
    return Seen(
        match=match.id,
        game=match.game,
        time_class=match.time_class,
        players=(one, other),
        rated=match.rated,
        time_control=match.time_control,
        started=match.started,
        ply=match.plies,
        diagram=match.diagram,
        squares=[],
        to_move=match.to_move or 0,
        clocks=None,
        clocks_at=0.0,
        ending=_ending(match) if match.status == "finished" else None,
    )


def _ending(match: MatchDetailAnswer) -> Ending:
    changes = [
        RatingChange(side.rating, side.rating + side.rating_change)
        for side in match.players
        if side.rating is not None and side.rating_change is not None
    ]
    ratings = (changes[0], changes[1]) if len(changes) == 2 else None
    return Ending(match.result or "*", match.termination or "", match.detail, ratings)
