# SPDX-License-Identifier: GPL-3.0-or-later
"""Room for answers in flight, by a clock that stands still."""

import pytest

from web.errors import Refused
from web.flights import STREAMS, STREAMS_OF_ONE, Flight, Flights


class Room:
    """100 bytes in all, 40 for each address, and who was cut off."""

    def __init__(self) -> None:
        self.time = 0.0
        self.cut: list[str] = []
        self.flights = Flights(100, 40, lambda: self.time)

    def board(self, address: str, size: int) -> Flight:
        """Begin an answer of some size."""
        flight = self.flights.begin(address, lambda: self.cut.append(address))
        try:
            flight.hold(size)
        except Refused:
            flight.end()
            raise
        return flight

    def refused(self, address: str, size: int) -> int:
        """Return the status that an answer is refused with."""
        with pytest.raises(Refused) as caught:
            self.board(address, size)
        assert caught.value.headers["Retry-After"]
        return caught.value.status


def test_an_address_has_its_share() -> None:
    room = Room()
    first = room.board("a", 25)
    assert room.refused("a", 25) == 429
    room.flights.admit("a")
    room.board("b", 25)
    second = room.board("a", 15)
    with pytest.raises(Refused):
        room.flights.admit("a")
    first.end()
    first.end()
    room.flights.admit("a")
    room.board("a", 25)
    second.end()
    assert room.flights.held == 50


def test_one_answer_may_be_larger_than_the_share_but_not_a_second_one() -> None:
    room = Room()
    room.board("a", 60)
    assert room.refused("a", 1) == 429


def test_what_is_held_may_grow_and_shrink() -> None:
    room = Room()
    flight = room.board("a", 10)
    flight.hold(30)
    flight.hold(5)
    assert room.flights.held == 5
    room.board("a", 35)


def test_who_stands_still_gives_way_the_one_of_the_busiest_address_first() -> None:
    room = Room()
    room.board("a", 40)
    older, newer = room.board("b", 15), room.board("b", 25)
    assert room.refused("c", 30) == 503, "all of them move"
    room.time = 2.0
    newer.move()
    older.move()
    room.time = 4.0
    newer.move()
    room.time = 4.5
    room.board("c", 20)
    assert not room.cut
    room.board("d", 20)
    assert room.cut == ["a"], "it holds as much as b, and has moved longer ago"
    room.board("e", 30)
    assert room.cut == ["a", "b"]
    assert room.flights.held == 25 + 20 + 20 + 30
    assert room.refused("f", 10) == 503, "nobody stands still any more"
    assert (older.held, newer.held) == (0, 25)


def test_streams_are_counted_by_address() -> None:
    room = Room()
    streams = []
    for number in range(STREAMS):
        streams.append(room.flights.begin(f"{number // STREAMS_OF_ONE}", lambda: None))
        streams[-1].stream()
    for address, status in (("0", 429), ("new", 503)):
        flight = room.flights.begin(address, lambda: None)
        with pytest.raises(Refused) as caught:
            flight.stream()
        assert caught.value.status == status
        flight.end()
    streams[0].end()
    room.flights.begin("new", lambda: None).stream()
