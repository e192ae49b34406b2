# SPDX-License-Identifier: GPL-3.0-or-later
"""First paint of a page: heading, board or table as HTML before the page's script runs.

The templates escape names and texts of bots. They reserve the space for parts that the script adds, so nothing moves.
"""

from collections.abc import Callable, Container
from functools import partial

from arena.protocol.messages import Player, RatingChange
from arena.protocol.watching import Ending, Lobby, Seen, SeenMove
from web import wording
from web.api.games import BoardAnswer
from web.api.matches import MatchDetailAnswer
from web.assets import Assets
from web.drawing import draw_board, draw_mark, read_shapes

BOARDS = 4
"""Boards of the lobby that the first paint draws with pieces; it draws only frames for the others."""

FILTERS: dict[str, Callable[..., object]] = {
    "ago": wording.ago,
    "clock": wording.clock,
    "control": wording.control,
    "count": wording.count,
    "half": wording.half,
    "how": wording.how,
    "large": wording.large,
    "named": wording.named,
    "points": wording.points,
    "points_text": wording.points_text,
    "rating": wording.rating,
    "score": wording.score,
    "signed": wording.signed,
    "tone": wording.tone,
    "verdict": wording.verdict,
}
"""Template filters that format numbers, times and names."""


def painters(assets: Assets) -> dict[str, object]:
    """Return the functions that templates draw boards with."""
    shapes = read_shapes(assets)
    return {"draw": partial(draw_board, shapes), "mark": partial(draw_mark, shapes), "drawn": BOARDS}


def lobby_values(lobby: Lobby, games: Container[str]) -> dict[str, object]:
    """Return the template values of the lobby: the other boards of ``games``, and the score of the featured pairing."""
    featured = lobby.featured
    bots = {player.bot for player in featured.players} if featured else {None}
    scores = (
        result
        for result in lobby.results
        if featured and result.game == featured.game and {player.bot for player in result.players} == bots
    )
    number = featured.match if featured else None
    others = [seen for seen in lobby.boards if seen.match != number and seen.game in games]
    score = None if None in bots else next(scores, None)
    return {"others": others, "score_of_pairing": score}


def match_values(
    match: MatchDetailAnswer, board: BoardAnswer, ply: int | None = None, at: SeenMove | None = None
) -> dict[str, object]:
    """Return the template values of a match page: the position after ``ply`` moves, by default the newest.

    ``at``: the move to that position if it is not in the answer.
    """
    last = at or (match.moves[-1] if match.moves else None)
    if ply is not None and at is None:
        last = match.moves[ply - 1] if 0 < ply <= len(match.moves) else None
    reports = [_report(match.moves[:ply], seat) for seat in (0, 1)]
    return {
        "match": match,
        "board": board,
        "seen": _seen(match),
        "diagram": last.diagram if last else match.initial,
        "squares": last.squares if last else [],
        "aside": last.aside if last else None,
        "reports": reports,
        "decision": match.decision if last is not None and last.ply == match.plies else None,
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
        aside=match.aside,
    )


def _ending(match: MatchDetailAnswer) -> Ending:
    changes = [
        RatingChange(side.rating, side.rating + side.rating_change)
        for side in match.players
        if side.rating is not None and side.rating_change is not None
    ]
    ratings = (changes[0], changes[1]) if len(changes) == 2 else None
    return ending_of(match, ratings)


def ending_of(match: MatchDetailAnswer, ratings: tuple[RatingChange, RatingChange] | None = None) -> Ending:
    """Return the end of a finished match as the spectators' stream describes it."""
    return Ending(
        match.result or "*",
        match.termination or "",
        match.detail,
        ratings,
        payoff=match.payoff or 1.0,
        decision=match.decision,
        points=match.points,
        sealed_until=match.sealed_until,
    )
