# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of a running arena that puts bots into quarantine, and tells their owners."""

import asyncio
import contextlib
from collections.abc import Mapping, Sequence

import structlog

from arena.application import Arena
from arena.feature import Part
from arena.features.accounts.part import AccountsPart, Notice
from arena.features.accounts.rows import Account
from arena.features.health.judging import Verdict, failures, judge, limits_of
from arena.features.health.records import ACCEPTED, Quarantines
from arena.features.health.rows import NotQuarantined, QuarantineRow
from arena.features.health.settings import HealthSettings
from arena.features.uploads.part import UploadsPart
from arena.features.uploads.rows import UploadRow
from arena.seconds import until_next_second
from arena.store.acting import Action, acting
from arena.store.errors import StoreError, keep_trying
from arena.store.rows import MatchRow
from engine.match.ending import Ending

log = structlog.get_logger("arena.health")


STATE = "in quarantine"
NOTICE = "is in quarantine, off the ladder: {0}"
QUARANTINE, LIFT, MATCHES, VALIDATION = "quarantine", "lift quarantine", "rated matches", "validation"
"""Actions in the audit log, and their origins."""


class HealthPart(Part):
    """Counts the failures of bots in rated matches."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self._uploads = arena.part(UploadsPart)
        self._settings = arena.settings.of(HealthSettings)
        self._limits = limits_of(self._settings)
        self._failures = failures(self._limits)
        self.records = arena.store.records(Quarantines)
        self._bots: frozenset[int] | None = None
        """The bots in quarantine; None until they are known."""
        self._failed: asyncio.Queue[tuple[int, int]] = asyncio.Queue()
        """Bot and version of matches that ended by a failure."""
        arena.conductor.exclusions.append(self._excluded)
        arena.conductor.undecided.append(lambda: self._bots is None)
        arena.conductor.on_finished.append(self._hear)
        accounts = arena.part(AccountsPart)
        accounts.notices.append(self._notices)
        accounts.states.append(self._states)
        self._uploads.accepted.append(self._accepted)

    def _excluded(self, bot_id: int) -> str:
        if self._bots is None:
            return "waiting for the records of quarantines"
        return STATE if bot_id in self._bots else ""

    def _hear(self, row: MatchRow, ending: Ending) -> None:
        """Hear of the end of a match."""
        if row.rated and ending.winner is not None and ending.termination in self._failures:
            loser = row.players[1 - ending.winner]
            self._failed.put_nowait((loser.bot_id, loser.version_id))

    async def run(self) -> None:
        """Judge bots that have failed, until cancelled."""
        wait = 0.0
        while True:
            failed = None
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    failed = await self._failed.get()
            try:
                if failed is None:
                    await self.look()
                else:
                    await self.judge(*failed)
            except StoreError as error:
                log.warning("the records of quarantines failed", why=str(error))
            wait = until_next_second()

    async def look(self) -> None:
        """Read which bots are in quarantine."""
        before, self._bots = self._bots, await keep_trying(self.records.bots)
        if before is None or before - self._bots:
            self._arena.ladder.wake()

    async def judge(self, bot_id: int, version_id: int) -> None:
        """Put a bot into quarantine if it has failed too often."""
        most = self._settings.quarantine_matches
        verdict = judge(await keep_trying(lambda: self.records.ended(bot_id, version_id, most)), self._limits)
        if verdict is not None and self._bots is not None and bot_id not in self._bots:
            await self._quarantine(bot_id, version_id, verdict)

    async def _quarantine(self, bot_id: int, version_id: int, verdict: Verdict) -> None:
        bot = await self._arena.store.bots.get(bot_id)
        if bot is None or bot.removed is not None:
            return
        label = {each.id: each.label for each in await self._arena.store.bots.versions(bot_id)}[version_id]
        told = {"bot": bot.name, "version": label, "reason": verdict.reason, "matches": verdict.matches}
        with acting(Action("arena", MATCHES, QUARANTINE, told)):
            await keep_trying(lambda: self.records.add(bot_id, version_id, verdict))
            await self._uploads.quarantine(bot_id, label, verdict.reason)
        log.warning("a bot is in quarantine", bot=bot.name, why=verdict.reason)
        await self.look()

    async def lift(self, bot_id: int) -> QuarantineRow:
        """Put a bot back on the ladder. Raises NotQuarantined and NeedsValidation."""
        lifted = await self.records.lift(bot_id)
        await self.look()
        return lifted

    async def _accepted(self, upload: UploadRow) -> None:
        """Put a bot back on the ladder after one of its versions was accepted."""
        told = {"bot": upload.bot, "version": upload.number}
        how = ACCEPTED.format(upload.number)
        with contextlib.suppress(NotQuarantined), acting(Action("arena", VALIDATION, LIFT, told)):
            await keep_trying(lambda: self.records.lift(upload.bot_id, how))
            await self.look()

    async def _notices(self, account: Account) -> Sequence[Notice]:
        """Return a notice for each bot of an account that is in quarantine; administrators get those of the bots
        without an account, too.
        """
        rows = await self.records.of_account(account.id, unowned=account.role == "administrator")
        return [Notice(row.began, row.bot_id, NOTICE.format(row.reason), row.matches) for row in rows]

    async def _states(self, account: Account) -> Mapping[int, str]:
        return {row.bot_id: STATE for row in await self.records.of_account(account.id, unowned=False)}
