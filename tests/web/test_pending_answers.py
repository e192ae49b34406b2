# SPDX-License-Identifier: GPL-3.0-or-later
"""Room for answers in pending, by a clock that stands still."""

import pytest

from web.answer_limits import STREAMS, STREAMS_OF_ONE, PendingAnswer, PendingAnswers
from web.errors import RequestError


class Room:
    """100 bytes in total, 40 for each address, and the disconnected clients."""

    def __init__(self) -> None:
        self.time = 0.0
        self.cut: list[str] = []
        self.answers = PendingAnswers(100, 40, lambda: self.time)

    def board(self, address: str, size: int) -> PendingAnswer:
        """Begin an answer of some size."""
        pending = self.answers.begin(address, lambda: self.cut.append(address))
        try:
            pending.hold(size)
        except RequestError:
            pending.end()
            raise
        return pending

    def refused(self, address: str, size: int) -> int:
        """Return the status that an answer is refused with."""
        with pytest.raises(RequestError) as caught:
            self.board(address, size)
        assert caught.value.headers["Retry-After"]
        return caught.value.status


def test_bytes_of_an_address_are_limited() -> None:
    room = Room()
    first = room.board("a", 25)
    assert room.refused("a", 25) == 429
    room.answers.admit("a")
    room.board("b", 25)
    second = room.board("a", 15)
    with pytest.raises(RequestError):
        room.answers.admit("a")
    first.end()
    first.end()
    room.answers.admit("a")
    room.board("a", 25)
    second.end()
    assert room.answers.held == 50


def test_only_the_first_answer_of_an_address_may_exceed_the_limit() -> None:
    room = Room()
    room.board("a", 60)
    assert room.refused("a", 1) == 429


def test_held_bytes_grow_and_shrink() -> None:
    room = Room()
    pending = room.board("a", 10)
    pending.hold(30)
    pending.hold(5)
    assert room.answers.held == 5
    room.board("a", 35)


def test_the_stalled_answer_of_the_largest_address_is_disconnected_first() -> None:
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
    assert room.answers.held == 25 + 20 + 20 + 30
    assert room.refused("f", 10) == 503, "nobody stands still any more"
    assert (older.held, newer.held) == (0, 25)


def test_streams_are_counted_by_address() -> None:
    room = Room()
    streams = []
    for number in range(STREAMS):
        streams.append(room.answers.begin(f"{number // STREAMS_OF_ONE}", lambda: None))
        streams[-1].stream()
    for address, status in (("0", 429), ("new", 503)):
        pending = room.answers.begin(address, lambda: None)
        with pytest.raises(RequestError) as caught:
            pending.stream()
        assert caught.value.status == status
        pending.end()
    streams[0].end()
    room.answers.begin("new", lambda: None).stream()
