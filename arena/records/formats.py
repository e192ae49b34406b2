# SPDX-License-Identifier: GPL-3.0-or-later
"""A stored match as a record, and in the formats of the field."""

from datetime import UTC, datetime

from arena.store import Store
from arena.store.rows import MatchRow, StoredMatch
from engine.ending import Termination
from engine.formats.format import Format
from engine.match import Moved, decode_event
from engine.record import PlayedMove, Player, Record


def as_record(match: StoredMatch, tournament: str | None = None) -> Record:
    """Return a match as a record; one that goes on has no result yet, one that was pruned no moves any more.

    ``tournament``: the name of the one that it was played in.
    """
    row = match.row
    events = (decode_event(event.body) for event in match.events)
    first, second = (
        Player(name="?") if player.hidden else Player(player.bot, player.version, player.rating_before)
        for player in row.players
    )
    return Record(
        game=row.game,
        players=(first, second),
        result=row.result or "*",
        start=row.start,
        opening=row.opening,
        moves=tuple(
            PlayedMove(event.move, event.elapsed, event.clock, event.info)
            for event in events
            if isinstance(event, Moved)
        ),
        termination=Termination(row.termination) if row.termination else None,
        detail=row.detail,
        time_control=row.time_control,
        # the number would reveal the coming dice
        seed=None if row.status == "live" else row.dice_seed,
        event=tournament or ("Rated match" if row.rated else "Match"),
        site="Bot Arena",
        round=row.round or "",
        started=_moment(row.started),
        finished=_moment(row.finished) if row.finished else None,
    )


async def tournament_of(store: Store, row: MatchRow) -> str | None:
    """Return the name of the tournament that a match was played in, if any. Raises StoreError."""
    return None if row.tournament is None else (await store.tournaments.get(row.tournament)).name


def as_text(match: StoredMatch, wanted: Format, tournament: str | None = None) -> str:
    """Return a match in a format. Raises ValueError when the format does not cover its game, or its moves do not fit
    the rules.
    """
    return "".join(wanted.write([as_record(match, tournament)]))


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
