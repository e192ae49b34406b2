# SPDX-License-Identifier: GPL-3.0-or-later
"""Sends the queue of webhooks: a few requests at once, one for each webhook, with longer pauses after each failure.

The queue is in the database, so a restart loses nothing. A server that ends between an attempt and its record sends the
delivery again: receivers tell repeats by the header Webhook-Id.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from random import Random

import structlog

from arena.features.feeds.records.webhooks import Webhooks
from arena.features.feeds.rows import Due
from arena.features.feeds.webhooks.requests import AT_ONCE, Outcome, Requests
from arena.seconds import until_next_second
from arena.store.errors import StoreError

FIRST_PAUSE, FACTOR, LONGEST_PAUSE = 10.0, 3.0, 6 * 3600.0
"""Seconds before the second attempt, how much longer each further pause is, and the longest."""
JITTER = 0.2
"""Share by which a pause is longer or shorter at random."""
ATTEMPTS = 8
"""Attempts of one delivery."""
OF_ACCOUNT = 2
"""Requests of the webhooks of one account at once."""
AGAIN = 1.0
"""Seconds to wait when an outcome could not be stored, before the delivery is sent again."""

log = structlog.get_logger("arena.feeds")


def pause(failures: int, random: Random) -> float:
    """Return the pause before the next attempt in seconds; ``failures``: failed attempts in a row."""
    longest = min(FIRST_PAUSE * FACTOR ** (failures - 1), LONGEST_PAUSE)
    return longest * random.uniform(1 - JITTER, 1 + JITTER)


class Sender:
    """Sends the deliveries whose time has come."""

    def __init__(
        self, records: Webhooks, requests: Requests, most_failures: int, now: Callable[[], float], random: Random
    ) -> None:
        self._records = records
        self._requests = requests
        self._most_failures = most_failures
        self._now = now
        self._random = random
        self._sending: dict[asyncio.Task[None], Due] = {}
        self._news = asyncio.Event()

    def wake(self) -> None:
        """Look at the queue soon."""
        self._news.set()

    async def run(self) -> None:
        """Send until cancelled."""
        try:
            while True:
                self._news.clear()
                try:
                    await self.begin()
                except StoreError as error:
                    log.warning("the queue of webhooks cannot be read; trying again", why=str(error))
                await self._wait()
        finally:
            for task in self._sending:
                task.cancel()
            await asyncio.gather(*self._sending, return_exceptions=True)

    async def begin(self) -> int:
        """Begin the deliveries whose time has come, within the limits; return their number."""
        room = AT_ONCE - len(self._sending)
        if room <= 0:
            return 0
        busy = {due.webhook for due in self._sending.values()}
        of_account = Counter(due.account for due in self._sending.values())
        begun = 0
        for due in await self._records.due(self._now(), busy, 10 * AT_ONCE):
            if begun < room and of_account[due.account] < OF_ACCOUNT:
                of_account[due.account] += 1
                task = asyncio.create_task(self._send(due), name=f"webhook {due.webhook}")
                self._sending[task] = due
                task.add_done_callback(self._ended)
                begun += 1
        return begun

    async def settle(self) -> None:
        """Wait until no request is under way."""
        while self._sending:
            await asyncio.wait(list(self._sending))

    def _ended(self, task: asyncio.Task[None]) -> None:
        del self._sending[task]
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a webhook failed", exc_info=error)
        self._news.set()

    async def _wait(self) -> None:
        try:
            async with asyncio.timeout(until_next_second()):
                await self._news.wait()
        except TimeoutError:
            pass

    async def _send(self, due: Due) -> None:
        outcome = await self._requests.send(due.url, due.secret, f"msg_{due.id}", int(self._now()), due.body.encode())
        try:
            await self._note(due, outcome)
        except StoreError as error:
            log.warning("the outcome of a webhook could not be stored; it is sent again", why=str(error))
            await asyncio.sleep(AGAIN)

    async def _note(self, due: Due, outcome: Outcome) -> None:
        now = self._now()
        if not outcome.problem and outcome.status is not None:
            await self._records.delivered(due, outcome.status, now)
            return
        attempts, failures = due.attempts + 1, due.failures + 1
        again = now + pause(attempts, self._random) if attempts < ATTEMPTS else None
        rest = now + pause(failures, self._random)
        most = self._most_failures
        if await self._records.failed(due, outcome.status, outcome.problem, now, again, rest, most):
            log.warning("a webhook was disabled", webhook=due.webhook, why=outcome.problem)
