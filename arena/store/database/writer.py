# SPDX-License-Identifier: GPL-3.0-or-later
"""Group commit: one writer thread collects the commands of many tasks and commits them in one transaction.

During a commit, and for a moment after, the next commands gather; so groups grow with the load, and a single command
does not wait for others. A task continues when its command is committed. Commands run in order and in isolation: a
refused command leaves no trace and does not affect the others. If the database fails, all commands of the group fail,
and nothing of them is written; the writer continues with the next group.
"""

import asyncio
import contextlib
import itertools
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from arena.store.acting import note, pending
from arena.store.database.engines import Engines, Health, is_of_connection, is_of_database, is_passing
from arena.store.database.locking import Locks, lock
from arena.store.errors import Busy, StoreError, Superseded

T = TypeVar("T")

Together = Callable[[Connection, Sequence[Any]], Sequence[object]]
"""Carries out several commands of one kind at once; an outcome that is a StoreError refuses its command."""

_GROUP = 1_000
"""Commands that one transaction takes at most."""

_GATHERING = 0.005
"""Minimum time between commits, in seconds, in which commands gather, because each commit has a cost. On a busy server
a move waits half of it on average."""

_RESTING = 0.5
"""Seconds without a command after which the connection is given back."""


@dataclass(slots=True)
class _Command:
    together: Together
    item: object
    durable: bool
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]
    locks: Locks | None = None
    outcome: object = None


class Writer:
    """Takes commands from the tasks of event loops and writes them in groups, in a thread of its own.

    At most ``limit`` commands wait; a task that comes then waits up to ``patience`` seconds for room. A database that
    is locked or away is tried again for as long, but never after a commit that may have come through unseen.
    """

    def __init__(
        self, engines: Engines, health: Health | None = None, *, limit: int = 10_000, patience: float = 10.0
    ) -> None:
        self._line = _WriterConnection(engines)
        self._health = health or Health(time.monotonic)
        self.guard: Callable[[Connection], None] = lambda connection: None
        """Called at the start of each transaction; raises Superseded if this server may no longer write."""
        self._limit = limit
        self._patience = patience
        self._queue: list[_Command] = []
        self._condition = threading.Condition()
        self._closing = False
        self._thread = threading.Thread(target=self._work, name="store-writer", daemon=True)
        self._thread.start()

    @property
    def backlog(self) -> int:
        """Commands that wait."""
        return len(self._queue)

    async def run(self, work: Callable[[Connection], T], *, durable: bool = True, locks: Locks | None = None) -> T:
        """Run ``work`` in a transaction and return its result after the commit. An operator's action is recorded in the
        audit log in the same transaction. ``locks``: the rows that it changes and that other servers change too.

        ``work`` may run again if the database was locked, so it must change only the database. Raises the exceptions of
        ``work``, and StoreError if the database failed.
        """
        action = pending()

        def carry_out(connection: Connection, _: Sequence[object]) -> tuple[T]:
            done = work(connection)
            if action is not None:
                note(connection, action)
            return (done,)

        outcome: T = await self.join(carry_out, None, durable=durable, locks=locks)
        if action is not None:
            action.written = True
        return outcome

    async def join(self, together: Together, item: object, *, durable: bool = False, locks: Locks | None = None) -> Any:
        """Have ``item`` carried out with its neighbours of the same kind; return its outcome once committed."""
        if len(self._queue) >= self._limit:
            await self._wait_for_room()
        return await self._submit(together, item, asyncio.get_running_loop(), durable=durable, locks=locks)

    def hand_in(
        self, together: Together, item: object, loop: asyncio.AbstractEventLoop, *, durable: bool = False
    ) -> asyncio.Future[Any]:
        """``join`` for callers outside a task: return a future of ``loop`` for the result.

        Raises Busy where ``join`` would wait for room, and StoreError when the store is closed.
        """
        if len(self._queue) >= self._limit:
            raise self._busy()
        return self._submit(together, item, loop, durable=durable)

    def _submit(
        self,
        together: Together,
        item: object,
        loop: asyncio.AbstractEventLoop,
        *,
        durable: bool,
        locks: Locks | None = None,
    ) -> asyncio.Future[Any]:
        command = _Command(together, item, durable, loop, loop.create_future(), locks)
        with self._condition:
            if self._closing:
                raise StoreError("the store is closed")
            self._queue.append(command)
            if len(self._queue) == 1:
                self._condition.notify()
        return command.future

    def _busy(self) -> Busy:
        return Busy(f"{len(self._queue)} commands wait to be written; the database is too slow")

    async def _wait_for_room(self) -> None:
        deadline = time.monotonic() + self._patience
        while len(self._queue) >= self._limit:
            if time.monotonic() > deadline:
                raise self._busy()
            await asyncio.sleep(0.01)

    def close(self) -> None:
        """Write the pending commands, then end the thread."""
        with self._condition:
            self._closing = True
            self._condition.notify()
        self._thread.join()

    # ------------------------------------------------------------ in the thread

    def _work(self) -> None:
        committed = 0.0
        while group := self._next_group(committed):
            try:
                self._write(group)
            except Exception as error:  # for any error, the tasks must receive it and the thread must continue
                _fail(group, f"the writer failed: {error!r}")
            committed = time.monotonic()
            _deliver(group)
        self._line.close()

    def _next_group(self, committed: float) -> list[_Command]:
        """Return the commands to write next; waits for some, but not soon after a commit; empty: the end."""
        pause = committed + _GATHERING - time.monotonic()
        if pause > 0:
            time.sleep(pause)  # first, because waking the waiting tasks takes long
        with self._condition:
            while not self._queue and not self._closing:
                if not self._condition.wait(_RESTING if self._line.open else None):
                    self._line.close()
            group, self._queue = self._queue[:_GROUP], self._queue[_GROUP:]
        return group

    def _write(self, group: list[_Command]) -> None:
        deadline = time.monotonic() + self._patience
        for pause in itertools.chain((0.01, 0.03, 0.1, 0.3), itertools.repeat(1.0)):
            transaction = _Transaction(self._line, group, self.guard)
            try:
                transaction.run()
                self._health.committed()
                return
            except Superseded as error:
                _refuse(group, error)
                return
            except DBAPIError as error:
                self._health.came_across(error)
                again = is_passing(error) or (is_of_connection(error) and not transaction.committing)
                if not again or time.monotonic() + pause > deadline:
                    _fail(group, f"the database failed: {error.orig}")
                    return
                time.sleep(pause)


class _WriterConnection:
    """The connection that one transaction after the other goes through; a new one after each failure."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines
        self._connection: Connection | None = None

    @property
    def open(self) -> bool:
        """Whether a connection is kept."""
        return self._connection is not None

    @contextlib.contextmanager
    def transaction(self, *, durable: bool) -> Iterator[Connection]:
        """Give a connection in a transaction, which is committed at the end."""
        if self._connection is None:
            self._connection = self._engines.writing.connect()
        try:
            with self._connection.execution_options(durable=durable).begin():
                yield self._connection
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Return the connection to the pool. If that fails, drop all connections: the writer thread must continue."""
        if self._connection is not None:
            connection, self._connection = self._connection, None
            try:
                connection.close()
            except Exception:
                self._engines.writing.dispose()


class _Transaction:
    """One try to carry out a group of commands."""

    def __init__(self, line: _WriterConnection, group: list[_Command], guard: Callable[[Connection], None]) -> None:
        self._line = line
        self._group = group
        self._guard = guard
        self.committing = False
        """Whether the commit began: then the commands may be committed although no confirmation came."""

    def run(self) -> None:
        """Run the commands and commit. If one fails, roll back, and run the commands of each kind one by one.

        Raises DBAPIError when the database failed, and Superseded.
        """
        try:
            self._commit(_carry_out)
        except Superseded:
            raise
        except Exception as error:
            if isinstance(error, DBAPIError) and is_of_database(error):
                raise
            self._commit(_carry_out_apart)

    def _commit(self, carry_out: Callable[[Connection, Together, list[_Command]], None]) -> None:
        durable = any(command.durable for command in self._group)
        self.committing = False
        with self._line.transaction(durable=durable) as connection:
            self._guard(connection)
            lock(connection, [command.locks for command in self._group if command.locks is not None])
            for together, commands in itertools.groupby(self._group, key=lambda command: command.together):
                carry_out(connection, together, list(commands))
            self.committing = True


def _carry_out(connection: Connection, together: Together, commands: list[_Command]) -> None:
    """Run commands of one kind. Raises the first error of any of them."""
    outcomes = together(connection, [command.item for command in commands])
    for command, outcome in zip(commands, outcomes, strict=True):
        command.outcome = outcome


def _carry_out_apart(connection: Connection, together: Together, commands: list[_Command]) -> None:
    """Carry out commands of one kind; when that fails for one of them, each by itself."""
    try:
        with connection.begin_nested():
            _carry_out(connection, together, commands)
    except Exception as error:
        if isinstance(error, DBAPIError) and is_of_database(error):
            raise
        if len(commands) == 1:
            commands[0].outcome = _as_failure(error)
            return
        for command in commands:
            _carry_out_apart(connection, together, [command])


@dataclass(frozen=True, slots=True)
class _Failure:
    error: Exception


def _as_failure(error: Exception) -> _Failure:
    if isinstance(error, DBAPIError):
        return _Failure(StoreError(f"the database refused: {error.orig}"))
    return _Failure(error)


def _fail(group: Iterable[_Command], reason: str) -> None:
    _refuse(group, StoreError(reason))


def _refuse(group: Iterable[_Command], error: StoreError) -> None:
    for command in group:
        command.outcome = _Failure(error)


def _deliver(group: list[_Command]) -> None:
    """Wake the tasks, with one call into each of their loops."""
    for loop in {command.loop for command in group}:
        # If the loop is closed, no task waits any more.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(_settle, [command for command in group if command.loop is loop])


def _settle(commands: list[_Command]) -> None:
    for command in commands:
        if command.future.done():
            continue
        outcome = command.outcome
        if isinstance(outcome, _Failure):
            command.future.set_exception(outcome.error)
        elif isinstance(outcome, StoreError):
            command.future.set_exception(outcome)
        else:
            command.future.set_result(outcome)
