# SPDX-License-Identifier: GPL-3.0-or-later
"""The exchange: processes islands' reports, and offers verified genomes to weaker islands (migration).

A report is stored before it is acknowledged. Nothing here waits for an island: one that disappears affects no other,
and continues when it returns.
"""

import time
from collections import Counter
from random import Random
from typing import TypeVar

import msgspec
import structlog
from prometheus_client import Counter as Counted

from arena.application import Arena
from arena.feature import Part
from arena.features.genomes.reading import Genomes
from arena.features.volunteers.checking import Reason, Unacceptable, check_order, check_statistics, check_version
from arena.features.volunteers.deme import POINTS, Deme, mate, point
from arena.features.volunteers.demes import Demes
from arena.features.volunteers.mating import chosen
from arena.features.volunteers.records import DemeRecords, Stand
from arena.features.volunteers.settings import VolunteerSettings
from arena.features.volunteers.trials import Trials
from arena.protocol.exchange import Join, Joined, Receipt, Report
from arena.store.errors import StoreError

Kind = TypeVar("Kind", bound=msgspec.Struct)

log = structlog.get_logger("arena.exchange")


class Stranger(Exception):
    """This token does not belong to an island."""


class Exchange(Part):
    """The feature's part of an arena: its islands and their exchange."""

    def __init__(self, arena: Arena) -> None:
        self._settings = arena.settings.of(VolunteerSettings)
        self.records = arena.store.records(DemeRecords)
        self.demes = Demes(self._settings, self.records, arena.registry, arena.part(Genomes))
        self.trials = Trials(self.demes, self.records)
        registry = arena.metrics.registry
        self._reports = Counted("arena_deme_reports", "Accepted reports of islands.", registry=registry)
        self._refusals = Counted(
            "arena_deme_refusals", "Refused requests of volunteers, by reason.", ["reason"], registry=registry
        )
        self.strangers: Counter[str] = Counter()
        """Refused requests without an island's token, by reason, since the arena started."""

    async def run(self) -> None:
        """Read changes by commands and write unsaved counts, until cancelled."""
        await self.demes.run()

    async def stop(self) -> None:
        """Write unsaved state to the database."""
        await self.demes.stop()

    async def identify(self, token_hash: str) -> Deme:
        """Return the island of a token. Raises Stranger."""
        known = await self.demes.by_token(token_hash)
        if known is None:
            self.strangers["not-allowed"] += 1
            self._refusals.labels("not-allowed").inc()
            raise Stranger
        return known

    def refuse(self, deme: Deme, reason: Reason, message: str) -> Unacceptable:
        """Count a refusal, and return its error."""
        deme.refusals[reason] += 1
        self._refusals.labels(reason).inc()
        deme.unsaved = True
        return Unacceptable(reason, message)

    # ---------------------------------------------------------------- requests of islands

    async def join(self, deme: Deme, body: bytes) -> Joined:
        """Let an island join, or continue. Raises Unacceptable, and StoreError."""
        try:
            check_version(body)
            order = _decoded(body, Join)
            terms = self.demes.terms_for(order.game)
            if deme.game not in (None, order.game):
                raise Unacceptable("game", f"the island {deme.name} evolves {deme.game}, not {order.game[:40]}")
        except Unacceptable as error:
            raise self.refuse(deme, error.reason, str(error)) from None
        async with deme.lock:
            if deme.joined != order:
                begun = deme.joined is None or deme.joined.run != order.run
                values = deme.columns | {"game": order.game, "joined": msgspec.json.encode(order).decode()}
                if begun:
                    values["report"] = ""
                await self.records.save(Stand(deme.id, values, begun=begun))
                deme.joined = order
                if begun:
                    deme.report = deme.best = None
                    deme.stride, deme.drawn = 1, 0
        self.demes.joined.set()
        return Joined(deme.id, deme.name, deme.sequence + 1, terms)

    async def report(self, deme: Deme, number: int, body: bytes) -> Receipt:
        """Process an island's report. Raises Unacceptable, and StoreError; then none of the report is stored."""
        try:
            if deme.id != number:
                raise Unacceptable("forged", f"the token belongs to island {deme.id}, not to island {number}")
            check_version(body)
            report = _decoded(body, Report)
            async with deme.lock:
                return await self._take_in(deme, report)
        except Unacceptable as error:
            raise self.refuse(deme, error.reason, str(error)) from None

    async def _take_in(self, deme: Deme, report: Report) -> Receipt:
        if deme.joined is None or deme.joined.run != report.run:
            raise Unacceptable("run", "another client has joined with this token; a token is for one island at a time")
        if report == deme.report:
            deme.repeated += 1
            deme.seen, deme.unsaved = time.time(), True
            return self._receipt(deme)
        check_order(report, deme.sequence)
        now = time.monotonic()
        if now - deme.reported < self._settings.volunteer_interval:
            raise Unacceptable(
                "too-soon", f"an island may report every {self._settings.volunteer_interval:g} seconds at most"
            )
        terms = self.demes.terms_for(deme.joined.game)
        check_statistics(report, deme.report, terms)
        best = self.demes.read(report, terms, deme.best)
        points = self._points(deme, report)
        arrived = [each for each in report.received if each in deme.offers]
        values = deme.columns | {
            "sequence": report.sequence,
            "report": msgspec.json.encode(report).decode(),
            "seen": time.time(),
            "reports": deme.reports + 1,
        }
        grows = deme.drawn + len(points) > 2 * POINTS
        thin = deme.stride * 2 if grows else 1
        await self.records.save(Stand(deme.id, values, points, thin, arrived=arrived))
        deme.sequence, deme.report, deme.seen, deme.reported = report.sequence, report, values["seen"], now
        deme.reports += 1
        self._reports.inc()
        deme.best = best
        deme.drawn += len(points)
        if grows:
            deme.stride, deme.drawn = thin, deme.drawn // 2
        for each in arrived:
            del deme.offers[each]
            deme.taken += 1
        await self._offer(deme, now)
        return self._receipt(deme)

    @staticmethod
    def _points(deme: Deme, report: Report) -> list[tuple[int, bytes]]:
        newest = None if deme.report is None else deme.report.generation
        if report.generation % deme.stride or report.generation == newest:
            return []
        return [(report.generation, point(report))]

    @staticmethod
    def _receipt(deme: Deme) -> Receipt:
        if deme.quarantined is not None:
            return Receipt(deme.sequence, [], deme.why)
        return Receipt(deme.sequence, list(deme.offers.values()))

    # ---------------------------------------------------------------- migration

    async def _offer(self, deme: Deme, now: float) -> None:
        """Select a mate for an island, if one is due."""
        strength, game = deme.strength, deme.game
        if (
            strength is None
            or game is None
            or deme.quarantined is not None
            or deme.offers
            or now - deme.looked < self._settings.volunteer_mating
        ):
            return
        deme.looked = now
        had = deme.had | ({deme.best.digest} if deme.best else set())
        found = chosen(self.demes.ranked(game), deme.id, strength, had, Random(f"{deme.id} {deme.sequence}"))
        if found is None:
            return
        try:
            number = await self.records.mate(found.exam, found.deme, deme.id, game)
        except StoreError as error:
            log.warning("a mate could not be given", deme=deme.name, why=str(error))
            return
        giver = await self.demes.get(found.deme)
        if giver.quarantined is not None:  # meanwhile
            return
        giver.given += 1
        deme.had.add(found.digest)
        deme.offers[number] = mate(number, giver, found.trial)


def _decoded(body: bytes, kind: type[Kind]) -> Kind:
    """Parse a message. Raises Unacceptable if it is invalid."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, ValueError, RecursionError) as error:
        raise Unacceptable("malformed", f"the body is invalid: {error}") from None
