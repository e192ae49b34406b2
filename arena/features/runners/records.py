# SPDX-License-Identifier: GPL-3.0-or-later
"""Records of runners: their tokens, and the times at which each hosted a bot."""

import time
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from sqlalchemy import Connection, bindparam, insert, or_, select, update

from arena.features.runners import tables
from arena.features.runners.rows import Hosted, HostedRow, RunnerRow, UnknownRunner
from arena.records.verification import Finding
from arena.store.audit import Audit
from arena.store.database.engines import Reader
from arena.store.database.writer import Writer
from arena.store.errors import BadName, NameTaken

_runner, _hosted = tables.runners.c, tables.hosted_times.c

LONGEST_NAME = 40
"""Letters of the name of a runner."""
MOST_TIMES = 1000
"""Times in an answer: the first."""

_END = update(tables.hosted_times).where(_hosted.bot_id == bindparam("of"), _hosted.ended.is_(None))


class Runners:
    """The runners in the database."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer

    async def add(self, name: str, token_hash: str) -> RunnerRow:
        """Register a runner. Raises BadName, and NameTaken."""
        if not name.strip() or name != name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
            raise BadName(
                f"{name[:60]!r} is not a name for a runner; choose 1 to {LONGEST_NAME} printable letters without "
                "blanks at the ends"
            )

        def work(connection: Connection) -> RunnerRow:
            taken = select(_runner.id).where(_runner.name == name, _runner.token_hash.is_not(None))
            if connection.scalar(taken) is not None:
                raise NameTaken(f"there is a runner called {name}; choose another name, or remove it first")
            row = {"name": name, "token_hash": token_hash, "created": time.time()}
            (number,) = connection.execute(insert(tables.runners).returning(_runner.id), row).one()
            found = connection.execute(select(tables.runners).where(_runner.id == number)).one()
            return RunnerRow(**found._mapping)

        return await self._writer.run(work)

    async def all(self) -> list[RunnerRow]:
        """Return the runners that were not removed, in the order of registration."""
        query = select(tables.runners).where(_runner.token_hash.is_not(None)).order_by(_runner.id)
        return await self._reader.run(
            lambda connection: [RunnerRow(**row._mapping) for row in connection.execute(query)]
        )

    async def by_token(self, token_hash: str) -> RunnerRow | None:
        """Return the runner of a token."""
        query = select(tables.runners).where(_runner.token_hash == token_hash)
        found = await self._reader.run(lambda connection: connection.execute(query).one_or_none())
        return None if found is None else RunnerRow(**found._mapping)

    async def remove(self, name: str) -> None:
        """Revoke the token of a runner; the times at which it hosted bots stay. Raises UnknownRunner."""
        statement = update(tables.runners).where(_runner.name == name, _runner.token_hash.is_not(None))
        if not await self._writer.run(
            lambda connection: connection.execute(statement.values(token_hash=None)).rowcount
        ):
            raise UnknownRunner(f"no runner is called {name}")

    async def seen(self, numbers: Collection[int], at: float) -> None:
        """Record that runners were connected at a time."""
        statement = update(tables.runners).where(_runner.id.in_(numbers)).values(seen=at)
        await self._writer.run(lambda connection: connection.execute(statement))

    # ---------------------------------------------------------------- times of hosting

    async def interrupted(self) -> None:
        """End the times that a server left open that did not stop in good order: no bot is hosted by a runner now."""
        statement = update(tables.hosted_times).where(_hosted.ended.is_(None)).values(ended=time.time())
        await self._writer.run(lambda connection: connection.execute(statement))

    async def moved(self, ended: Collection[int], began: Sequence[Hosted]) -> None:
        """Record that runners do not host the bots ``ended`` any more, and that others began to host bots."""
        now = time.time()

        def work(connection: Connection) -> None:
            over = {*ended, *(each.bot_id for each in began)}
            if over:
                connection.execute(_END.values(ended=now), [{"of": bot} for bot in over])
            if began:
                rows = [{**each._asdict(), "began": now, "ended": None} for each in began]
                connection.execute(insert(tables.hosted_times), rows)

        await self._writer.run(work)

    async def during(self, bots: Collection[int], start: float, end: float | None) -> list[HostedRow]:
        """Return when runners hosted these bots in a span of time, in order; ``end`` None: until now."""
        query = (
            select(
                _hosted.bot_id,
                _runner.name.label("runner"),
                _hosted.version,
                _hosted.platform,
                _hosted.speed,
                _hosted.cores,
                _hosted.began,
                _hosted.ended,
            )
            .join(tables.runners, _runner.id == _hosted.runner_id)
            .where(_hosted.bot_id.in_(bots), or_(_hosted.ended.is_(None), _hosted.ended >= start))
            .order_by(_hosted.began, _hosted.id)
            .limit(MOST_TIMES)
        )
        if end is not None:
            query = query.where(_hosted.began <= end)
        return await self._reader.run(
            lambda connection: [HostedRow(**row._mapping) for row in connection.execute(query)]
        )


def check_runners(audit: Audit, checked: Counter[str]) -> Iterator[Finding]:
    """Yield the problems in the records of runners."""
    query = select(_hosted.id, _hosted.began, _hosted.ended).order_by(_hosted.id)
    for number, began, ended in audit.stream(query):
        checked["times on runners"] += 1
        if ended is not None and ended < began:
            yield Finding("a runner hosts a bot before it stops to host it", f"hosted time {number}", "it ends first")
