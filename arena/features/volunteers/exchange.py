# SPDX-License-Identifier: GPL-3.0-or-later
"""The exchange: processes islands' reports, and offers verified genomes to weaker islands (migration).

A report is stored before it is acknowledged. Nothing here waits for an island: one that disappears affects no other,
and continues when it returns.
"""

import time
from collections import Counter
from collections.abc import Container, Iterable
from random import Random
from typing import TypeVar

import msgspec
import structlog
from prometheus_client import Counter as Counted

from arena.application import Arena
from arena.feature import Part
from arena.features.genomes.reading import Genomes
from arena.features.volunteers.checking import Reason, Unacceptable, check_order, check_statistics, check_version
from arena.features.volunteers.island import POINTS, Island, Proven, Strength, mate, point
from arena.features.volunteers.islands import Islands
from arena.features.volunteers.records import IslandRecords, Stand
from arena.features.volunteers.settings import VolunteerSettings
from arena.features.volunteers.trials import Trials
from arena.protocol.island_messages import IslandReport, Join, Joined, Receipt
from arena.store.errors import StoreError

Kind = TypeVar("Kind", bound=msgspec.Struct)

log = structlog.get_logger("arena.exchange")

MATE_CANDIDATES = 8
"""Number of candidates: the strongest genomes that the island does not have."""


class Stranger(Exception):
    """This token does not belong to an island."""


class Exchange(Part):
    """The feature's part of an arena: its islands and their exchange."""

    def __init__(self, arena: Arena) -> None:
        self._settings = arena.settings.of(VolunteerSettings)
        self.records = arena.store.records(IslandRecords)
        self.islands = Islands(self._settings, self.records, arena.registry, arena.part(Genomes))
        self.trials = Trials(self.islands, self.records)
        registry = arena.metrics.registry
        self._reports = Counted("arena_island_reports", "Accepted reports of islands.", registry=registry)
        self._refusals = Counted(
            "arena_island_refusals", "Refused requests of volunteers, by reason.", ["reason"], registry=registry
        )
        self.strangers: Counter[str] = Counter()
        """Refused requests without an island's token, by reason, since the arena started."""

    async def run(self) -> None:
        """Read changes by commands and write unsaved counts, until cancelled."""
        await self.islands.run()

    async def stop(self) -> None:
        """Write unsaved state to the database."""
        await self.islands.stop()

    async def identify(self, token_hash: str) -> Island:
        """Return the island of a token. Raises Stranger."""
        known = await self.islands.by_token(token_hash)
        if known is None:
            self.strangers["not-allowed"] += 1
            self._refusals.labels("not-allowed").inc()
            raise Stranger
        return known

    def refuse(self, island: Island, reason: Reason, message: str) -> Unacceptable:
        """Count a refusal, and return its error."""
        island.refusals[reason] += 1
        self._refusals.labels(reason).inc()
        island.unsaved = True
        return Unacceptable(reason, message)

    # ---------------------------------------------------------------- requests of islands

    async def join(self, island: Island, body: bytes) -> Joined:
        """Let an island join, or continue. Raises Unacceptable, and StoreError."""
        try:
            check_version(body)
            order = _decoded(body, Join)
            terms = self.islands.terms_for(order.game)
            if island.game not in (None, order.game):
                raise Unacceptable("game", f"the island {island.name} evolves {island.game}, not {order.game[:40]}")
        except Unacceptable as error:
            raise self.refuse(island, error.reason, str(error)) from None
        async with island.lock:
            if island.joined != order:
                begun = island.joined is None or island.joined.run != order.run
                values = island.columns | {"game": order.game, "joined": msgspec.json.encode(order).decode()}
                if begun:
                    values["report"] = ""
                await self.records.save(Stand(island.id, values, begun=begun))
                island.joined = order
                if begun:
                    island.report = island.best = None
                    island.stride, island.drawn = 1, 0
        self.islands.joined.set()
        return Joined(island.id, island.name, island.sequence + 1, terms)

    async def report(self, island: Island, number: int, body: bytes) -> Receipt:
        """Process an island's report. Raises Unacceptable, and StoreError; then none of the report is stored."""
        try:
            if island.id != number:
                raise Unacceptable("forged", f"the token belongs to island {island.id}, not to island {number}")
            check_version(body)
            report = _decoded(body, IslandReport)
            async with island.lock:
                return await self._take_in(island, report)
        except Unacceptable as error:
            raise self.refuse(island, error.reason, str(error)) from None

    async def _take_in(self, island: Island, report: IslandReport) -> Receipt:
        if island.joined is None or island.joined.run != report.run:
            raise Unacceptable("run", "another client has joined with this token; a token is for one island at a time")
        if report == island.report:
            island.repeated += 1
            island.seen, island.unsaved = time.time(), True
            return self._receipt(island)
        check_order(report, island.sequence)
        now = time.monotonic()
        if now - island.reported < self._settings.volunteer_interval:
            raise Unacceptable(
                "too-soon", f"an island may report every {self._settings.volunteer_interval:g} seconds at most"
            )
        terms = self.islands.terms_for(island.joined.game)
        check_statistics(report, island.report, terms)
        best = self.islands.read(report, terms, island.best)
        points = self._points(island, report)
        arrived = [each for each in report.received if each in island.offers]
        values = island.columns | {
            "sequence": report.sequence,
            "report": msgspec.json.encode(report).decode(),
            "seen": time.time(),
            "reports": island.reports + 1,
        }
        grows = island.drawn + len(points) > 2 * POINTS
        thin = island.stride * 2 if grows else 1
        await self.records.save(Stand(island.id, values, points, thin, arrived=arrived))
        island.sequence, island.report, island.seen, island.reported = report.sequence, report, values["seen"], now
        island.reports += 1
        self._reports.inc()
        island.best = best
        island.drawn += len(points)
        if grows:
            island.stride, island.drawn = thin, island.drawn // 2
        for each in arrived:
            del island.offers[each]
            island.taken += 1
        await self._offer(island, now)
        return self._receipt(island)

    @staticmethod
    def _points(island: Island, report: IslandReport) -> list[tuple[int, bytes]]:
        newest = None if island.report is None else island.report.generation
        if report.generation % island.stride or report.generation == newest:
            return []
        return [(report.generation, point(report))]

    @staticmethod
    def _receipt(island: Island) -> Receipt:
        if island.quarantined is not None:
            return Receipt(island.sequence, [], island.why)
        return Receipt(island.sequence, list(island.offers.values()))

    # ---------------------------------------------------------------- migration

    async def _offer(self, island: Island, now: float) -> None:
        """Select a mate for an island, if one is due."""
        strength, game = island.strength, island.game
        if (
            strength is None
            or game is None
            or island.quarantined is not None
            or island.offers
            or now - island.looked < self._settings.volunteer_mating
        ):
            return
        island.looked = now
        had = island.had | ({island.best.digest} if island.best else set())
        found = choose_mate(
            self.islands.ranked(game), island.id, strength, had, Random(f"{island.id} {island.sequence}")
        )
        if found is None:
            return
        try:
            number = await self.records.mate(found.verification, found.island, island.id, game)
        except StoreError as error:
            log.warning("could not select a genome of another island", island=island.name, why=str(error))
            return
        giver = await self.islands.get(found.island)
        if giver.quarantined is not None:  # meanwhile
            return
        giver.given += 1
        island.had.add(found.digest)
        island.offers[number] = mate(number, giver, found.trial)


def _decoded(body: bytes, kind: type[Kind]) -> Kind:
    """Parse a message. Raises Unacceptable if it is invalid."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, ValueError, RecursionError) as error:
        raise Unacceptable("malformed", f"the body is invalid: {error}") from None


def choose_mate(
    strongest: Iterable[Proven], island: int, strength: Strength, had: Container[str], chance: Random
) -> Proven | None:
    """Return a genome that is stronger than an island and new to it, or None.

    ``strongest``: verified genomes, the strongest first. Each is half as likely as the one before it: the best reach
    all weaker islands, but different islands receive different ones, so that islands stay diverse.
    """
    found: list[Proven] = []
    for one in strongest:
        if one.trial.strength <= strength or len(found) == MATE_CANDIDATES:
            break
        if one.island != island and one.digest not in had and all(one.digest != other.digest for other in found):
            found.append(one)
    if not found:
        return None
    return chance.choices(found, [2.0**-place for place in range(len(found))])[0]
