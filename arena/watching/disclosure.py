# SPDX-License-Identifier: GPL-3.0-or-later
"""Public view of a running match: hides hidden information and player names in anonymous matches, and withholds search
info.

A player may watch its own match as a spectator, so spectators must not see information that one side must not know of
the other. All outputs use this module: the REST API, pages and files by ``public`` and ``public_row``, the spectators'
socket by ``LiveView``.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from msgspec import structs

from arena.connections.sessions import Entrant
from arena.settings import Settings
from arena.store.rows import EventRow, InfoRelease, MatchRow, PlayerRow, StoredMatch
from engine.game import Game
from engine.games import find
from engine.match.events import Moved, decode_event, encode_event
from engine.viewpoint import Viewpoint

HIDDEN = PlayerRow(bot_id=0, bot="", bot_kind="own", version_id=0, version="", rating_before=0.0, rating_after=None)
"""Placeholder for a hidden player."""


def release_of(
    settings: Settings, game: Game, sides: tuple[Entrant, Entrant], *, tournament: bool, anonymous: bool
) -> InfoRelease:
    """Return when the search info of a new match is published."""
    if anonymous:
        return "end"  # live search info would reveal that both sides opted in
    if not game.perfect_information:
        return "end"  # it would reveal hidden information, or a move before the other seat has moved
    if any(side.bot.kind == "person" for side in sides):
        return "end"  # a person reads what spectators see
    if all(side.bot.kind == "built-in" for side in sides) or all(side.open_info for side in sides):
        return "live"
    return settings.tournament_info_release if tournament else settings.info_release


def public_row(row: MatchRow) -> MatchRow:
    """Return the public view of a match: a live anonymous match shows neither players nor its round."""
    if not row.anonymous or row.status != "live":
        return row
    return replace(row, players=(HIDDEN, HIDDEN), round=None)


def sealed(row: MatchRow) -> MatchRow:
    """Return a match without the secret of its dice while it, or another match with the same ones, is live: it would
    reveal all coming dice and cards.
    """
    return replace(row, dice_secret=None) if row.closed else row


def viewpoint_of(row: MatchRow, game: Game) -> Viewpoint:
    """Return the public's view of a match: without hidden information while it runs, the full view after its end, or,
    if another match has the same deal, after the end of both.
    """
    return Viewpoint.of(game, None) if row.closed else Viewpoint.full(game)


def viewpoint_of_seat(row: MatchRow, game: Game, seat: int) -> Viewpoint:
    """Return what a seat saw during a match. Everybody may read it when everything that the match hides is public.

    Raises ValueError, with a message for people, before that, and in games in which both seats see everything.
    """
    if game.perfect_information:
        raise ValueError(f"both seats see everything in {game.name}; leave out the seat")
    if row.status == "live" or hides(row):
        raise ValueError(f"what a seat saw of match {row.id} is secret until {opening_of(row)}")
    return Viewpoint.of(game, seat)


def opening_of(row: MatchRow) -> str:
    """Return in words when everything that a match hides becomes public."""
    if row.sealed_until is None:
        return "its end"
    return f"game {row.sealed_until} of its tournament is over"


def public(match: StoredMatch) -> StoredMatch:
    """Return the public view of a match with its events, without withheld search info."""
    row = public_row(match.row)
    if not row.closed or row.info_release == "live":
        return StoredMatch(row, match.events)
    decoded = [(number, decode_event(event.body)) for number, event in enumerate(match.events)]
    moves = [(number, event) for number, event in decoded if isinstance(event, Moved)]
    events = list(match.events)
    for place in withheld([event for _, event in moves], row.info_release):
        number, event = moves[place]
        events[number] = EventRow(events[number].number, encode_event(structs.replace(event, info=None)))
    return StoredMatch(row, events)


def hides(row: MatchRow) -> bool:
    """Return whether a match hides information from the public now; in a game that is not here, while it could."""
    try:
        return row.closed and find(row.game).secrets is not None
    except KeyError:
        return row.closed


class Reported(Protocol):
    """A move with search info."""

    @property
    def seat(self) -> int: ...
    @property
    def info(self) -> object | None: ...


def withheld(moves: Sequence[Reported], release: InfoRelease, count: int | None = None) -> list[int]:
    """Return the indices of moves with withheld search info among the first ``count`` moves of a live match (None:
    all), newest first.
    """
    count = len(moves) if count is None else count
    if release == "live":
        return []
    if release == "end":
        return [index for index in range(count - 1, -1, -1) if moves[index].info is not None]
    newest = dict.fromkeys((0, 1), -1)
    for index in range(count - 1, -1, -1):
        seat = moves[index].seat
        if newest.get(seat) == -1:
            newest[seat] = index
        if -1 not in newest.values():
            break
    return sorted((index for index in newest.values() if index >= 0 and moves[index].info is not None), reverse=True)


def released_by(moves: Sequence[Reported], index: int, release: InfoRelease) -> int | None:
    """Return the index of the move whose info is published with the move at ``index``, if there is one."""
    if release != "delayed" or moves[index].seat < 0:
        return None
    for before in range(index - 1, -1, -1):
        if moves[before].seat == moves[index].seat:
            return before if moves[before].info is not None else None
    return None
