# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds new events in the records and queues them for the webhooks that want them.

Matches, tournaments and quarantines are found by the time of their end or beginning, since the time up to which each
webhook has seen the events. So events from before a restart are found too. Times are noted before their records are
stored: each look therefore goes back a little, and the queue takes each event once.
"""

from collections.abc import AsyncIterator

from arena.application import Arena
from arena.features.feeds.records.findings import BLOCK, Findings
from arena.features.feeds.records.webhooks import Webhooks
from arena.features.feeds.rows import NewDelivery, WebhookRow
from arena.features.feeds.webhooks.events import BACK, Happened, body_of, wanted
from arena.features.uploads.rows import UploadRow
from arena.store.rows import MatchRow, TournamentRow
from arena.tournaments.book import Unreadable
from arena.tournaments.view import public
from web.api.matches import match_answer
from web.api.tournaments import TournamentAnswer

STANDINGS = 10
"""Rows of the standings in the event of a tournament's end."""
SEEN = 10.0
"""Seconds after which the times up to which webhooks have seen the events are stored again."""


class Gatherer:
    """Queues events for webhooks."""

    def __init__(self, arena: Arena, records: Webhooks) -> None:
        self._arena = arena
        self._records = records
        self._findings = arena.store.records(Findings)

    async def gather(self, now: float) -> int:
        """Queue the events that are new; return how many deliveries are new."""
        hooks = await self._records.active()
        queued = 0
        if hooks:
            since = min(hook.seen for hook in hooks) - BACK
            async for happened in self._found(hooks, since):
                queued += await self._queue(hooks, happened, now)
        seen = {hook.id: now for hook in hooks if now - hook.seen > SEEN}
        if seen:
            await self._records.queue((), seen, now)
        return queued

    async def decided(self, upload: UploadRow, now: float) -> int:
        """Queue the result of a validation; return how many deliveries are new."""
        accepted = upload.state == "accepted"
        happened = Happened(
            "version.accepted" if accepted else "version.rejected",
            f"version:{upload.id}:{now}",
            now,
            {
                "bot": upload.bot_id,
                "name": upload.bot,
                "version": upload.number,
                "label": upload.label,
                "games": upload.games,
                "reason": upload.reason,
            },
            (upload.bot_id,),
            games=upload.games,
        )
        return await self._queue(await self._records.active(), [happened], now)

    async def _found(self, hooks: list[WebhookRow], since: float) -> AsyncIterator[list[Happened]]:
        """Yield events since a time, in blocks; kinds that no webhook wants are not looked for."""
        kinds = {event for hook in hooks for event in hook.events}
        if "match.over" in kinds:
            after = (since, 0)
            while rows := await self._findings.matches(since, after):
                yield [self._match(row) for row in rows]
                after = (rows[-1].finished or since, rows[-1].id)
                if len(rows) < BLOCK:
                    break
        if "tournament.over" in kinds:
            yield [await self._tournament(row) for row in await self._findings.tournaments(since)]
        if "bot.quarantined" in kinds:
            yield [
                Happened(
                    "bot.quarantined",
                    f"quarantine:{each.id}",
                    each.began,
                    {"bot": each.bot, "name": each.name, "version": each.version, "reason": each.reason},
                    (each.bot,),
                )
                for each in await self._findings.quarantines(since)
            ]

    def _match(self, row: MatchRow) -> Happened:
        bots = {player.bot_id for player in row.players}
        data = {"match": match_answer(self._arena, row)}
        return Happened("match.over", f"match:{row.id}", row.finished or 0.0, data, bots, row.tournament, (row.game,))

    async def _tournament(self, row: TournamentRow) -> Happened:
        data: dict[str, object] = {"tournament": TournamentAnswer.of(row), "standings": []}
        bots: list[int] = []
        try:
            view = public(await self._arena.tournaments.view(row.id))
        except Unreadable:
            pass  # the records of the tournament are damaged; that it ended is still known
        else:
            data["standings"] = [
                {"rank": each.rank, "name": each.name, "points": each.points} for each in view.standings[:STANDINGS]
            ]
            bots = await self._findings.bots_named([each.name for each in view.standings])
        key = f"tournament:{row.id}"
        return Happened("tournament.over", key, row.ended or 0.0, data, bots, row.id, (row.game,))

    async def _queue(self, hooks: list[WebhookRow], happened: list[Happened], now: float) -> int:
        owners = await self._findings.owners(sorted({bot for each in happened for bot in each.bots}))
        new = [
            NewDelivery(hook.id, each.event, each.key, body_of(each))
            for each in happened
            for hook in hooks
            if wanted(hook, each, [bot for bot, account in owners.items() if account == hook.account_id])
        ]
        return await self._records.queue(new, {}, now) if new else 0
