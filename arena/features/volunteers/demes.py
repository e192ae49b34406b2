# SPDX-License-Identifier: GPL-3.0-or-later
"""The demes of an arena: all are in memory, and the records follow.

What a deme says is written before it is acknowledged, by who takes it in; counts of what was refused follow within
seconds. What commands change in the records beside the server is taken in as often.
"""

import asyncio
import hashlib

import msgspec
import structlog

from arena.evolution.genomes import Genomes
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
"""Seconds between two looks at what commands changed, and what is to be written."""


class Demes:
    """All demes. ``genomes``: what they may breed; None: no deme can join."""

    def __init__(
        self, settings: VolunteerSettings, records: DemeRecords, registry: GameRegistry, genomes: Genomes | None
    ) -> None:
        self._settings = settings
        self._records = records
        self._registry = registry
        self.genomes = genomes
        self.joined = asyncio.Event()
        """Set once there is a deme that has joined."""
        self._demes: dict[int, Deme] = {}
        self._tokens: dict[str, Deme] = {}
        self._loaded = False
        self._loading = asyncio.Lock()
        self._strongest: dict[str, list[Proven]] = {}

    # ---------------------------------------------------------------- what may be bred

    @property
    def terms(self) -> list[Terms]:
        """How each game is bred that demes may breed here."""
        if self.genomes is None:
            return []
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
        """Return how a game is bred. Raises Unacceptable where no deme may breed that."""
        every = {each.game: each for each in self.terms}
        if game not in every:
            listed = ", ".join(every) or "none"
            raise Unacceptable("game", f"demes of {game[:40]!r} are not taken in here; games that are: {listed}")
        return every[game]

    def read(self, report: Report, terms: Terms, before: Candidate | None = None) -> Candidate:
        """Return what a report says is best; ``before`` is not read again. Raises Unacceptable."""
        if before is not None and before.raw == report.best.genome:
            return before
        assert self.genomes is not None, "who joined breeds something"
        found = read_best(self.genomes, terms, report.best)
        return Candidate(
            report.best.genome,
            hashlib.sha256(found.canonical).hexdigest(),
            msgspec.json.decode(found.canonical),
            found.formula,
        )

    # ---------------------------------------------------------------- who there is

    async def all(self) -> dict[int, Deme]:
        """Return all demes by number."""
        await self._load()
        return self._demes

    async def get(self, number: int) -> Deme:
        """Return a deme. Raises UnknownDeme."""
        known = (await self.all()).get(number)
        return known or self._demes.setdefault(number, Deme.stored(await self._records.get(number)))

    async def by_token(self, token_hash: str) -> Deme | None:
        """Return the deme that a token lets in, None where there is none."""
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
        """Return whether a deme is on the air."""
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
        """Let a genome of a deme spread, in place of the one before."""
        deme.proven = proven
        self._strongest.pop(game, None)

    def quarantine(self, deme: Deme, since: float, why: str) -> None:
        """Let nothing of a deme spread any more, not even what is on its way."""
        deme.quarantined, deme.why = since, why
        self._strongest.clear()
        for taker in self._demes.values():
            for number in [number for number, one in taker.offers.items() if one.giver == deme.id]:
                del taker.offers[number]
        log.warning("a deme is in quarantine", deme=deme.name, why=why)

    async def pardon(self, deme: Deme) -> None:
        """Let the genomes of a deme spread again, once they are tried anew."""
        await self._records.pardon(deme.name)
        self._pardoned(deme, deme.pardons + 1)

    def _pardoned(self, deme: Deme, pardons: int) -> None:
        deme.pardons = pardons
        deme.quarantined, deme.why = None, ""
        deme.examined, deme.doubts, deme.proven = None, 0, None
        self._strongest.clear()
        log.info("a deme is pardoned", deme=deme.name)

    # ---------------------------------------------------------------- the records

    async def run(self) -> None:
        """Follow what commands change beside the server, and write what was counted; until cancelled."""
        while True:
            try:
                await self.tidy()
            except StoreError as error:
                log.warning("the demes could not be written", why=str(error))
            await asyncio.sleep(TIDYING)

    async def stop(self) -> None:
        """Write what is not in the records yet."""
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
        """Do that once, and take in who was let in meanwhile."""
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
        """Read what the records have of the demes, once."""
        if not self._loaded:
            async with self._loading:
                if not self._demes:
                    self._demes = await recalled(self._records, self._reported)
                    self._tokens = {deme.token_hash: deme for deme in self._demes.values() if deme.token_hash}
                    if any(deme.joined for deme in self._demes.values()):
                        self.joined.set()
                self._loaded = True

    def _reported(self, deme: Deme) -> Candidate | None:
        """Return the best that a deme reported; None where it is not what it may be any more."""
        if deme.report is None or deme.game is None:
            return None
        try:
            return self.read(deme.report, self.terms_for(deme.game))
        except Unacceptable as error:
            log.info("the best of a deme is refused now", deme=deme.name, why=str(error))
            return None
