# SPDX-License-Identifier: GPL-3.0-or-later
"""The exchange: takes in what demes report, and gives what held when it was tried to weaker demes.

What a deme says is in the records before it is acknowledged. Nothing here waits for a deme: one that vanishes is missed
by nobody, and goes on when it is back.
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
    """The token is no deme's."""


class Exchange(Part):
    """The feature's part of an arena: its islands and what they exchange. An arena without genomes admits none."""

    def __init__(self, arena: Arena) -> None:
        self._settings = arena.settings.of(VolunteerSettings)
        self.records = arena.store.records(DemeRecords)
        self.demes = Demes(self._settings, self.records, arena.registry, arena.genomes)
        self.trials = Trials(self.demes, self.records)
        registry = arena.metrics.registry
        self._reports = Counted("arena_deme_reports", "Reports of demes that were taken in.", registry=registry)
        self._refusals = Counted(
            "arena_deme_refusals", "What was refused to volunteers, by reason.", ["reason"], registry=registry
        )
        self.strangers: Counter[str] = Counter()
        """What was refused to who is no deme, by reason, since the arena started."""

    async def run(self) -> None:
        """Follow what commands change beside the server, and write what was counted; until cancelled."""
        await self.demes.run()

    async def stop(self) -> None:
        """Write what is not in the records yet."""
        await self.demes.stop()

    async def identify(self, token_hash: str) -> Deme:
        """Return the deme that a token lets in. Raises Stranger."""
        known = await self.demes.by_token(token_hash)
        if known is None:
            self.strangers["not-allowed"] += 1
            self._refusals.labels("not-allowed").inc()
            raise Stranger
        return known

    def refuse(self, deme: Deme, reason: Reason, message: str) -> Unacceptable:
        """Count what is refused, and return what says so."""
        deme.refusals[reason] += 1
        self._refusals.labels(reason).inc()
        deme.unsaved = True
        return Unacceptable(reason, message)

    # ---------------------------------------------------------------- what demes say

    async def join(self, deme: Deme, body: bytes) -> Joined:
        """Let a deme begin, or go on. Raises Unacceptable, and StoreError."""
        try:
            check_version(body)
            order = _decoded(body, Join)
            terms = self.demes.terms_for(order.game)
            if deme.game not in (None, order.game):
                raise Unacceptable("game", f"the deme {deme.name} breeds {deme.game}, not {order.game[:40]}")
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
        """Take in how a deme stands. Raises Unacceptable, and StoreError, when nothing of it was taken in."""
        try:
            if deme.id != number:
                raise Unacceptable("forged", f"the token is that of deme {deme.id}, not of deme {number}")
            check_version(body)
            report = _decoded(body, Report)
            async with deme.lock:
                return await self._take_in(deme, report)
        except Unacceptable as error:
            raise self.refuse(deme, error.reason, str(error)) from None

    async def _take_in(self, deme: Deme, report: Report) -> Receipt:
        if deme.joined is None or deme.joined.run != report.run:
            raise Unacceptable("run", "another client has joined with this token; a token is for one deme at a time")
        if report == deme.report:
            deme.repeated += 1
            deme.seen, deme.unsaved = time.time(), True
            return self._receipt(deme)
        check_order(report, deme.sequence)
        now = time.monotonic()
        if now - deme.reported < self._settings.volunteer_interval:
            raise Unacceptable(
                "too-soon", f"a deme reports every {self._settings.volunteer_interval:g} seconds at most"
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

    # ---------------------------------------------------------------- who gives whom what

    async def _offer(self, deme: Deme, now: float) -> None:
        """Find a mate for a deme, when it is time for that."""
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
    """Raises Unacceptable for what is none of a kind."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, ValueError, RecursionError) as error:
        raise Unacceptable("malformed", f"the body is not what it should be: {error}") from None
