# SPDX-License-Identifier: GPL-3.0-or-later
"""Records of webhooks and of their queue of deliveries."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from arena.features.accounts import tables as accounts
from arena.features.feeds import tables
from arena.features.feeds.rows import (
    EVENTS,
    TEST,
    DeliveryRow,
    Due,
    EventName,
    Filter,
    JustTested,
    NewDelivery,
    TooManyWebhooks,
    UnknownWebhook,
    WebhookOff,
    WebhookRow,
)
from arena.store.database.engines import Reader
from arena.store.database.writer import Writer
from arena.store.rows import Page, read_id, write_cursor
from arena.store.tables import insert_new, storable

KEPT = 200
"""Deliveries of a webhook that are kept after they are over: the newest."""
WAITING = 1000
"""Deliveries of a webhook that may wait; further events are left out."""
FOUND_AGAIN = 600.0
"""Seconds for which each delivery is kept, so that no event is queued twice."""
TEST_PAUSE = 10.0
"""Seconds between two tests of a webhook."""
FAILED = "{0} attempts in a row failed: {1}"
FAILED_ONCE = "the attempt failed: {0}"
"""Why a webhook is disabled, for people; pages translate these texts."""

_hook, _delivery, _account = tables.webhooks.c, tables.deliveries.c, accounts.accounts.c
_HOOKS = select(
    *(column for column in tables.webhooks.columns if column.name not in ("secret", "next_try")),
    _account.name.label("account"),
).join(accounts.accounts, _account.id == _hook.account_id)
_ACTIVE = _hook.disabled.is_(None), _account.disabled.is_(None), _account.deleted.is_(None)
_DELIVERY = [_delivery[name] for name in DeliveryRow.__slots__]


class Webhooks:
    """The webhooks in the database, and their deliveries."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer

    # ---------------------------------------------------------------- owners

    async def add(
        self,
        account: int,
        url: str,
        secret: str,
        events: Collection[EventName],
        wanted: Filter,
        *,
        now: float,
        most: int | None,
    ) -> WebhookRow:
        """Register a webhook. Raises TooManyWebhooks where the account has ``most`` already."""
        values = {"account_id": account, "url": storable(url), "secret": secret, "created": now, "seen": now}
        values |= {"events": " ".join(event for event in EVENTS if event in events), "bot_id": wanted.bot}
        values |= {"tournament": wanted.tournament, "game": wanted.game, "failures": 0, "next_try": 0.0, "reason": ""}

        def work(connection: Connection) -> WebhookRow:
            count = select(func.count()).select_from(tables.webhooks).where(_hook.account_id == account)
            if most is not None and (connection.scalar(count) or 0) >= most:
                raise TooManyWebhooks(f"an account has at most {most} webhooks; remove one that is not used")
            (number,) = connection.execute(insert(tables.webhooks).returning(_hook.id), values).one()
            return _read_hook(connection.execute(_HOOKS.where(_hook.id == number)).one())

        return await self._writer.run(work)

    async def all(self, account: int | None = None) -> list[WebhookRow]:
        """Return the webhooks of an account (None: of all accounts) in the order they were registered."""
        query = _HOOKS.order_by(_hook.id)
        if account is not None:
            query = query.where(_hook.account_id == account)
        return await self._read(query)

    async def get(self, number: int, account: int | None = None) -> WebhookRow:
        """Return a webhook, which must be the account's if one is given. Raises UnknownWebhook."""
        return await self._reader.run(lambda connection: _get(connection, number, account))

    async def remove(self, number: int, account: int | None = None) -> WebhookRow:
        """Remove a webhook with its deliveries. Raises UnknownWebhook."""

        def work(connection: Connection) -> WebhookRow:
            row = _get(connection, number, account)
            connection.execute(delete(tables.deliveries).where(_delivery.webhook_id == number))
            connection.execute(delete(tables.webhooks).where(_hook.id == number))
            return row

        return await self._writer.run(work)

    async def enable(self, number: int, account: int | None = None, *, now: float) -> WebhookRow:
        """Enable a webhook again: it gets the events from now on. Raises UnknownWebhook."""
        fresh = {"disabled": None, "reason": "", "failures": 0, "next_try": 0.0, "seen": now}
        return await self._change(number, account, lambda row: fresh if row.disabled is not None else {})

    async def disable(self, number: int, account: int | None = None, *, now: float) -> WebhookRow:
        """Disable a webhook, and drop its waiting deliveries. Raises UnknownWebhook."""

        def work(connection: Connection) -> WebhookRow:
            row = _get(connection, number, account)
            if row.disabled is None:
                _disable(connection, number, now, "")
            return _get(connection, number, account)

        return await self._writer.run(work)

    async def replace_secret(self, number: int, secret: str, account: int | None = None) -> WebhookRow:
        """Give a webhook another secret. Raises UnknownWebhook."""
        return await self._change(number, account, lambda row: {"secret": secret})

    async def test(self, number: int, body: str, account: int | None = None, *, now: float) -> None:
        """Queue a test. Raises UnknownWebhook, WebhookOff, and JustTested."""

        def work(connection: Connection) -> None:
            if _get(connection, number, account).disabled is not None:
                raise WebhookOff("the webhook is disabled; enable it first")
            own = _delivery.webhook_id == number, _delivery.event == TEST
            newest = connection.scalar(select(func.max(_delivery.created)).where(*own))
            if newest is not None and now - newest < TEST_PAUSE:
                raise JustTested("a test was sent just now; try again")
            _queue(connection, NewDelivery(number, TEST, f"{TEST}:{now}", body), now)

        await self._writer.run(work)

    async def deliveries(self, number: int, *, after: str | None = None, limit: int = 50) -> Page[DeliveryRow]:
        """Return the deliveries of a webhook, the newest first. Raises BadCursor."""
        query = select(*_DELIVERY).where(_delivery.webhook_id == number)
        if after is not None:
            query = query.where(_delivery.id < read_id(after))
        query = query.order_by(_delivery.id.desc()).limit(limit + 1)
        rows = await self._reader.run(lambda connection: [DeliveryRow(*row) for row in connection.execute(query)])
        return Page(rows[:limit], write_cursor(rows[limit - 1].id) if len(rows) > limit else None)

    # ---------------------------------------------------------------- the queue

    async def active(self) -> list[WebhookRow]:
        """Return the webhooks that hear of events."""
        return await self._read(_HOOKS.where(*_ACTIVE).order_by(_hook.id))

    async def queue(self, events: Sequence[NewDelivery], seen: Mapping[int, float], now: float) -> int:
        """Queue events that are not known yet, and note the times up to which webhooks have seen the events; return
        how many are new.
        """

        def work(connection: Connection) -> int:
            new = sum(_queue(connection, event, now) for event in events)
            for number, moment in seen.items():
                connection.execute(update(tables.webhooks).where(_hook.id == number).values(seen=moment))
            return new

        return await self._writer.run(work)

    async def due(self, now: float, busy: Collection[int], limit: int) -> list[Due]:
        """Return the next delivery of each webhook whose time has come, at most ``limit``; none of webhooks that are
        ``busy``. Deliveries with fewer attempts come first.
        """
        columns = _delivery.id, _hook.id, _hook.account_id, _hook.url, _hook.secret, _delivery.body, _delivery.attempts
        query = (
            select(*columns, _hook.failures)
            .join(tables.webhooks, _hook.id == _delivery.webhook_id)
            .join(accounts.accounts, _account.id == _hook.account_id)
            .where(_delivery.next_try <= now, _hook.next_try <= now, *_ACTIVE, _hook.id.not_in(busy))
            .order_by(_hook.next_try, _delivery.attempts, _delivery.id)
            .limit(WAITING)
        )
        found = [Due(*row) for row in await self._reader.rows(query)]
        first = {each.webhook: each for each in reversed(found)}
        return sorted(first.values(), key=found.index)[:limit]

    async def delivered(self, due: Due, status: int, now: float) -> None:
        """Note that a delivery succeeded."""
        over = {"attempts": due.attempts + 1, "status": status, "problem": "", "next_try": None, "last_try": now}

        def work(connection: Connection) -> None:
            connection.execute(update(tables.deliveries).where(_delivery.id == due.id).values(over))
            connection.execute(update(tables.webhooks).where(_hook.id == due.webhook).values(failures=0, next_try=0.0))
            _prune(connection, due.webhook, now)

        await self._writer.run(work, durable=False)

    async def failed(
        self, due: Due, status: int | None, problem: str, now: float, again: float | None, rest: float, most: int
    ) -> bool:
        """Note a failed attempt: the delivery is tried again at ``again`` (None: never), the webhook rests until
        ``rest``, and is disabled after ``most`` failures in a row. Returns whether it was disabled.
        """
        values = {"attempts": due.attempts + 1, "status": status, "problem": storable(problem)[:300]}
        off = due.failures + 1 >= most

        def work(connection: Connection) -> bool:
            tried = update(tables.deliveries).where(_delivery.id == due.id)
            connection.execute(tried.values(values | {"last_try": now, "next_try": None if off else again}))
            hook = update(tables.webhooks).where(_hook.id == due.webhook)
            connection.execute(hook.values(failures=due.failures + 1, next_try=rest))
            if off:
                tries = due.failures + 1
                reason = FAILED_ONCE.format(problem) if most == 1 else FAILED.format(tries, problem)
                _disable(connection, due.webhook, now, reason[:300])
            _prune(connection, due.webhook, now)
            return off

        return await self._writer.run(work)

    async def forget_deleted(self) -> int:
        """Remove the webhooks of deleted accounts; return how many."""
        gone = (
            select(_hook.id)
            .join(accounts.accounts, _account.id == _hook.account_id)
            .where(_account.deleted.is_not(None))
        )
        if not await self._reader.run(lambda connection: connection.execute(gone).first()):
            return 0

        def work(connection: Connection) -> int:
            numbers = list(connection.scalars(gone))
            connection.execute(delete(tables.deliveries).where(_delivery.webhook_id.in_(numbers)))
            return connection.execute(delete(tables.webhooks).where(_hook.id.in_(numbers))).rowcount

        return await self._writer.run(work)

    async def _read(self, query: Any) -> list[WebhookRow]:
        return [_read_hook(row) for row in await self._reader.rows(query)]

    async def _change(self, number: int, account: int | None, change: Any) -> WebhookRow:
        def work(connection: Connection) -> WebhookRow:
            values = change(_get(connection, number, account))
            if values:
                connection.execute(update(tables.webhooks).where(_hook.id == number).values(values))
            return _get(connection, number, account)

        return await self._writer.run(work)


def _get(connection: Connection, number: int, account: int | None) -> WebhookRow:
    wanted: list[ColumnElement[bool]] = [_hook.id == number]
    if account is not None:
        wanted.append(_hook.account_id == account)
    row = connection.execute(_HOOKS.where(*wanted)).one_or_none()
    if row is None:
        whose = "no webhook has" if account is None else "none of your webhooks has"
        raise UnknownWebhook(f"{whose} the number {number}")
    return _read_hook(row)


def _read_hook(row: Any) -> WebhookRow:
    values = dict(row._mapping)
    wanted = Filter(values.pop("bot_id"), values.pop("tournament"), values.pop("game"))
    names = values.pop("events").split()
    return WebhookRow(**values, events=tuple(event for event in EVENTS if event in names), filter=wanted)


def _queue(connection: Connection, event: NewDelivery, now: float) -> int:
    """Queue an event unless it is known, or too many wait; return how many are new."""
    waits = select(func.count()).where(_delivery.webhook_id == event.webhook, _delivery.next_try.is_not(None))
    if (connection.scalar(waits) or 0) >= WAITING:
        return 0
    values = {"webhook_id": event.webhook, "event": event.event, "event_key": event.key, "body": storable(event.body)}
    values |= {"created": now, "attempts": 0, "next_try": now, "last_try": None, "status": None, "problem": ""}
    new = insert_new(connection, tables.deliveries).returning(_delivery.id)
    return len(connection.execute(new, values).all())


def _disable(connection: Connection, number: int, now: float, reason: str) -> None:
    connection.execute(update(tables.webhooks).where(_hook.id == number).values(disabled=now, reason=storable(reason)))
    waiting = _delivery.webhook_id == number, _delivery.next_try.is_not(None)
    given_up = {"next_try": None, "problem": "the webhook was disabled"}
    connection.execute(update(tables.deliveries).where(*waiting).values(given_up))


def _prune(connection: Connection, number: int, now: float) -> None:
    """Drop old deliveries that are over, except those whose events may be found again."""
    of_hook = _delivery.webhook_id == number, _delivery.next_try.is_(None)
    bound = connection.scalar(select(_delivery.id).where(*of_hook).order_by(_delivery.id.desc()).offset(KEPT).limit(1))
    if bound is not None:
        old = delete(tables.deliveries).where(*of_hook, _delivery.id <= bound, _delivery.created < now - FOUND_AGAIN)
        connection.execute(old)
