# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers in flight: how much memory is held for clients that have yet to take it, in all and for each address.

An address that holds its share is refused more until its clients have read, or are cut off. When all shares together
exceed what there is, the address that holds the most gives way: of its answers the one goes that has moved the longest
ago, if it stands still at all.
"""

from collections import Counter
from collections.abc import Callable

from aiohttp import web

from web.errors import Refused

OVERHEAD = 32_768
"""Bytes that an answer in flight holds besides its text: the request, its connection and what serves it."""

STILL = 1.0
"""Seconds without a byte taken after which an answer may give way to others."""

STREAMS, STREAMS_OF_ONE = 64, 2
"""Answers that are made while they are sent, in all and for one address."""

RETRY_AFTER = "5"
"""Seconds, as the header has them."""


class Flight:
    """An answer, or what waits on a socket, on its way to one client."""

    def __init__(self, flights: "Flights", address: str, cut: Callable[[], None]) -> None:
        self.address = address
        self.held = 0
        self.moved = flights.now()
        self.streams = False
        self._flights = flights
        self._cut = cut

    def hold(self, size: int) -> None:
        """Hold ``size`` bytes from now on, in place of those held before. Raises Refused where there is no room."""
        self._flights.hold(self, size)

    def stream(self) -> None:
        """Count as an answer that is made while it is sent. Raises Refused where there are too many."""
        self._flights.stream(self)

    def move(self) -> None:
        """Note that the client takes something."""
        self.moved = self._flights.now()

    def end(self) -> None:
        """Hold nothing any more. Harmless when repeated."""
        self._flights.end(self)

    def cut(self) -> None:
        """Give way to others: cut the client off."""
        self.end()
        self._cut()


class Flights:
    """All answers in flight. ``most`` and ``most_of_one``: bytes, in all and for one address; ``now``: a clock."""

    def __init__(self, most: int, most_of_one: int, now: Callable[[], float]) -> None:
        self.now = now
        self.held = 0
        """Bytes, in all."""
        self._most = most
        self._most_of_one = most_of_one
        self._of = Counter[str]()
        """Bytes, by address."""
        self._streams = Counter[str]()
        self._flights: dict[Flight, None] = {}

    def admit(self, address: str) -> None:
        """Raise Refused when an address holds its share already, before more is made for it."""
        if self._of[address] >= self._most_of_one:
            raise _too_many()

    def begin(self, address: str, cut: Callable[[], None]) -> Flight:
        """Return an answer that holds nothing yet; ``cut`` ends the client's connection at once."""
        flight = Flight(self, address, cut)
        self._flights[flight] = None
        return flight

    def hold(self, flight: Flight, size: int) -> None:
        """Let an answer hold so many bytes. Raises Refused where there is no room."""
        more = size - flight.held
        others = self._of[flight.address] - flight.held
        if more > 0 and others and others + size > self._most_of_one:
            raise _too_many()
        while more > 0 and self.held - flight.held + size > self._most and self.held > flight.held:
            if not self._make_room(flight):
                raise Refused(503, "busy", "too many answers wait for their readers", {"Retry-After": RETRY_AFTER})
        self._count(flight, more)

    def stream(self, flight: Flight) -> None:
        """Let an answer be made while it is sent. Raises Refused where there are too many of its address, or in all."""
        if self._streams[flight.address] >= STREAMS_OF_ONE:
            message = f"{STREAMS_OF_ONE} files are being written for this address already"
            raise Refused(429, "too-many", message, {"Retry-After": RETRY_AFTER})
        if self._streams.total() >= STREAMS:
            raise Refused(503, "busy", f"{STREAMS} files are being written already", {"Retry-After": RETRY_AFTER})
        self._streams[flight.address] += 1
        flight.streams = True

    def end(self, flight: Flight) -> None:
        """Forget an answer."""
        if flight in self._flights:
            del self._flights[flight]
            self._count(flight, -flight.held)
            if flight.streams:
                self._streams[flight.address] -= 1
                if not self._streams[flight.address]:
                    del self._streams[flight.address]

    def _count(self, flight: Flight, more: int) -> None:
        flight.held += more
        self.held += more
        self._of[flight.address] += more
        if not self._of[flight.address]:
            del self._of[flight.address]

    def _make_room(self, wanting: Flight) -> bool:
        """Cut off one that stands still, of the address that holds the most; tell whether there was one."""
        still = self.now() - STILL
        waiting = [each for each in self._flights if each.moved <= still and each.held and each is not wanting]
        if not waiting:
            return False
        min(waiting, key=lambda each: (-self._of[each.address], each.moved)).cut()
        return True


FLIGHTS = web.AppKey("flights", Flights)


def _too_many() -> Refused:
    return Refused(
        429, "too-many", "answers to this address wait to be read; read them first", {"Retry-After": RETRY_AFTER}
    )
