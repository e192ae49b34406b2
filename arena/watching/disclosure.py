# SPDX-License-Identifier: GPL-3.0-or-later
"""What may be seen of a match while it goes on: who plays, and what the players report of their searches.

Nobody can tell who reads: a player may follow its own match as a spectator. So nobody is shown what one side must not
know of the other. Every way out of the arena shows a match as this module leaves it: the REST API, pages and files by
``public`` and ``public_row``, the watch socket by ``LiveView``.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from msgspec import structs

from arena.connections.sessions import Entrant
from arena.settings import Settings
from arena.store.rows import EventRow, InfoRelease, MatchRow, PlayerRow, StoredMatch
from engine.match import Moved, decode_event, encode_event

HIDDEN = PlayerRow(bot_id=0, bot="", bot_kind="own", version_id=0, version="", rating_before=0.0, rating_after=None)
"""A player that nobody is told of yet."""


def release_of(settings: Settings, sides: tuple[Entrant, Entrant], *, tournament: bool, anonymous: bool) -> InfoRelease:
    """Return when spectators shall see the search info of a match that is about to start."""
    if anonymous:
        return "end"  # that both sides opted in would tell who they may be
    if all(side.bot.kind == "house" for side in sides) or all(side.open_info for side in sides):
        return "live"
    return settings.tournament_info_release if tournament else settings.info_release


def public_row(row: MatchRow) -> MatchRow:
    """Return a match as everybody may see it: where it hides who plays, neither players nor its place in the
    tournament are told before the end.
    """
    if not row.anonymous or row.status != "live":
        return row
    return replace(row, players=(HIDDEN, HIDDEN), round=None)


def public(match: StoredMatch) -> StoredMatch:
    """Return a match with its events as everybody may see it: without search info that is not released yet."""
    row = public_row(match.row)
    if row.status != "live" or row.info_release == "live":
        return StoredMatch(row, match.events)
    decoded = [(number, decode_event(event.body)) for number, event in enumerate(match.events)]
    moves = [(number, event) for number, event in decoded if isinstance(event, Moved)]
    events = list(match.events)
    for place in withheld([event for _, event in moves], row.info_release):
        number, event = moves[place]
        events[number] = EventRow(events[number].number, encode_event(structs.replace(event, info=None)))
    return StoredMatch(row, events)


class Reported(Protocol):
    """A move, as the referee or spectators know it."""

    @property
    def seat(self) -> int: ...
    @property
    def info(self) -> object | None: ...


def withheld(moves: Sequence[Reported], release: InfoRelease, count: int | None = None) -> list[int]:
    """Return which of the first ``count`` moves of a running match (all: None) have info that is not shown yet, as
    indices, the newest first.
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
    """Return the index of the move whose info is shown from the move at ``index`` on, if there is one."""
    if release != "delayed" or moves[index].seat < 0:
        return None
    for before in range(index - 1, -1, -1):
        if moves[before].seat == moves[index].seat:
            return before if moves[before].info is not None else None
    return None
