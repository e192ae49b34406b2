# SPDX-License-Identifier: GPL-3.0-or-later
"""All islands of an arena: in memory, with the database behind.

An island's report is stored before the arena acknowledges it; counts of refused requests follow within seconds. The
server reads changes by commands (registration, removal, lifting a quarantine) as often.
"""

import asyncio
import hashlib
from collections.abc import Callable

import msgspec
import structlog

from arena.features.genomes.reading import Genomes
from arena.features.volunteers.checking import Unacceptable, read_best
from arena.features.volunteers.island import POINTS, Candidate, Island, Proven, mate, proven
from arena.features.volunteers.records import IslandRecords, Stand
from arena.features.volunteers.settings import VolunteerSettings
from arena.protocol.island_messages import IslandReport, IslandTerms
from arena.registry import GameRegistry
from arena.store.errors import StoreError

log = structlog.get_logger("arena.exchange")

TIDYING = 2.0
"""Seconds between two checks for changes by commands and for unsaved counts."""


class Islands:
    """All islands."""

    def __init__(
        self, settings: VolunteerSettings, records: IslandRecords, registry: GameRegistry, genomes: Genomes
    ) -> None:
        self._settings = settings
        self._records = records
        self._registry = registry
        self.genomes = genomes
        self.joined = asyncio.Event()
        """Set once an island has joined."""
        self._islands: dict[int, Island] = {}
        self._tokens: dict[str, Island] = {}
        self._loaded = False
        self._loading = asyncio.Lock()
        self._strongest: dict[str, list[Proven]] = {}

    # ---------------------------------------------------------------- what may be bred

    @property
    def terms(self) -> list[IslandTerms]:
        """The evolution settings of each game that islands may evolve here."""
        wanted = {name.strip() for name in self._settings.volunteers.split(",")}
        return [
            IslandTerms(
                game,
                self._settings.volunteer_nodes,
                self.genomes.plies,
                self.genomes.highest,
                self._settings.volunteer_interval,
            )
            for game in self.genomes.games
            if game in wanted and game in self._registry.games
        ]

    def terms_for(self, game: str) -> IslandTerms:
        """Return the evolution settings of a game. Raises Unacceptable if islands may not evolve it."""
        every = {each.game: each for each in self.terms}
        if game not in every:
            listed = ", ".join(every) or "none"
            raise Unacceptable("game", f"islands of {game[:40]!r} are not accepted here; accepted games: {listed}")
        return every[game]

    def read(self, report: IslandReport, terms: IslandTerms, before: Candidate | None = None) -> Candidate:
        """Return the best genome of a report; an unchanged one is not parsed again. Raises Unacceptable."""
        if before is not None and before.raw == report.best.genome:
            return before
        found = read_best(self.genomes, terms, report.best)
        return Candidate(
            report.best.genome,
            hashlib.sha256(found.canonical).hexdigest(),
            msgspec.json.decode(found.canonical),
            found.formula,
        )

    # ---------------------------------------------------------------- the islands

    async def all(self) -> dict[int, Island]:
        """Return all islands by number."""
        await self._load()
        return self._islands

    async def get(self, number: int) -> Island:
        """Return an island. Raises UnknownIsland."""
        known = (await self.all()).get(number)
        return known or self._islands.setdefault(number, Island.stored(await self._records.get(number)))

    async def by_token(self, token_hash: str) -> Island | None:
        """Return the island of a token, or None."""
        await self._load()
        known = self._tokens.get(token_hash)
        if known is None:
            row = await self._records.by_token(token_hash)
            if row is None:
                return None
            known = self._islands.setdefault(row.id, Island.stored(row))
            known.token_hash = token_hash
            self._tokens[token_hash] = known
        return known

    def live(self, island: Island) -> bool:
        """Return whether an island reported lately."""
        return island.live(self._settings.volunteer_silence)

    # ---------------------------------------------------------------- what may spread

    def ranked(self, game: str) -> list[Proven]:
        """Return the genomes that may spread, the strongest first."""
        if game not in self._strongest:
            every = [
                island.proven
                for island in self._islands.values()
                if island.game == game and island.proven is not None and island.quarantined is None
            ]
            self._strongest[game] = sorted(every, key=lambda one: one.trial.strength, reverse=True)
        return self._strongest[game]

    def prove(self, island: Island, proven: Proven, game: str) -> None:
        """Let an island's genome spread, in place of the previous one."""
        island.proven = proven
        self._strongest.pop(game, None)

    def quarantine(self, island: Island, since: float, why: str) -> None:
        """Put an island in quarantine: its genomes no longer spread, and pending offers are withdrawn."""
        island.quarantined, island.why = since, why
        self._strongest.clear()
        for taker in self._islands.values():
            for number in [number for number, one in taker.offers.items() if one.giver == island.id]:
                del taker.offers[number]
        log.warning("an island is in quarantine", island=island.name, why=why)

    async def lift(self, island: Island) -> None:
        """Lift an island's quarantine: its genomes spread again after a new verification."""
        await self._records.lift(island.name)
        self._lifted(island, island.lifts + 1)

    def _lifted(self, island: Island, lifts: int) -> None:
        island.lifts = lifts
        island.quarantined, island.why = None, ""
        island.verified, island.doubts, island.proven = None, 0, None
        self._strongest.clear()
        log.info("an island's quarantine is lifted", island=island.name)

    # ---------------------------------------------------------------- the records

    async def run(self) -> None:
        """Read changes by commands and write unsaved counts, until cancelled."""
        while True:
            try:
                await self.tidy()
            except StoreError as error:
                log.warning("the islands could not be stored", why=str(error))
            await asyncio.sleep(TIDYING)

    async def stop(self) -> None:
        """Write unsaved state to the database."""
        try:
            await self._write()
        except StoreError as error:
            log.warning("counts of refusals were lost", why=str(error))

    async def _write(self) -> None:
        for island in [island for island in self._islands.values() if island.unsaved]:
            async with island.lock:
                island.unsaved = False
                await self._records.save(Stand(island.id, island.columns))

    async def tidy(self) -> None:
        """Do one pass: write unsaved counts, and read new, removed and lifted islands."""
        await self._load()
        await self._write()
        keys = await self._records.keys()
        if any(number not in self._islands for number, _, _ in keys):
            for row in await self._records.all():
                self._islands.setdefault(row.id, Island.stored(row))
        for number, token_hash, lifts in keys:
            known = self._islands[number]
            if known.token_hash != token_hash:
                self._tokens.pop(known.token_hash or "", None)
                known.token_hash = token_hash
            if lifts > known.lifts:
                self._lifted(known, lifts)

    async def _load(self) -> None:
        """Load the islands from the database, once."""
        if not self._loaded:
            async with self._loading:
                if not self._islands:
                    self._islands = await _load_islands(self._records, self._reported)
                    self._tokens = {island.token_hash: island for island in self._islands.values() if island.token_hash}
                    if any(island.joined for island in self._islands.values()):
                        self.joined.set()
                self._loaded = True

    def _reported(self, island: Island) -> Candidate | None:
        """Parse the best genome of a stored report; None if the current settings do not allow it."""
        if island.report is None or island.game is None:
            return None
        try:
            return self.read(island.report, self.terms_for(island.game))
        except Unacceptable as error:
            log.info("an island's stored best genome is now refused", island=island.name, why=str(error))
            return None


async def _load_islands(records: IslandRecords, read: Callable[[Island], Candidate | None]) -> dict[int, Island]:
    """Return the islands of the database by number; ``read`` parses the best genome of one."""
    islands = {row.id: Island.stored(row) for row in await records.all()}
    for row in await records.last_verifications():
        island, found = islands[row.deme_id], proven(row)
        if (
            row.verdict != "refuted" or island.quarantined is not None
        ):  # after a lifted quarantine the island is verified again
            island.verified = row.digest, found.trial.level
        if row.verdict == "confirmed":
            island.proven = found
    for gift in await records.gifts():
        giver, taker = islands[gift.giver], islands[gift.taker]
        giver.given += 1
        taker.taken += gift.arrived
        taker.had.add(gift.digest)
        if not gift.arrived and giver.quarantined is None:
            taker.offers[gift.id] = mate(gift.id, giver, proven(await records.verification(gift.verification)).trial)
    for island in islands.values():
        if island.report is None:
            continue
        island.best = read(island)
        generations = [point.generation for point in await records.course(island.id)]
        island.drawn = len(generations)
        while island.drawn >= POINTS and all(each % (2 * island.stride) == 0 for each in generations):
            island.stride *= 2
    return islands
