# SPDX-License-Identifier: GPL-3.0-or-later
"""A courier between a deme and an arena: carries reports there and mates back, in a thread of its own.

Breeding never waits for it. Of what there is to report the newest is carried; what was sent and not acknowledged is
sent again as it was, after a restart as well, for it is written down before. So is every mate, until it stands in the
run; and that it does, until the arena knows.
"""

import sqlite3
import threading
import time
from collections.abc import Collection
from http import HTTPStatus
from pathlib import Path
from secrets import token_hex
from typing import TypeVar

import msgspec

from arena.protocol.exchange import Join, Joined, Mate, Receipt, Report
from bots.client.errors import RequestRefused
from bots.client.rest import RestClient
from bots.evolution.evochess.breeding import Guest
from bots.evolution.evochess.genome import read, schema_for
from bots.evolution.history import replace_file

Answer = TypeVar("Answer", Joined, Receipt)

JOINED, LOCK = "joined.json", "joined.lock"
"""The files beside the run: what is not to be forgotten, and what only one process has open."""
FIRST_WAIT, LONGEST_WAIT = 1.0, 30.0
"""Seconds before an arena that does not answer is asked again: twice as long each time."""
HASTE = 0.3
"""Seconds that it waits at most once it is to end."""
FAREWELL = 10.0
"""Seconds that the last report has to arrive."""


class State(msgspec.Struct, frozen=True):
    """What the courier must not forget."""

    run: str
    deme: int = 0
    """0: it has not joined yet."""
    next: int = 1
    """The number of the next report."""
    pending: Report | None = None
    """What was sent, and is not acknowledged."""
    mates: tuple[Mate, ...] = ()
    """Who came and does not stand in the run yet."""
    arrived: tuple[int, ...] = ()
    """The numbers of those who do, and of whom the arena does not know that yet."""


class NotJoined(Exception):
    """The folder cannot be gone on with."""


class Courier:
    """``join`` first; then ``start``, ``tell`` after each generation, and ``stop`` in any case.

    ``pace``: seconds between reports.
    What the arena refuses for good stands in ``refused``.
    """

    def __init__(self, rest: RestClient, folder: Path, pace: float) -> None:
        """Raises NotJoined, with a message for people, and OSError."""
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
        self._newest: Report | None = None
        self._told = False
        """Whether the newest is on its way, or was."""
        self._changed = threading.Condition()
        self._closing = False
        self._thread = threading.Thread(target=self._carry, name="courier", daemon=True)
        self.refused: RequestRefused | None = None
        self.quarantined = ""
        """Why nothing of the deme spreads; empty: it may."""
        self.reports = 0
        """That arrived."""

    @property
    def run(self) -> str:
        """What the run is called."""
        return self._state.run

    def _read(self) -> State:
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=State)
        except FileNotFoundError:
            state = State(token_hex(16))
            self._keep(state)
            return state
        except msgspec.DecodeError as error:
            raise NotJoined(f"{self._path} does not say how the deme stands: {error}") from None

    def _keep(self, state: State) -> None:
        """Write the state down, then go by it."""
        replace_file(self._path, msgspec.json.encode(state))
        self._state = state

    def join(self, order: Join) -> Joined:
        """Join, or join again; the order's run is the courier's to say. Raises RequestRefused, and OSError.

        Where the arena has reports that the folder knows nothing of, which is a copy of an earlier day then, what
        follows is another run: it would not go on from what was reported.
        """
        state = self._state
        joined = self._ask("/islands", msgspec.structs.replace(order, run=state.run), Joined)
        if joined.deme != state.deme:  # another token, or another arena: what was between us is void
            state = State(state.run, joined.deme)
        elif joined.next not in (state.next, state.next + (state.pending is not None)):
            state = msgspec.structs.replace(state, run=token_hex(16), pending=None)
            joined = self._ask("/islands", msgspec.structs.replace(order, run=state.run), Joined)
        self._keep(msgspec.structs.replace(state, next=joined.next if state.pending is None else state.next))
        self._order = order
        self._pace = max(self._pace, joined.terms.interval)
        return joined

    def _ask(self, path: str, body: msgspec.Struct, kind: type[Answer]) -> Answer:
        """Raises RequestRefused, also for who does not answer as an arena does, and OSError."""
        return self._rest.post(path, body, kind=kind)

    def start(self) -> None:
        """Begin to carry."""
        self._thread.start()

    def guests(self) -> list[Guest]:
        """Return who is to come into the deme."""
        with self._changed:
            mates = self._state.mates
        return [Guest(mate.number, read(msgspec.json.encode(mate.genome)).genome) for mate in mates]

    def placed(self, numbers: Collection[int]) -> None:
        """Note who stands in the run, now that it is saved."""
        with self._changed:
            here = [mate.number for mate in self._state.mates if mate.number in numbers]
            if here:
                mates = tuple(mate for mate in self._state.mates if mate.number not in numbers)
                arrived = (*self._state.arrived, *here)
                self._keep(msgspec.structs.replace(self._state, mates=mates, arrived=arrived))

    def tell(self, report: Report) -> None:
        """Have a report carried, in place of one that is not on its way yet; its number and run are the courier's."""
        with self._changed:
            self._newest, self._told = report, False
            self._changed.notify()

    def stop(self, patience: float = FAREWELL) -> bool:
        """End; returns whether all that was told has arrived in so many seconds."""
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
                receipt = self._ask(f"/islands/{self._state.deme}/reports", report, Receipt)
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
                time.sleep(min(left, HASTE))
                return
            self._changed.wait(left)

    def _due(self) -> Report:
        """Return what is to be sent, written down; the condition is held."""
        if self._state.pending is None:
            assert self._newest is not None, "there is something to tell"
            report = msgspec.structs.replace(
                self._newest, run=self._state.run, sequence=self._state.next, received=list(self._state.arrived[:20])
            )
            self._keep(msgspec.structs.replace(self._state, pending=report))
            self._told = True
        assert self._state.pending is not None
        return self._state.pending

    def _arrived(self, report: Report, receipt: Receipt) -> None:
        with self._changed:
            known = {mate.number for mate in self._state.mates} | set(self._state.arrived)
            fresh = [mate for mate in receipt.mates if mate.number not in known]
            fit = [mate for mate in fresh if self._fits(mate)]
            # who does not fit is done with as well
            arrived = [each for each in self._state.arrived if each not in report.received]
            arrived += [mate.number for mate in fresh if mate not in fit]
            self._keep(
                msgspec.structs.replace(
                    self._state,
                    next=report.sequence + 1,
                    pending=None,
                    mates=(*self._state.mates, *fit),
                    arrived=tuple(arrived),
                )
            )
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
        """Return whether it may go on after a refusal: the arena is busy, or counts reports otherwise than we do."""
        if error.status == HTTPStatus.TOO_MANY_REQUESTS or error.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return True
        if error.code != "order" or self._order is None:
            return False
        try:
            with self._changed:
                self._keep(msgspec.structs.replace(self._state, pending=None))
                self._told = False
                self.join(self._order)
        except RequestRefused:
            return False
        except OSError:
            pass
        return True


def _locked(folder: Path) -> sqlite3.Connection:
    """Lock a folder for this process, until what is returned is closed. Raises NotJoined, and OSError.

    SQLite knows how to lock a file on every system.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lock = sqlite3.connect(folder / LOCK, timeout=1.0, isolation_level=None, check_same_thread=False)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        lock.close()
        raise NotJoined(f"a deme is bred in {folder} already, or it cannot be locked: {error}") from None
    return lock
