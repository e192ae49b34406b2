# SPDX-License-Identifier: GPL-3.0-or-later
"""All islands (demes) of an arena: in memory, with the database behind.

An island's report is stored before the arena acknowledges it; counts of refused requests follow within seconds. The
server reads changes by commands (registration, removal, lifting a quarantine) as often.
"""

import asyncio
import hashlib

import msgspec
import structlog

from arena.features.genomes.reading import Genomes
from arena.features.volunteers.checking import Unacceptable, read_best
from arena.features.volunteers.deme import Candidate, Deme, Proven
from arena.features.volunteers.recalling import recalled
from arena.features.volunteers.records import DemeRecords, Stand
from arena.features.volunteers.settings import VolunteerSettings
from arena.protocol.exchange import Report, Terms
from arena.registry import GameRegistry
from arena.store.errors import StoreError

log = structlog.get_logger("arena.exchange")

TIDYING = 2.0
"""Seconds between two checks for changes by commands and for unsaved counts."""


class Demes:
    """All islands."""

    def __init__(
        self, settings: VolunteerSettings, records: DemeRecords, registry: GameRegistry, genomes: Genomes
    ) -> None:
        self._settings = settings
        self._records = records
        self._registry = registry
        self.genomes = genomes
        self.joined = asyncio.Event()
        """Set once an island has joined."""
        self._demes: dict[int, Deme] = {}
        self._tokens: dict[str, Deme] = {}
        self._loaded = False
        self._loading = asyncio.Lock()
        self._strongest: dict[str, list[Proven]] = {}

    # ---------------------------------------------------------------- what may be bred

    @property
    def terms(self) -> list[Terms]:
        """The evolution settings of each game that islands may evolve here."""
        wanted = {name.strip() for name in self._settings.volunteers.split(",")}
        return [
            Terms(
                game,
                self._settings.volunteer_nodes,
                self.genomes.plies,
                self.genomes.highest,
                self._settings.volunteer_interval,
            )
            for game in self.genomes.games
            if game in wanted and game in self._registry.games
        ]

    def terms_for(self, game: str) -> Terms:
        """Return the evolution settings of a game. Raises Unacceptable if islands may not evolve it."""
        every = {each.game: each for each in self.terms}
        if game not in every:
            listed = ", ".join(every) or "none"
            raise Unacceptable("game", f"islands of {game[:40]!r} are not accepted here; accepted games: {listed}")
        return every[game]

    def read(self, report: Report, terms: Terms, before: Candidate | None = None) -> Candidate:
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

    async def all(self) -> dict[int, Deme]:
        """Return all islands by number."""
        await self._load()
        return self._demes

    async def get(self, number: int) -> Deme:
        """Return an island. Raises UnknownDeme."""
        known = (await self.all()).get(number)
        return known or self._demes.setdefault(number, Deme.stored(await self._records.get(number)))

    async def by_token(self, token_hash: str) -> Deme | None:
        """Return the island of a token, or None."""
        await self._load()
        known = self._tokens.get(token_hash)
        if known is None:
            row = await self._records.by_token(token_hash)
            if row is None:
                return None
            known = self._demes.setdefault(row.id, Deme.stored(row))
            known.token_hash = token_hash
            self._tokens[token_hash] = known
        return known

    def live(self, deme: Deme) -> bool:
        """Return whether an island reported lately."""
        return deme.live(self._settings.volunteer_silence)

    # ---------------------------------------------------------------- what may spread

    def ranked(self, game: str) -> list[Proven]:
        """Return the genomes that may spread, the strongest first."""
        if game not in self._strongest:
            every = [
                deme.proven
                for deme in self._demes.values()
                if deme.game == game and deme.proven is not None and deme.quarantined is None
            ]
            self._strongest[game] = sorted(every, key=lambda one: one.trial.strength, reverse=True)
        return self._strongest[game]

    def prove(self, deme: Deme, proven: Proven, game: str) -> None:
        """Let an island's genome spread, in place of the previous one."""
        deme.proven = proven
        self._strongest.pop(game, None)

    def quarantine(self, deme: Deme, since: float, why: str) -> None:
        """Put an island in quarantine: its genomes no longer spread, and pending offers are withdrawn."""
        deme.quarantined, deme.why = since, why
        self._strongest.clear()
        for taker in self._demes.values():
            for number in [number for number, one in taker.offers.items() if one.giver == deme.id]:
                del taker.offers[number]
        log.warning("an island is in quarantine", deme=deme.name, why=why)

    async def pardon(self, deme: Deme) -> None:
        """Lift an island's quarantine: its genomes spread again after a new verification."""
        await self._records.pardon(deme.name)
        self._pardoned(deme, deme.pardons + 1)

    def _pardoned(self, deme: Deme, pardons: int) -> None:
        deme.pardons = pardons
        deme.quarantined, deme.why = None, ""
        deme.examined, deme.doubts, deme.proven = None, 0, None
        self._strongest.clear()
        log.info("an island's quarantine is lifted", deme=deme.name)

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
        for deme in [deme for deme in self._demes.values() if deme.unsaved]:
            async with deme.lock:
                deme.unsaved = False
                await self._records.save(Stand(deme.id, deme.columns))

    async def tidy(self) -> None:
        """Do one pass: write unsaved counts, and read new, removed and lifted islands."""
        await self._load()
        await self._write()
        keys = await self._records.keys()
        if any(number not in self._demes for number, _, _ in keys):
            for row in await self._records.all():
                self._demes.setdefault(row.id, Deme.stored(row))
        for number, token_hash, pardons in keys:
            known = self._demes[number]
            if known.token_hash != token_hash:
                self._tokens.pop(known.token_hash or "", None)
                known.token_hash = token_hash
            if pardons > known.pardons:
                self._pardoned(known, pardons)

    async def _load(self) -> None:
        """Load the islands from the database, once."""
        if not self._loaded:
            async with self._loading:
                if not self._demes:
                    self._demes = await recalled(self._records, self._reported)
                    self._tokens = {deme.token_hash: deme for deme in self._demes.values() if deme.token_hash}
                    if any(deme.joined for deme in self._demes.values()):
                        self.joined.set()
                self._loaded = True

    def _reported(self, deme: Deme) -> Candidate | None:
        """Parse the best genome of a stored report; None if the current settings do not allow it."""
        if deme.report is None or deme.game is None:
            return None
        try:
            return self.read(deme.report, self.terms_for(deme.game))
        except Unacceptable as error:
            log.info("an island's stored best genome is now refused", deme=deme.name, why=str(error))
            return None
