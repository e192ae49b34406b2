# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of a running arena that finds events for webhooks, sends them, and tells owners of disabled webhooks."""

import asyncio
import time
from collections.abc import Callable, Sequence
from random import Random

import structlog

from arena.application import Arena
from arena.feature import Part
from arena.features.accounts.part import AccountsPart, Notice
from arena.features.accounts.rows import Account
from arena.features.feeds.latest import LatestResults
from arena.features.feeds.records.webhooks import Webhooks
from arena.features.feeds.settings import WebhookSettings
from arena.features.feeds.webhooks.addresses import Guard
from arena.features.feeds.webhooks.delivering import Sender
from arena.features.feeds.webhooks.gathering import Gatherer
from arena.features.feeds.webhooks.requests import SECONDS, Requests
from arena.features.uploads.part import UploadsPart
from arena.features.uploads.rows import UploadRow
from arena.store.errors import StoreError
from arena.store.rows import MatchRow
from engine.match.ending import Ending

LOOK = 2.0
"""Seconds between two looks for events of which nobody tells the server, such as `arena tournament cancel`."""
PAUSE = 0.5
"""Shortest time in seconds between two looks: matches that end together are one look."""

log = structlog.get_logger("arena.feeds")

DISABLED = "Webhook {0} was disabled: {1}"
"""A notice for the owner of a webhook; pages translate it."""


class FeedsPart(Part):
    """The webhooks, and the results of the feed."""

    def __init__(self, arena: Arena) -> None:
        self.settings = arena.settings.of(WebhookSettings)
        self.guard = Guard(self.settings)
        self.records = arena.store.records(Webhooks)
        self.latest = LatestResults(arena, time.monotonic)
        self.now: Callable[[], float] = time.time
        self._gatherer = Gatherer(arena, self.records)
        self._sender: Sender | None = None
        self._ended = asyncio.Event()
        accounts = arena.part(AccountsPart)
        accounts.changes.append(self._follow)
        accounts.notices.append(self._notices)
        arena.part(UploadsPart).decided.append(self._decided)
        arena.conductor.on_finished.append(self._hear)

    def _hear(self, row: MatchRow, ending: Ending) -> None:
        """Hear of the end of a match."""
        self._ended.set()

    def wake(self) -> None:
        """Look at the queue now: a delivery was added."""
        if self._sender is not None:
            self._sender.wake()

    async def run(self) -> None:
        """Find and send events until cancelled."""
        requests = Requests(self.guard, seconds=SECONDS)
        self._sender = Sender(self.records, requests, self.settings.webhook_failures, self.now, Random())
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._sender.run())
                tasks.create_task(self._gather())
        finally:
            self._sender = None
            await requests.close()

    async def _gather(self) -> None:
        forgotten = False
        while True:
            self._ended.clear()
            try:
                if not forgotten:
                    await self._follow()
                    forgotten = True
                if await self._gatherer.gather(self.now()):
                    self.wake()
            except StoreError as error:
                log.warning("events for webhooks cannot be read; trying again", why=str(error))
            except Exception:
                log.exception("events for webhooks could not be found")
            await asyncio.sleep(PAUSE)
            try:
                async with asyncio.timeout(LOOK):
                    await self._ended.wait()
            except TimeoutError:
                pass

    async def _follow(self) -> None:
        """Forget the webhooks of deleted accounts."""
        await self.records.forget_deleted()

    async def _decided(self, upload: UploadRow) -> None:
        """Hear of a version that was accepted or rejected."""
        try:
            if await self._gatherer.decided(upload, self.now()):
                self.wake()
        except StoreError as error:
            log.warning("an event for webhooks was lost", upload=upload.id, why=str(error))

    async def _notices(self, account: Account) -> Sequence[Notice]:
        """Return a notice for each webhook of an account that the arena disabled."""
        return [
            Notice(hook.disabled, None, DISABLED.format(hook.id, hook.reason), (), "/webhooks")
            for hook in await self.records.all(account.id)
            if hook.disabled is not None and hook.reason
        ]
