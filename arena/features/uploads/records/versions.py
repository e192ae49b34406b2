# SPDX-License-Identifier: GPL-3.0-or-later
"""Records of uploaded versions: their states, the logs of their validations, and the error output of their matches."""

import time
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, Select, delete, func, insert, select, update

from arena.features.accounts import tables as accounts
from arena.features.uploads import tables
from arena.features.uploads.rows import (
    PENDING,
    Allowance,
    ErrorOutputRow,
    NewUpload,
    State,
    TooManyUploads,
    UnknownVersion,
    UploadRow,
    WrongState,
)
from arena.records.verification import Finding
from arena.store import tables as core
from arena.store.audit import Audit
from arena.store.database.engines import Reader
from arena.store.database.writer import Writer
from arena.store.rows import Page, read_id, write_cursor
from arena.store.tables import insert_new, storable

_upload, _error, _bot = tables.uploads.c, tables.error_outputs.c, core.bots.c
_owned, _account = accounts.owned_bots.c, accounts.accounts.c
_DISABLED = select(_owned.bot_id).join(accounts.accounts, _account.id == _owned.account_id)
_ACTIVE = _bot.removed.is_(None) & _upload.bot_id.not_in(_DISABLED.where(_account.disabled.is_not(None)))
"""Of bots that are not removed, and whose accounts are not disabled."""
_UPLOADS = select(tables.uploads, _bot.name.label("bot"), _bot.owner).join(core.bots, _bot.id == _upload.bot_id)

DAY = 86_400.0
LONGEST_LOG = 65_536
"""Letters of a log of a validation; further lines are left out."""
KEPT_MATCHES = 100
"""Error outputs of a version that are kept: those of the newest matches."""
PAUSES = (0.0, 30.0, 120.0, 600.0, 1800.0, 3600.0, 3600.0)
"""Seconds until a validation that ended without a result starts again, by the number of its attempts."""
MOST_ATTEMPTS = len(PAUSES) + 1
"""Validations that start for an upload; if none of them has a result, it is rejected."""
FULL_AGAIN = 3600.0
"""Seconds until a client should try again where there is no room: somebody must withdraw a version first."""
QUEUE_AGAIN = 60.0
OWN_PART = 4
"""An account's uploads take at most this part of the queue for validation: a quarter."""


class NoResult(StrEnum):
    """What becomes of an upload whose validation ended without a result, for people; pages translate these texts."""

    LAST = "validation failed {0} times; the cause may be the arena and not the bot; last error: {1}"
    AGAIN = "attempt {0} of {1} had no result ({2}); the next one starts {3}"
    SOON = "soon"
    STOPPED = "the server ended"


class Uploads:
    """The uploaded versions in the database."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer

    # ---------------------------------------------------------------- versions

    async def add(self, new: NewUpload, allowance: Allowance) -> UploadRow:
        """Record an upload. Raises TooManyUploads."""

        def work(connection: Connection) -> UploadRow:
            now = time.time()
            _check(connection, new.account_id, new.stored, allowance, now)
            newest = select(func.max(_upload.number)).where(_upload.bot_id == new.bot_id)
            number = (connection.scalar(newest) or 0) + 1
            row = new._asdict() | {"games": msgspec.json.encode(new.games).decode(), "number": number}
            row |= {"file": storable(new.file), "label": storable(new.label), "reason": "", "log": ""}
            row |= {"created": now, "queued": now, "attempts": 0}
            connection.execute(insert(tables.uploads), row)
            return _get(connection, new.bot_id, number)

        return await self._writer.run(work)

    async def check(self, account: int, allowance: Allowance) -> None:
        """Raise TooManyUploads if ``add`` would now, whatever the file."""
        await self._reader.run(lambda connection: _check(connection, account, 0, allowance, time.time()))

    async def check_queue(self, account: int, allowance: Allowance) -> None:
        """Raise TooManyUploads if too many uploads wait for validation already."""
        await self._reader.run(lambda connection: _check_queue(connection, account, allowance))

    async def get(self, bot_id: int, number: int) -> UploadRow:
        """Return a version of a bot. Raises UnknownVersion."""
        return await self._reader.run(lambda connection: _get(connection, bot_id, number))

    async def find(self, upload: int) -> UploadRow | None:
        """Return the version of an upload; None where there is none."""
        query = _UPLOADS.where(_upload.id == upload)
        row = await self._reader.run(lambda connection: connection.execute(query).one_or_none())
        return None if row is None else _row(row)

    async def of_bot(self, bot_id: int, *, after: str | None = None, limit: int = 50) -> Page[UploadRow]:
        """Return the versions of a bot, the newest first. Raises BadCursor."""
        return await self._page(_UPLOADS.where(_upload.bot_id == bot_id), after, limit)

    async def all(
        self, *, states: Collection[State] = (), after: str | None = None, limit: int = 50
    ) -> Page[UploadRow]:
        """Return the versions of all bots, the newest first. Raises BadCursor."""
        return await self._page(_UPLOADS.where(_upload.state.in_(states)) if states else _UPLOADS, after, limit)

    async def _page(self, query: Select[Any], after: str | None, limit: int) -> Page[UploadRow]:
        if after is not None:
            query = query.where(_upload.id < read_id(after))
        query = query.order_by(_upload.id.desc()).limit(limit + 1)
        found = await self._reader.run(lambda connection: [_row(row) for row in connection.execute(query)])
        return Page(found[:limit], write_cursor(found[limit - 1].id) if len(found) > limit else None)

    async def waiting(self) -> list[UploadRow]:
        """Return the versions to validate, in order: the accounts take turns."""
        query = _UPLOADS.where(_upload.state.in_(("queued", "validating")), _ACTIVE)
        query = query.order_by(_upload.queued, _upload.id)
        return _in_turn(await self._reader.run(lambda connection: [_row(row) for row in connection.execute(query)]))

    async def hosted(self) -> list[UploadRow]:
        """Return the version that each bot plays: its newest accepted one, unless a newer one is in quarantine."""
        decided = _upload.state.in_(("accepted", "quarantined"))
        newest = select(_upload.bot_id, func.max(_upload.number).label("number")).where(decided)
        latest = newest.group_by(_upload.bot_id).subquery()
        query = _UPLOADS.join(latest, (latest.c.bot_id == _upload.bot_id) & (latest.c.number == _upload.number))
        query = query.where(_upload.state == "accepted", _ACTIVE).order_by(_upload.id)
        return await self._reader.run(lambda connection: [_row(row) for row in connection.execute(query)])

    async def change(self, upload: UploadRow, states: Collection[str], state: State, reason: str = "") -> UploadRow:
        """Change the state of a version, which must be one of ``states``. Raises WrongState.

        A version that is queued starts again: without a log, and with all attempts.
        """
        values: dict[str, Any] = {"state": state, "reason": storable(reason)}
        if state == "queued":
            values |= {"queued": time.time(), "attempts": 0, "log": ""}

        def work(connection: Connection) -> UploadRow:
            known = _upload.state.in_(states)
            changed = update(tables.uploads).where(_upload.id == upload.id, known).values(values)
            if not connection.execute(changed).rowcount:
                now = _get(connection, upload.bot_id, upload.number).state
                raise WrongState(f"version {upload.number} is {now}; this action needs a version that is {_or(states)}")
            return _get(connection, upload.bot_id, upload.number)

        return await self._writer.run(work)

    async def newest(self, bots: Collection[int]) -> list[UploadRow]:
        """Return the newest version of each of these bots that has one."""
        numbers = select(_upload.bot_id, func.max(_upload.number).label("number")).where(_upload.bot_id.in_(bots))
        latest = numbers.group_by(_upload.bot_id).subquery()
        query = _UPLOADS.join(latest, (latest.c.bot_id == _upload.bot_id) & (latest.c.number == _upload.number))
        return await self._reader.run(lambda connection: [_row(row) for row in connection.execute(query)])

    async def in_use(self, digest: str, language: str) -> bool:
        """Return whether a version that is not withdrawn has this file."""
        query = select(_upload.id).where(
            _upload.digest == digest, _upload.language == language, _upload.state != "withdrawn"
        )
        return await self._reader.run(lambda connection: connection.execute(query.limit(1)).first() is not None)

    async def files(self) -> set[tuple[str, str]]:
        """Return digest and language of the files of all versions that are not withdrawn, of bots not removed."""
        query = select(_upload.digest, _upload.language).join(core.bots, _bot.id == _upload.bot_id)
        query = query.where(_upload.state != "withdrawn", _bot.removed.is_(None)).distinct()
        return await self._reader.run(
            lambda connection: {(digest, language) for digest, language in connection.execute(query)}
        )

    async def file_names(self) -> dict[tuple[str, str], str]:
        """Return a name under which each of the files of ``files`` was uploaded."""
        query = select(_upload.digest, _upload.language, func.min(_upload.file)).join(
            core.bots, _bot.id == _upload.bot_id
        )
        query = query.where(_upload.state != "withdrawn", _bot.removed.is_(None))
        query = query.group_by(_upload.digest, _upload.language)
        return await self._reader.run(
            lambda connection: {(digest, language): name for digest, language, name in connection.execute(query)}
        )

    async def usage(self, account: int) -> tuple[int, int]:
        """Return the bytes of an account's uploads, and how many it made within a day."""

        def work(connection: Connection) -> tuple[int, int]:
            return _stored(connection, account), len(_today(connection, account, time.time()))

        return await self._reader.run(work)

    # ---------------------------------------------------------------- validation

    async def interrupted(self, why: str = NoResult.STOPPED) -> list[int]:
        """Put validations back that were going on and ended without a result; return the uploads that are rejected.

        The machine may be the cause, so each further one starts after a longer pause. ``why``: for their owners.
        """

        def work(connection: Connection) -> list[int]:
            now, rejected = time.time(), []
            query = select(_upload.id, _upload.attempts).where(_upload.state == "validating")
            for upload, attempts in connection.execute(query).all():
                values = _again(attempts, why, now)
                if values["state"] == "rejected":
                    rejected.append(upload)
                connection.execute(update(tables.uploads).where(_upload.id == upload).values(values))
            return rejected

        return await self._writer.run(work)

    async def started(self, upload: int) -> None:
        """Note that a validation has started."""
        values = {"state": "validating", "attempts": _upload.attempts + 1, "log": "", "reason": ""}
        await self._update(upload, ("queued", "validating"), values)

    async def log(self, upload: int, text: str) -> None:
        """Add a line to the log of a validation."""

        def work(connection: Connection) -> None:
            query = select(_upload.log).where(_upload.id == upload, _upload.state == "validating")
            before = connection.scalar(query)
            if before is None or len(before) + len(text) > LONGEST_LOG:
                return
            after = storable(f"{before}{text}\n")
            connection.execute(update(tables.uploads).where(_upload.id == upload).values(log=after))

        await self._writer.run(work)

    async def accept(self, upload: int, games: Sequence[str], label: str, description: str = "") -> bool:
        """Accept a version that is validated; it plays these games. Returns False if it is not validated any more.

        Its label is its own ``label`` or that of its manifest, with its number if an earlier upload has that label.
        The bot's description becomes ``description``, unless that is empty.
        """

        def work(connection: Connection) -> bool:
            query = select(_upload.bot_id, _upload.number, _upload.label, _upload.digest)
            found = connection.execute(query.where(_upload.id == upload, _upload.state == "validating")).one_or_none()
            if found is None:
                return False
            wanted = found.label or storable(label)
            others = select(_upload.id).where(
                _upload.bot_id == found.bot_id,
                _upload.id != upload,
                _upload.label == wanted,
                _upload.state.in_(("accepted", "quarantined", "withdrawn")),
                _upload.digest != found.digest,
            )
            taken = connection.execute(others.limit(1)).first() is not None
            values = {
                "state": "accepted",
                "reason": "",
                "games": msgspec.json.encode(list(games)).decode(),
                "label": f"{wanted[:50]}-{found.number}" if taken else wanted,
            }
            connection.execute(update(tables.uploads).where(_upload.id == upload).values(values))
            if description:
                described = update(core.bots).where(_bot.id == found.bot_id)
                connection.execute(described.values(description=storable(description)))
            return True

        return await self._writer.run(work)

    async def reject(self, upload: int, reason: str) -> None:
        """Reject a version that is validated."""
        await self._update(upload, ("queued", "validating"), {"state": "rejected", "reason": storable(reason)})

    async def _update(self, upload: int, states: Collection[str], values: dict[str, Any]) -> None:
        statement = update(tables.uploads).where(_upload.id == upload, _upload.state.in_(states)).values(values)
        await self._writer.run(lambda connection: connection.execute(statement).rowcount)

    # ---------------------------------------------------------------- error output

    async def add_errors(self, upload: int, match: int, text: str) -> None:
        """Record the error output of a version in a match; drop those of its oldest matches."""
        row = {"upload_id": upload, "match_id": match, "text": storable(text), "created": time.time()}
        of_upload = _error.upload_id == upload

        def work(connection: Connection) -> None:
            connection.execute(insert_new(connection, tables.error_outputs), row)
            kept = select(_error.match_id).where(of_upload).order_by(_error.match_id.desc())
            oldest = connection.scalar(kept.offset(KEPT_MATCHES - 1).limit(1))
            if oldest is not None:
                connection.execute(delete(tables.error_outputs).where(of_upload, _error.match_id < oldest))

        await self._writer.run(work)

    async def errors(self, bot_id: int, *, after: str | None = None, limit: int = 50) -> Page[ErrorOutputRow]:
        """Return the error output of a bot by match, the newest first. Raises BadCursor."""
        query = select(_error.match_id, _upload.number, _error.text, _error.created)
        query = query.join(tables.uploads, _upload.id == _error.upload_id).where(_upload.bot_id == bot_id)
        if after is not None:
            query = query.where(_error.match_id < read_id(after))
        query = query.order_by(_error.match_id.desc()).limit(limit + 1)
        found = await self._reader.run(lambda connection: [ErrorOutputRow(*row) for row in connection.execute(query)])
        return Page(found[:limit], write_cursor(found[limit - 1].match) if len(found) > limit else None)


def _again(attempts: int, why: str, now: float) -> dict[str, Any]:
    """Return the new values of an upload whose validation ended without a result."""
    if attempts >= MOST_ATTEMPTS:
        return {"state": "rejected", "reason": storable(NoResult.LAST.format(attempts, why))}
    due = now + PAUSES[max(0, attempts - 1)]
    when = f"{datetime.fromtimestamp(due, UTC):%H:%M} UTC" if due > now else NoResult.SOON
    reason = NoResult.AGAIN.format(attempts, MOST_ATTEMPTS, why, when)
    return {"state": "queued", "queued": due, "reason": storable(reason)}


def _check(connection: Connection, account: int, stored: int, allowance: Allowance, now: float) -> None:
    """Raise TooManyUploads if a limit does not allow an upload."""
    if allowance.per_day is not None:
        today = _today(connection, account, now)
        if len(today) >= allowance.per_day:
            wait = today[-allowance.per_day] + DAY - now if allowance.per_day else DAY
            raise TooManyUploads(f"an account may upload {allowance.per_day} files in 24 hours; try again later", wait)
    if allowance.storage is not None and _stored(connection, account) + stored > allowance.storage:
        text = f"the uploads of an account may take {allowance.storage:,} bytes; withdraw versions that you do not need"
        raise TooManyUploads(text, FULL_AGAIN)
    if _stored(connection) + stored > allowance.storage_all:
        raise TooManyUploads("this server has no more room for uploads; ask an administrator", FULL_AGAIN)
    _check_queue(connection, account, allowance)


def _check_queue(connection: Connection, account: int, allowance: Allowance) -> None:
    """Raise TooManyUploads if too many uploads wait, of all accounts or of this one."""
    query = select(_upload.account_id).join(core.bots, _bot.id == _upload.bot_id)
    owners = list(connection.scalars(query.where(_upload.state.in_(PENDING), _ACTIVE)))
    if len(owners) >= allowance.queue:
        raise TooManyUploads(f"{allowance.queue} uploads wait for validation; try again later", QUEUE_AGAIN)
    own = max(allowance.queue // OWN_PART, 1)
    if allowance.per_day is not None and owners.count(account) >= own:
        text = f"{own} uploads of your account wait for approval or validation; try again later"
        raise TooManyUploads(text, QUEUE_AGAIN)


def _in_turn(uploads: list[UploadRow]) -> list[UploadRow]:
    """Return uploads in the order of their accounts' turns: the first of each account, then the second of each."""
    seen: Counter[int] = Counter()
    turns = []
    for upload in uploads:
        turns.append(seen[upload.account_id])
        seen[upload.account_id] += 1
    return [upload for _, upload in sorted(zip(turns, uploads, strict=True), key=lambda each: each[0])]


def _stored(connection: Connection, account: int | None = None) -> int:
    """Return the bytes of the uploads of an account, or of all; the files of removed bots go with them."""
    query = select(func.coalesce(func.sum(_upload.stored), 0)).join(core.bots, _bot.id == _upload.bot_id)
    query = query.where(_upload.state != "withdrawn", _bot.removed.is_(None))
    return int(connection.scalar(query if account is None else query.where(_upload.account_id == account)) or 0)


def _today(connection: Connection, account: int, now: float) -> list[float]:
    """Return when an account made its uploads within a day, in order."""
    query = select(_upload.created).where(_upload.account_id == account, _upload.created > now - DAY)
    return list(connection.scalars(query.order_by(_upload.created)))


def _get(connection: Connection, bot_id: int, number: int) -> UploadRow:
    found = connection.execute(_UPLOADS.where(_upload.bot_id == bot_id, _upload.number == number)).one_or_none()
    if found is None:
        raise UnknownVersion(f"the bot has no uploaded version {number}")
    return _row(found)


def _row(row: Row[Any]) -> UploadRow:
    values = dict(row._mapping)
    return UploadRow(**values | {"games": tuple(msgspec.json.decode(values["games"], type=list[str]))})


def _or(states: Collection[str]) -> str:
    return " or ".join(states)


def check_uploads(audit: Audit) -> Iterator[Finding]:
    """Yield the problems in the records of uploads."""
    query = select(_upload.id).where(_upload.state == "accepted", (_upload.label == "") | (_upload.games == "[]"))
    for (number,) in audit.stream(query):
        yield Finding("an accepted version has a label and games", f"upload {number}", "it has none")
