# SPDX-License-Identifier: GPL-3.0-or-later
"""The writer's statements for matches, each in the transaction of the given connection.

Constant statements are built once: building one takes longer than running it.
"""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import msgspec
from sqlalchemy import Connection, bindparam, func, insert, select, update

from arena.store import ratings, tables
from arena.store.errors import AlreadyLive, BadMatch, Conflict, MatchFinished, StoreError, TakenOver, UnknownMatch
from arena.store.rows import FinishedMatch, NewMatch, RatingChangeRow, same_owner
from arena.store.tables import EventTuple, insert_events, insert_new
from engine.match.ending import SCORES, payoffs_of

_match, _player, _event = tables.matches.c, tables.players.c, tables.events.c

_OWNERS = select(tables.versions.c.id, tables.versions.c.bot_id).where(
    tables.versions.c.id.in_(bindparam("version_ids", expanding=True))
)
_INSERT_MATCH = insert(tables.matches).returning(_match.id)
_OF_PAIRING = select(func.max(_match.id)).where(
    _match.tournament == bindparam("tournament"), _match.round == bindparam("round")
)
_INSERT_PLAYERS = insert(tables.players)
_STATUSES = select(_match.id, _match.status).where(_match.id.in_(bindparam("match_ids", expanding=True)))
_MATCH_AND_PLAYERS = (
    select(
        _match.status,
        _match.epoch,
        _match.rated,
        _match.game,
        _match.time_class,
        _player.version_id,
        _player.rating_before,
        _player.rating_after,
        tables.bots.c.owner,
    )
    .join_from(tables.matches, tables.players)
    .join(tables.bots, tables.bots.c.id == _player.bot_id)
    .where(_match.id == bindparam("match_id"))
    .order_by(_player.seat)
    .with_for_update(of=tables.matches)
)
_EPOCH = select(_match.epoch).where(_match.id == bindparam("match_id"))
_SEQUEL = select(_match.id).where(_match.id > bindparam("match_id"), _match.pair == bindparam("match_id"))
_AGAIN = select(_match.id).where(_match.id > bindparam("match_id"), _match.seed == bindparam("seed"))
"""The match was started twice: every match has its own seed."""
_END_MATCH = update(tables.matches).where(_match.id == bindparam("match_id"))
_END_PLAYER = update(tables.players).where(
    _player.match_id == bindparam("of_match"), _player.seat == bindparam("at_seat")
)


@dataclass(frozen=True, slots=True)
class Append:
    """Events for a match, as rows of their table."""

    match_id: int
    rows: list[EventTuple]
    epoch: int | None = None
    """The epoch of the referee that sends them; None: an operator ends the match, at whichever node it is refereed."""

    @classmethod
    def of(cls, match_id: int, events: Iterable[tuple[int, bytes]], epoch: int | None = None) -> "Append":
        """Make the rows of events."""
        return cls(match_id, [(match_id, number, body.decode()) for number, body in events], epoch)


@dataclass(frozen=True, slots=True)
class End:
    """How a match ended."""

    result: str
    termination: str
    detail: str
    plies: int
    payoff: float = 1.0
    points: tuple[float, float] | None = None


def start(connection: Connection, match: NewMatch) -> int:
    """Insert a match and its players, with the ratings they bring; returns its id. Raises BadMatch and AlreadyLive."""
    owners = connection.execute(_OWNERS, {"version_ids": match.players})
    bot_ids: dict[int, int] = {row.id: row.bot_id for row in owners}
    if len(bot_ids) < len(set(match.players)):
        raise BadMatch("a match needs players that are registered")
    if match.rated and len(set(bot_ids.values())) < 2:
        raise BadMatch("a rated match needs two bots")
    values = {name: getattr(match, name) for name in match.__slots__ if name not in {"players", "opening"}}
    values |= {
        "sealed": match.sealed,
        "opening": msgspec.json.encode(match.opening).decode(),
        "status": "live",
        "started": time.time(),
    }
    values |= {"detail": "", "pruned": False, "payoff": 1.0}
    match_id: int | None
    if match.tournament is None:
        match_id = connection.execute(_INSERT_MATCH, values).scalar_one()
    else:
        # the only unique index that a new match can violate is that of live matches of tournaments
        unless_live = insert_new(connection, tables.matches).returning(_match.id)
        match_id = connection.execute(unless_live, values).scalar()
        if match_id is None:
            raise _already_live(connection, match)
    before = ratings.current(connection, match.players, match.game, match.time_class)
    players = [
        {"match_id": match_id, "seat": seat, "bot_id": bot_ids[version_id], "version_id": version_id, "live": True}
        | {"rating_before": before[seat]}
        for seat, version_id in enumerate(match.players)
    ]
    connection.execute(_INSERT_PLAYERS, players)
    return match_id


def _already_live(connection: Connection, match: NewMatch) -> AlreadyLive:
    """Return the refusal of a match whose game is live: its newest match, which may have ended a moment ago."""
    number = connection.execute(_OF_PAIRING, {"tournament": match.tournament, "round": match.round}).scalar_one()
    text = f"game {match.round} of tournament {match.tournament} is already being played, in match {number}"
    return AlreadyLive(text, number)


def append(connection: Connection, commands: Sequence[Append]) -> list[StoreError | None]:
    """Insert the events of many matches at once; returns for each command None, or the reason of its refusal.

    Raises Conflict if any command conflicts; the writer then rolls back and runs the commands one by one.
    """
    rows = [row for command in commands for row in command.rows]
    if all(command.rows for command in commands) and insert_events(connection, rows) == len(rows):
        return [None] * len(commands)
    found = connection.execute(_STATUSES, {"match_ids": list({command.match_id for command in commands})})
    status: dict[int, str] = {row.id: row.status for row in found}
    refusals = [_refusal(command.match_id, status.get(command.match_id)) for command in commands]
    for command, refusal in zip(commands, refusals, strict=True):
        if command.rows and not refusal:
            _check(connection, command)
    return refusals


def finish(connection: Connection, last: Append, end: End, sequel: NewMatch | None = None) -> FinishedMatch:
    """Insert the last events, end the match, change the ratings, and start the following match if there is one; for a
    finished match return the recorded outcome.
    """
    players = connection.execute(_MATCH_AND_PLAYERS, {"match_id": last.match_id}).all()
    if not players:
        raise UnknownMatch(f"no match has the number {last.match_id}")
    match = players[0]
    if match.status == "finished":
        first, second = (RatingChangeRow(row.version_id, row.rating_before, row.rating_after) for row in players)
        following = connection.execute(_SEQUEL, {"match_id": last.match_id}).scalar()
        if following is None and sequel is not None:
            following = connection.execute(_AGAIN, {"match_id": last.match_id, "seed": sequel.seed}).scalar()
        return FinishedMatch(last.match_id, None if match.rating_after is None else (first, second), following)
    if last.epoch is not None and match.epoch > last.epoch:
        raise _taken_over(last.match_id)
    if last.rows and insert_events(connection, last.rows) < len(last.rows):
        _check(connection, last)
    now = time.time()
    ended = {"status": "finished", "finished": now, "result": end.result, "termination": end.termination}
    ended |= {"detail": end.detail, "plies": end.plies, "payoff": end.payoff}
    ended |= dict(zip(("points_first", "points_second"), end.points or (None, None), strict=True))
    connection.execute(_END_MATCH, ended | {"match_id": last.match_id})
    payoffs = payoffs_of(end.result, end.payoff, end.points)
    changes = None
    if match.rated and payoffs is not None:
        version_ids = match.version_id, players[1].version_id
        failure = end.termination in ratings.FAILURES
        own = same_owner(match.owner, players[1].owner)
        changes = ratings.change(
            connection,
            version_ids,
            match.game,
            match.time_class,
            SCORES[end.result][0],
            payoffs,
            now,
            failure=failure,
            own=own,
        )
    after = [
        {"of_match": last.match_id, "at_seat": seat, "live": False}
        | {
            "rating_before": changes[seat].before if changes else row.rating_before,
            "rating_after": changes[seat].after if changes else None,
        }
        for seat, row in enumerate(players)
    ]
    connection.execute(_END_PLAYER, after)
    return FinishedMatch(last.match_id, changes, None if sequel is None else start(connection, sequel))


def _refusal(match_id: int, status: str | None) -> StoreError | None:
    if status is None:
        return UnknownMatch(f"no match has the number {match_id}")
    return None if status == "live" else MatchFinished(f"match {match_id} is over")


def _check(connection: Connection, command: Append) -> None:
    """Raise Conflict when a number of the command holds another event than the command's; TakenOver if another server
    referees the match by now.
    """
    numbers = [number for _, number, _ in command.rows]
    query = select(_event.number, _event.body).where(_event.match_id == command.match_id, _event.number.in_(numbers))
    stored = {row.number: row.body for row in connection.execute(query)}
    for match_id, number, body in command.rows:
        if stored.get(number) != body:
            epoch = connection.execute(_EPOCH, {"match_id": match_id}).scalar_one()
            if command.epoch is not None and epoch > command.epoch:
                raise _taken_over(match_id)
            raise Conflict(f"a different event {number} of match {match_id} is already stored")


def _taken_over(match_id: int) -> TakenOver:
    return TakenOver(f"another server referees match {match_id} now")
