# SPDX-License-Identifier: GPL-3.0-or-later
"""The exchange: takes in what demes report, has claims tried, and gives what held to weaker demes.

All demes are in memory; the records follow before anything is acknowledged, but for counts of what was refused, which
follow within seconds. Nothing here waits for a deme: one that vanishes is missed by nobody, and
goes on when it is back.
"""

import asyncio
import hashlib
import time
from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import TypeVar

import msgspec
import structlog

from arena.exchange.checking import Reason, Unacceptable, check_order, check_statistics, check_version, read_best
from arena.exchange.deme import POINTS, Candidate, Deme, Proven, Trial, mate, point
from arena.exchange.genomes import Genomes
from arena.exchange.looks import packed
from arena.exchange.mating import chosen
from arena.exchange.recalling import recalled
from arena.metrics import Metrics
from arena.programme import Programme
from arena.protocol.exchange import Join, Joined, Judged, Receipt, Report, Task, Terms, Tried
from arena.rating.claims import likelihood, verdict
from arena.settings import Settings
from arena.store import Store
from arena.store.demes import Stand
from arena.store.errors import StoreError

Kind = TypeVar("Kind", bound=msgspec.Struct)

log = structlog.get_logger("arena.exchange")

LEAST_GAMES = 8
"""Of a claim that is tried."""
LEASE = 600.0
"""Seconds after which a trial that nobody told of is given to somebody else."""
DOUBT = 60.0
"""Seconds that the next claim of a deme waits whose last one did not hold; twice as long for each one more."""
LONGEST_DOUBT = 3600.0
TIDYING = 2.0
"""Seconds between two looks at what commands changed, and what is to be written."""


class Stranger(Exception):
    """The token is no deme's."""


class NoTask(Exception):
    """Nobody was to try that."""


class Exchange:
    """The demes of an arena. ``genomes``: what they may breed; None: no deme can join."""

    def __init__(
        self, settings: Settings, store: Store, programme: Programme, metrics: Metrics, genomes: Genomes | None
    ) -> None:
        self._settings = settings
        self._store = store
        self._programme = programme
        self._metrics = metrics
        self.genomes = genomes
        self.strangers: Counter[str] = Counter()
        """What was refused to who is no deme, by reason, since the arena started."""
        self.joined = asyncio.Event()
        """Set once there is a deme that has joined."""
        self._demes: dict[int, Deme] = {}
        self._tokens: dict[str, Deme] = {}
        self._loaded = False
        self._loading = asyncio.Lock()
        self._strongest: dict[str, list[Proven]] = {}
        self._turn = 0

    # ---------------------------------------------------------------- what there is

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
            if game in wanted and game in self._programme.games
        ]

    async def demes(self) -> dict[int, Deme]:
        """Return all demes by number."""
        await self._load()
        return self._demes

    async def deme(self, number: int) -> Deme:
        """Return a deme. Raises UnknownDeme."""
        known = (await self.demes()).get(number)
        return known or self._demes.setdefault(number, Deme.stored(await self._store.demes.get(number)))

    def live(self, deme: Deme) -> bool:
        """Return whether a deme is on the air."""
        return deme.live(self._settings.volunteer_silence)

    def waits(self, deme: Deme) -> bool:
        """Return whether what a deme claims is yet to be tried."""
        report = deme.report
        return (
            report is not None
            and deme.best is not None
            and deme.quarantined is None
            and self.live(deme)
            and report.best.games >= LEAST_GAMES
            and deme.examined != (deme.best.digest, report.level)
        )

    # ---------------------------------------------------------------- what demes say

    async def identify(self, token_hash: str) -> Deme:
        """Return the deme that a token lets in. Raises Stranger."""
        await self._load()
        known = self._tokens.get(token_hash)
        if known is None:
            row = await self._store.demes.by_token(token_hash)
            if row is None:
                self.strangers["not-allowed"] += 1
                self._metrics.refusals.labels("not-allowed").inc()
                raise Stranger
            known = self._demes.setdefault(row.id, Deme.stored(row))
            known.token_hash = token_hash
            self._tokens[token_hash] = known
        return known

    def refuse(self, deme: Deme, reason: Reason, message: str) -> Unacceptable:
        """Count what is refused, and return what says so."""
        deme.refusals[reason] += 1
        self._metrics.refusals.labels(reason).inc()
        deme.unsaved = True
        return Unacceptable(reason, message)

    async def join(self, deme: Deme, body: bytes) -> Joined:
        """Let a deme begin, or go on. Raises Unacceptable, and StoreError."""
        try:
            check_version(body)
            order = _decoded(body, Join)
            terms = self._terms_for(order.game)
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
                await self._store.demes.save(Stand(deme.id, values, begun=begun))
                deme.joined = order
                if begun:
                    deme.report = deme.best = None
                    deme.stride, deme.drawn = 1, 0
        self.joined.set()
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
        terms = self._terms_for(deme.joined.game)
        check_statistics(report, deme.report, terms)
        best = self._candidate(deme.best, report, terms)
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
        await self._store.demes.save(Stand(deme.id, values, points, thin, arrived=arrived))
        deme.sequence, deme.report, deme.seen, deme.reported = report.sequence, report, values["seen"], now
        deme.reports += 1
        self._metrics.reports.inc()
        deme.best = best
        deme.drawn += len(points)
        if grows:
            deme.stride, deme.drawn = thin, deme.drawn // 2
        for each in arrived:
            del deme.offers[each]
            deme.taken += 1
        await self._offer(deme, now)
        return self._receipt(deme)

    def _candidate(self, before: Candidate | None, report: Report, terms: Terms) -> Candidate:
        """Return what a report says is best; one that was read before is not read again."""
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

    def _terms_for(self, game: str) -> Terms:
        """Raises Unacceptable where no deme may breed that."""
        every = {each.game: each for each in self.terms}
        if game not in every:
            listed = ", ".join(every) or "none"
            raise Unacceptable("game", f"demes of {game[:40]!r} are not taken in here; games that are: {listed}")
        return every[game]

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
        found = chosen(self._ranked(game), deme.id, strength, had, Random(f"{deme.id} {deme.sequence}"))
        if found is None:
            return
        try:
            number = await self._store.demes.mate(found.exam, found.deme, deme.id, game)
        except StoreError as error:
            log.warning("a mate could not be given", deme=deme.name, why=str(error))
            return
        giver = self._demes[found.deme]
        if giver.quarantined is not None:  # meanwhile
            return
        giver.given += 1
        deme.had.add(found.digest)
        deme.offers[number] = mate(number, giver, found.trial)

    def _ranked(self, game: str) -> list[Proven]:
        """Return the genomes that may spread, the strongest first."""
        if game not in self._strongest:
            every = [
                deme.proven
                for deme in self._demes.values()
                if deme.game == game and deme.proven is not None and deme.quarantined is None
            ]
            self._strongest[game] = sorted(every, key=lambda one: one.trial.strength, reverse=True)
        return self._strongest[game]

    # ---------------------------------------------------------------- what is tried

    async def task(self) -> Task | None:
        """Return the claim that is to be tried next: in turn the highest, and the one that has waited longest."""
        await self._load()
        now = time.monotonic()
        held = {(one.digest, one.trial.level) for game in self._games() for one in self._ranked(game)}
        waiting = [
            deme
            for deme in self._demes.values()
            if self.waits(deme) and self._is_due(deme, now) and _claim(deme) not in held
        ]
        if not waiting:
            return None
        self._turn += 1
        if self._turn % 2:
            deme = max(waiting, key=lambda one: (one.strength or (0, 0.0), -one.tried_at))
        else:
            deme = min(waiting, key=lambda one: one.tried_at)
        report, best = deme.report, deme.best
        assert report is not None
        assert best is not None
        terms = self._terms_for(deme.game or "")
        deme.leased = now
        deme.task = Task(
            deme=deme.id,
            digest=best.digest,
            game=terms.game,
            level=report.level,
            nodes=terms.nodes,
            plies=terms.plies,
            members=report.members,
            games=report.best.games,
            points=report.best.points,
            genome=best.genome,
        )
        return deme.task

    @staticmethod
    def _is_due(deme: Deme, now: float) -> bool:
        if deme.task is not None and now - deme.leased < LEASE:
            return False
        wait = min(DOUBT * 2 ** (deme.doubts - 1), LONGEST_DOUBT) if deme.doubts else 0.0
        return now - deme.tried_at >= wait

    def _games(self) -> Iterable[str]:
        return (terms.game for terms in self.terms)

    async def tried(self, number: int, tried: Tried) -> Judged:
        """Judge a claim by the arena's own games. Raises NoTask, Unacceptable, UnknownDeme and StoreError."""
        deme = await self.deme(number)
        task = deme.task
        if task is None or (task.digest, task.level) != (tried.digest, tried.level):
            raise NoTask(f"no such claim of deme {number} is being tried")
        games = 2 * tried.pairs
        if tried.points > games:
            raise Unacceptable("statistics", f"{tried.points:g} points in {games} games cannot be")
        claimed = min(1.0, task.points / task.games)
        chance = likelihood(claimed, task.games // 2, tried.points / games, tried.pairs, members=task.members)
        found = verdict(chance)
        assert self.genomes is not None, "who joined breeds something"
        trial = Trial(
            level=task.level,
            members=task.members,
            claimed_games=task.games,
            claimed_points=task.points,
            games=games,
            points=tried.points,
            likelihood=chance,
            moves=tried.moves,
            nodes=tried.nodes,
            rival_moves=tried.rival_moves,
            rival_nodes=tried.rival_nodes,
            formula=self.genomes.read(msgspec.json.encode(task.genome)).formula,
            genome=task.genome,
        )
        why = ""
        if found == "refuted":
            why = (
                f"its best was said to score {claimed:.3f} in {task.games} games against a rival {task.level} plies "
                f"deep; it scored {tried.points / games:.3f} in {games} here"
            )
        kept, now = msgspec.structs.replace(trial, looks=packed(tried.looks)), time.time()
        body, before = msgspec.json.encode(kept), None
        if found == "confirmed" and deme.proven is not None:
            before = deme.proven.exam, msgspec.json.encode(deme.proven.trial)
        exam = await self._store.demes.add_exam(
            deme.id, task.game, task.digest, found, body, at=now, quarantined=why, before=before
        )
        deme.task = None
        deme.examined, deme.tried_at = (task.digest, task.level), time.monotonic()
        deme.doubts = deme.doubts + 1 if found == "doubtful" else 0
        if found == "confirmed":
            deme.proven = Proven(exam, deme.id, task.digest, trial)
            self._strongest.pop(task.game, None)
        elif why:
            self._quarantine(deme, now, why)
        return Judged(exam, found, chance)

    def _quarantine(self, deme: Deme, since: float, why: str) -> None:
        """Let nothing of a deme spread any more, not even what is on its way."""
        deme.quarantined, deme.why = since, why
        self._strongest.clear()
        for taker in self._demes.values():
            for number in [number for number, one in taker.offers.items() if one.giver == deme.id]:
                del taker.offers[number]
        log.warning("a deme is in quarantine", deme=deme.name, why=why)

    async def pardon(self, deme: Deme) -> None:
        """Let the genomes of a deme spread again, once they are tried anew."""
        await self._store.demes.pardon(deme.name)
        self._pardoned(deme, deme.pardons + 1)

    def _pardoned(self, deme: Deme, pardons: int) -> None:
        deme.pardons = pardons
        deme.quarantined, deme.why = None, ""
        deme.examined, deme.doubts, deme.proven = None, 0, None
        self._strongest.clear()
        log.info("a deme is pardoned", deme=deme.name)

    # ---------------------------------------------------------------- life

    async def run(self) -> None:
        """Follow what commands change beside the server, and write what was counted; until cancelled."""
        while True:
            try:
                await self._load()
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
                await self._store.demes.save(Stand(deme.id, deme.columns))

    async def tidy(self) -> None:
        """Do that once, and take in who was let in meanwhile."""
        await self._write()
        keys = await self._store.demes.keys()
        if any(number not in self._demes for number, _, _ in keys):
            for row in await self._store.demes.all():
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
                    self._demes = await recalled(self._store, self._read)
                    self._tokens = {deme.token_hash: deme for deme in self._demes.values() if deme.token_hash}
                    if any(deme.joined for deme in self._demes.values()):
                        self.joined.set()
                self._loaded = True

    def _read(self, deme: Deme) -> Candidate | None:
        """Return the best that a deme reported; None where it is not what it may be any more."""
        if deme.report is None or deme.game is None:
            return None
        try:
            return self._candidate(None, deme.report, self._terms_for(deme.game))
        except Unacceptable as error:
            log.info("the best of a deme is refused now", deme=deme.name, why=str(error))
            return None


def _claim(deme: Deme) -> tuple[str, int]:
    assert deme.best is not None
    assert deme.report is not None
    return deme.best.digest, deme.report.level


def _decoded(body: bytes, kind: type[Kind]) -> Kind:
    """Raises Unacceptable for what is none of a kind."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, ValueError, RecursionError) as error:
        raise Unacceptable("malformed", f"the body is not what it should be: {error}") from None
