# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading: queries in a few threads, so that the event loop never waits for the database."""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DataError, DBAPIError

from arena.spending import SPEND
from arena.store.engines import READERS, Engines
from arena.store.errors import BadValue, StoreError
from arena.store.health import Health

T = TypeVar("T")


class Reader:
    """Runs queries, each in a transaction of its own that sees one state of the database."""

    def __init__(self, engines: Engines, health: Health) -> None:
        self._engines = engines
        self._health = health
        self._threads = ThreadPoolExecutor(READERS, thread_name_prefix="store-reader")

    async def run(self, query: Callable[[Connection], T]) -> T:
        """Return what ``query`` returned. Raises BadValue, and StoreError when the database failed."""
        spent: list[float] = []
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, self._run, query, spent)
        finally:
            SPEND.get()(sum(spent))

    def _run(self, query: Callable[[Connection], T], spent: list[float]) -> T:
        began = time.thread_time()
        try:
            with self._engines.reading.connect() as connection:
                return query(connection)
        except (OverflowError, UnicodeEncodeError, DataError) as error:
            raise BadValue("no database holds such a number or text") from error
        except DBAPIError as error:
            self._health.came_across(error)
            raise StoreError(f"the database failed: {error.orig}") from error
        finally:
            spent.append(time.thread_time() - began)

    def close(self) -> None:
        """Finish the running queries and end the threads."""
        self._threads.shutdown()
