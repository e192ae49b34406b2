# SPDX-License-Identifier: GPL-3.0-or-later
"""What the writer does to matches, each in the transaction of the connection it is given."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import msgspec
from sqlalchemy import Connection, bindparam, insert, select, update

from arena.store import ratings, tables
from arena.store.errors import BadMatch, Conflict, MatchFinished, StoreError, UnknownMatch
from arena.store.rows import FinishedMatch, NewMatch, RatingChangeRow
from arena.store.upsert import insert_new

_FIRST_SCORES = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
"""Points of seat 0, where the result is one that changes ratings."""


@dataclass(frozen=True, slots=True)
class Append:
    """Events for a match, as rows of their table."""

    match_id: int
    rows: list[dict[str, object]]

    @classmethod
    def of(cls, match_id: int, events: Iterable[tuple[int, bytes]]) -> "Append":
        """Make the rows of events."""
        return cls(match_id, [{"match_id": match_id, "number": n, "body": body.decode()} for n, body in events])


@dataclass(frozen=True, slots=True)
class End:
    """How a match ended."""

    result: str
    termination: str
    detail: str
    plies: int


def start(connection: Connection, match: NewMatch) -> int:
    """Insert a match and its players, with the ratings they bring; returns its id."""
    version = tables.versions.c
    owners = select(version.id, version.bot_id).where(version.id.in_(match.players))
    bot_ids: dict[int, int] = {row.id: row.bot_id for row in connection.execute(owners)}
    if len(bot_ids) < len(set(match.players)):
        raise BadMatch("a match needs players that are registered")
    if match.rated and len(set(bot_ids.values())) < 2:
        raise BadMatch("a rated match needs two bots")
    values = {name: getattr(match, name) for name in match.__slots__ if name not in {"players", "opening"}}
    values |= {"opening": msgspec.json.encode(match.opening).decode(), "status": "live", "started": time.time()}
    values |= {"detail": "", "pruned": False}
    match_id: int = connection.execute(insert(tables.matches).returning(tables.matches.c.id), values).scalar_one()
    before = ratings.current(connection, match.players, match.game, match.time_class)
    players = [
        {"match_id": match_id, "seat": seat, "bot_id": bot_ids[version_id], "version_id": version_id, "live": True}
        | {"rating_before": before[seat]}
        for seat, version_id in enumerate(match.players)
    ]
    connection.execute(insert(tables.players), players)
    return match_id


def append(connection: Connection, commands: Sequence[Append]) -> list[StoreError | None]:
    """Insert the events of many matches at once; the outcome of each command is None, or why it is refused.

    Raises Conflict when that is so for any of them; the writer then takes each by itself, and undoes what that one wrote.
    """
    match_ids = {command.match_id for command in commands}
    match = tables.matches.c
    query = select(match.id, match.status).where(match.id.in_(match_ids))
    status: dict[int, str] = {row.id: row.status for row in connection.execute(query)}
    refusals = [_refusal(command.match_id, status.get(command.match_id)) for command in commands]
    rows = [row for command, refusal in zip(commands, refusals, strict=True) if not refusal for row in command.rows]
    if rows and _insert(connection, rows) < len(rows):
        for command, refusal in zip(commands, refusals, strict=True):
            if not refusal:
                _check(connection, command)
    return refusals


def finish(connection: Connection, last: Append, end: End) -> FinishedMatch:
    """Insert the last events, end the match, change the ratings; of a finished match only tell what was done."""
    match, player = tables.matches.c, tables.players.c
    row = connection.execute(select(tables.matches).where(match.id == last.match_id).with_for_update()).one_or_none()
    if row is None:
        raise UnknownMatch(f"no match has the number {last.match_id}")
    players = connection.execute(select(tables.players).filter_by(match_id=row.id).order_by(player.seat)).all()
    if row.status == "finished":
        first, second = (RatingChangeRow(each.version_id, each.rating_before, each.rating_after) for each in players)
        return FinishedMatch(row.id, None if players[0].rating_after is None else (first, second))
    if last.rows and _insert(connection, last.rows) < len(last.rows):
        _check(connection, last)
    now = time.time()
    connection.execute(
        update(tables.matches).where(match.id == row.id),
        {"status": "finished", "finished": now, "result": end.result, "termination": end.termination}
        | {"detail": end.detail, "plies": end.plies},
    )
    connection.execute(update(tables.players).where(player.match_id == row.id), {"live": False})
    score = _FIRST_SCORES.get(end.result)
    if not row.rated or score is None:
        return FinishedMatch(row.id, None)
    version_ids = players[0].version_id, players[1].version_id
    changes = ratings.change(connection, version_ids, row.game, row.time_class, score, now)
    connection.execute(
        update(tables.players).where(player.match_id == row.id, player.seat == bindparam("at")),
        [
            {"at": seat, "rating_before": change.before, "rating_after": change.after}
            for seat, change in enumerate(changes)
        ],
    )
    return FinishedMatch(row.id, changes)


def _refusal(match_id: int, status: str | None) -> StoreError | None:
    if status is None:
        return UnknownMatch(f"no match has the number {match_id}")
    return None if status == "live" else MatchFinished(f"match {match_id} is over")


def _insert(connection: Connection, rows: list[dict[str, object]]) -> int:
    """Insert events, those passed over whose number is taken; returns how many were new."""
    return connection.execute(insert_new(connection, tables.events), rows).rowcount


def _check(connection: Connection, command: Append) -> None:
    """Raise Conflict when a number of the command holds another event than the command's."""
    event = tables.events.c
    numbers = [row["number"] for row in command.rows]
    query = select(event.number, event.body).where(event.match_id == command.match_id, event.number.in_(numbers))
    stored = {row.number: row.body for row in connection.execute(query)}
    for row in command.rows:
        if stored[row["number"]] != row["body"]:
            raise Conflict(f"event {row['number']} of match {command.match_id} is another one already")
