# SPDX-License-Identifier: GPL-3.0-or-later
"""An island on a volunteer's machine: it breeds in a folder, reports to an arena and receives genomes from it.

The arena sets the nodes of a move and the length of a game, so that the claims of all islands mean the same; the
island chooses everything else. It continues while the arena is away.

The courier exchanges messages in its own thread, so breeding never waits for the network. It sends the newest report.
It writes each report to disk before it sends it, and repeats it unchanged until the arena acknowledges it, also after
a restart. It keeps each immigrant until the run on disk contains it, and repeats that fact until the arena knows it.
"""

import sqlite3
import threading
import time
from collections.abc import Callable, Collection
from http import HTTPStatus
from pathlib import Path
from secrets import token_hex
from typing import TypeVar

import msgspec

from arena.protocol.codec import EXCHANGE, examine_classes
from arena.protocol.island_messages import Best, IslandReport, IslandTerms, Join, Joined, Mate, Receipt
from bots.client.errors import RequestRefused
from bots.client.rest import RestClient
from bots.evolution.breeding import Breed, Generation, arenas_of, bred
from bots.evolution.evochess.genome import read, schema_for
from bots.evolution.evochess.searches import genotype_of
from bots.evolution.history import History, replace_file
from bots.evolution.islands import Guest
from bots.evolution.population import Record

Answer = TypeVar("Answer", Joined, Receipt)

JOINED, LOCK = "joined.json", "joined.lock"
"""The files beside the run: the courier's state, and the lock of its process."""
FIRST_WAIT, LONGEST_WAIT = 1.0, 30.0
"""First and longest wait in seconds before a retry; waits double."""
HASTE = 0.3
"""Longest wait in seconds after ``stop``."""
FAREWELL = 10.0
"""Timeout in seconds of the last report."""


class CourierState(msgspec.Struct, frozen=True):
    """The courier's state, saved in a file."""

    run: str
    """Random identifier of the run."""
    island: int = 0
    """0: not joined yet."""
    next: int = 1
    """Number of the next report."""
    pending: IslandReport | None = None
    """The sent report without acknowledgement."""
    mates: tuple[Mate, ...] = ()
    """Immigrants that the run does not contain yet."""
    arrived: tuple[int, ...] = ()
    """Numbers of immigrants in the run that the arena does not know of yet."""


class NotJoined(Exception):
    """The folder cannot be used."""


class Courier:
    """``join`` first; then ``start``, ``tell`` after each generation, and ``stop`` in any case.

    ``pace``: seconds between reports. ``refused`` holds a final refusal of the arena.
    """

    def __init__(self, rest: RestClient, folder: Path, pace: float) -> None:
        """Raises NotJoined, with a message for people, and OSError."""
        examine_classes()
        self._rest = rest
        self._path = folder / JOINED
        self._pace = pace
        self._lock = _locked(folder)
        try:
            self._state = self._read()
        except BaseException:
            self._lock.close()
            raise
        self._order: Join | None = None
        self._newest: IslandReport | None = None
        self._told = False
        """Whether the newest report was sent."""
        self._changed = threading.Condition()
        self._closing = False
        self._thread = threading.Thread(target=self._carry, name="courier", daemon=True)
        self.refused: RequestRefused | None = None
        self.quarantined = ""
        """The reason of the island's quarantine; empty: none."""
        self.reports = 0
        """Number of arrived reports."""

    @property
    def run(self) -> str:
        """The identifier of the run."""
        return self._state.run

    def _read(self) -> CourierState:
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=CourierState)
        except FileNotFoundError:
            state = CourierState(token_hex(16))
            self._keep(state)
            return state
        except msgspec.DecodeError as error:
            raise NotJoined(f"{self._path} is not a valid state of an island: {error}") from None

    def _keep(self, state: CourierState, **changes: object) -> None:
        """Save the state with changes, then use it."""
        state = msgspec.structs.replace(state, **changes)
        replace_file(self._path, msgspec.json.encode(state))
        self._state = state

    def join(self, order: Join) -> Joined:
        """Join, or join again; the courier sets the run. Raises RequestRefused and OSError.

        If the arena has reports that the folder does not know, the folder is an older copy. The courier then starts a
        new run, because the old one would not continue from its reports.
        """
        state = self._state
        joined = self._ask("/islands", msgspec.structs.replace(order, run=state.run), Joined)
        if joined.island != state.island:  # another token, or another arena: the old state is void
            state = CourierState(state.run, joined.island)
        elif joined.next not in (state.next, state.next + (state.pending is not None)):
            state = msgspec.structs.replace(state, run=token_hex(16), pending=None)
            joined = self._ask("/islands", msgspec.structs.replace(order, run=state.run), Joined)
        self._keep(state, next=joined.next if state.pending is None else state.next)
        self._order = order
        self._pace = max(self._pace, joined.terms.interval)
        return joined

    def _ask(self, path: str, body: msgspec.Struct, kind: type[Answer]) -> Answer:
        """Send a request. Raises RequestRefused, also for an answer that is not an arena's, and OSError."""
        return self._rest.post(path, body, kind=kind)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def guests(self) -> list[Guest]:
        """Return the immigrants that wait."""
        with self._changed:
            mates = self._state.mates
        return [Guest(mate.number, genotype_of(read(msgspec.json.encode(mate.genome)).genome)) for mate in mates]

    def placed(self, numbers: Collection[int]) -> None:
        """Record the immigrants that the saved run contains."""
        with self._changed:
            here = [mate.number for mate in self._state.mates if mate.number in numbers]
            if here:
                mates = tuple(mate for mate in self._state.mates if mate.number not in numbers)
                arrived = (*self._state.arrived, *here)
                self._keep(self._state, mates=mates, arrived=arrived)

    def tell(self, report: IslandReport) -> None:
        """Queue a report; it replaces a report that was not sent yet. The courier sets its number and run."""
        with self._changed:
            self._newest, self._told = report, False
            self._changed.notify()

    def stop(self, patience: float = FAREWELL) -> bool:
        """End; return whether all reports arrived within ``patience`` seconds."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        if self._thread.is_alive():
            self._thread.join(patience)
        self._lock.close()
        return self._told and self._state.pending is None

    # ---------------------------------------------------------------- in the thread

    def _carry(self) -> None:
        wait, sent = FIRST_WAIT, float("-inf")
        while self.refused is None:
            with self._changed:
                while self._state.pending is None and (self._newest is None or self._told) and not self._closing:
                    self._changed.wait()
                if self._state.pending is None and (self._newest is None or self._told):
                    return
                self._pause(sent + self._pace - time.monotonic())
                report = self._due()
            try:
                receipt = self._ask(f"/islands/{self._state.island}/reports", report, Receipt)
            except RequestRefused as error:
                if not self._bears(error):
                    self.refused = error
                    return
            except OSError:
                pass
            else:
                sent, wait = time.monotonic(), FIRST_WAIT
                self._arrived(report, receipt)
                continue
            with self._changed:
                self._pause(wait)
            wait = min(2 * wait, LONGEST_WAIT)

    def _pause(self, seconds: float) -> None:
        """Wait, or until the courier is to end; the condition is held."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if self._closing:
                time.sleep(min(left, HASTE))  # the courier is closing: it only waits for its next try
                return
            self._changed.wait(left)

    def _due(self) -> IslandReport:
        """Return the report to send, saved to disk; the caller holds the condition."""
        if self._state.pending is None:
            assert self._newest is not None, "there is something to tell"
            report = msgspec.structs.replace(
                self._newest, run=self._state.run, sequence=self._state.next, received=list(self._state.arrived[:20])
            )
            self._keep(self._state, pending=report)
            self._told = True
        assert self._state.pending is not None
        return self._state.pending

    def _arrived(self, report: IslandReport, receipt: Receipt) -> None:
        with self._changed:
            known = {mate.number for mate in self._state.mates} | set(self._state.arrived)
            fresh = [mate for mate in receipt.mates if mate.number not in known]
            fit = [mate for mate in fresh if self._fits(mate)]
            # an immigrant without a place counts as placed
            arrived = [each for each in self._state.arrived if each not in report.received]
            arrived += [mate.number for mate in fresh if mate not in fit]
            mates = (*self._state.mates, *fit)
            self._keep(self._state, next=report.sequence + 1, pending=None, mates=mates, arrived=tuple(arrived))
            self.quarantined = receipt.quarantined
            self.reports += 1

    def _fits(self, mate: Mate) -> bool:
        """Return whether a mate is a genome of the game that is bred."""
        try:
            kept = read(msgspec.json.encode(mate.genome))
        except ValueError:
            return False
        return self._order is not None and kept.schema == schema_for(self._order.game)

    def _bears(self, error: RequestRefused) -> bool:
        """Return whether the courier may continue after a refusal: the arena is busy, or expects another number."""
        if error.status == HTTPStatus.TOO_MANY_REQUESTS or error.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return True
        if error.code != "order" or self._order is None:
            return False
        try:
            with self._changed:
                self._keep(self._state, pending=None)
                self._told = False
                self.join(self._order)
        except RequestRefused:
            return False
        except OSError:
            pass
        return True


def _locked(folder: Path) -> sqlite3.Connection:
    """Lock a folder for this process, until the returned connection is closed. Raises NotJoined, and OSError.

    SQLite can lock a file on every system.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lock = sqlite3.connect(folder / LOCK, timeout=1.0, isolation_level=None, check_same_thread=False)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        lock.close()
        raise NotJoined(f"another process uses {folder}, or it cannot be locked: {error}") from None
    return lock


KEPT = 200
"""Least number of generations on disk; an island may run for months."""
PACE = 10.0
"""Seconds between two reports."""


def report_of(breed: Breed, generation: Generation) -> IslandReport:
    """Return the report of a generation that follows from games; the courier sets its run and number."""
    population = generation[0].population
    played, best = population.state["played"], breed.best(population)
    record = msgspec.convert(played["best"], Record)
    return IslandReport(
        exchange=EXCHANGE,
        run="",
        sequence=0,
        generation=population.generation,
        level=played["level"],
        members=len(population.members),
        games=population.games,
        nodes=population.nodes,
        mean=played["mean"],
        best=Best(
            genome=msgspec.json.decode(breed.genes.file(best.genotype, {})),
            member=best.number,
            games=record.games,
            points=record.points,
            moves=record.moves,
            nodes=record.nodes,
        ),
    )


class Volunteer:
    """An island in a folder, and its arena. ``about``: its software, for people."""

    def __init__(
        self, rest: RestClient, folder: Path, breed: Breed, about: str, *, pace: float = PACE, threads: int = 1
    ) -> None:
        """Join. Raises RequestRefused, NotJoined, ValueError and KeyError, with messages for people, and OSError."""
        self._folder = folder
        self._threads = threads
        self.courier = Courier(rest, folder, pace)
        try:
            order = Join(EXCHANGE, about, breed.genes.game, self.courier.run, breed.seed, breed.size)
            self.joined: Joined = self.courier.join(order)
            self.breed = by_terms(breed, self.joined.terms)
        except BaseException:
            self.courier.stop()
            raise

    def run(self, until: int | None, tell: Callable[[Generation], None]) -> bool:
        """Breed and report until a generation, None: without end; returns whether the last report has arrived.

        Raises RequestRefused if the arena refuses reports for good, and as ``History.open``.
        """
        courier, told = self.courier, False
        courier.start()
        try:
            history = History.open(self._folder, self.breed, keep=KEPT, guests=courier.guests())
            with arenas_of(self.breed, self._threads) as arenas:
                generations = bred(self.breed, history.newest, arenas, courier.guests)
                while courier.refused is None:
                    told = self._report(history.newest, tell) or told
                    if until is not None and history.number >= until:
                        break
                    history.add(next(generations))
        finally:
            arrived = courier.stop() or not told
        if courier.refused is not None:
            raise courier.refused
        return arrived

    def _report(self, generation: Generation, tell: Callable[[Generation], None]) -> bool:
        """Report a generation, unless it is the first one, which has not played; return whether it was reported."""
        members = generation[0].population.members
        self.courier.placed({one.migration for one in members if one.migration})
        if not generation[0].population.generation:
            return False
        self.courier.tell(report_of(self.breed, generation))
        tell(generation)
        return True


def by_terms(breed: Breed, terms: IslandTerms) -> Breed:
    """Return a breed with an arena's terms. Raises ValueError and KeyError for an invalid one."""
    changed = msgspec.structs.replace(breed, islands=1, migration=0, nodes=terms.nodes, share=0.0, plies=terms.plies)
    changed.begin()
    return changed
