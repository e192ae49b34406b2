# SPDX-License-Identifier: GPL-3.0-or-later
from collections import deque

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.features.cluster.bus import channel
from arena.features.cluster.bus.channel import PATIENCE, Channel, Frame

LONG = channel.PIECE + 1


class Pair:
    """Two channels, and the frames between them."""

    def __init__(self) -> None:
        self.ends = (Channel(), Channel())
        self.ways: tuple[deque[Frame], deque[Frame]] = (deque(), deque())
        """The frames to each end."""
        self.sent: tuple[list[bytes], list[bytes]] = ([], [])
        self.received: tuple[list[bytes], list[bytes]] = ([], [])
        self.now = 0.0

    def send(self, end: int, body: bytes) -> None:
        """Have one end send a body."""
        self.sent[end].append(body)
        self.ends[end].put(body)
        self.flush(end)

    def flush(self, end: int, *, beat: bool = False) -> None:
        """Put the frames of one end on the way."""
        self.ways[1 - end].extend(self.ends[end].frames(end, 7, self.now, beat=beat))

    def take(self, end: int, frame: Frame) -> None:
        """Let a frame come in at one end."""
        self.received[end].extend(self.ends[end].take(frame, self.now))
        if self.ends[end].due(self.now):
            self.flush(end)

    def settle(self) -> None:
        """Lose nothing any more, with heartbeats, until all is acknowledged."""
        for _ in range(200):
            for end in (0, 1):
                self.flush(end, beat=True)
            while self.ways[0] or self.ways[1]:
                for end in (0, 1):
                    if self.ways[end]:
                        self.take(end, self.ways[end].popleft())
            self.now += 0.5
            if not any(end.waiting for end in self.ends):
                return


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["send", "beat", "take", "lose", "repeat", "late", "wait"]),
        st.integers(0, 1),
        st.sampled_from([0, 1, 5, 40, LONG]),
    ),
    max_size=60,
)


@given(STEPS)
def test_each_body_comes_once_and_in_order_over_a_bus_that_loses_repeats_and_reorders(
    steps: list[tuple[str, int, int]],
) -> None:
    pair = Pair()
    for step, end, size in steps:
        way = pair.ways[end]
        if step == "send":
            pair.send(end, len(pair.sent[end]).to_bytes(4, "big") + bytes(size))
        elif step == "beat":
            pair.flush(end, beat=True)
        elif step == "wait":
            pair.now += 0.3
        elif way:
            if step == "take":
                pair.take(end, way.popleft())
            elif step == "lose":
                way.popleft()
            elif step == "repeat":
                way.append(way[0])
            else:
                way.rotate(-1)
        for other in (0, 1):
            assert pair.received[other] == pair.sent[1 - other][: len(pair.received[other])]
    pair.settle()
    assert pair.received == (pair.sent[1], pair.sent[0])
    assert [end.waiting for end in pair.ends] == [0, 0]
    assert [end.size for end in pair.ends] == [0, 0]


def test_what_one_iteration_sends_is_one_frame() -> None:
    end = Channel()
    for number in range(50):
        end.put(bytes([number]))
    (frame,) = end.frames(1, 7, 0.0)
    assert (frame.first, len(frame.pieces)) == (1, 50)
    assert end.frames(1, 7, 0.0) == []


def test_a_node_that_acknowledges_nothing_gets_no_more_than_the_window() -> None:
    end = Channel()
    for _ in range(1000):
        end.put(bytes(10_000))
    frames = end.frames(1, 7, 0.0)
    sent = sum(len(piece) for frame in frames for piece in frame.pieces)
    assert channel.WINDOW - 20_000 < sent <= channel.WINDOW
    assert not end.due(1.0)
    # an acknowledgement lets more go
    end.take(Frame(2, 7, 1, 50, False, []), 1.0)
    assert end.due(1.0)
    assert sum(len(frame.pieces) for frame in end.frames(1, 7, 1.0)) == 50


def test_much_traffic_is_acknowledged_before_the_next_heartbeat() -> None:
    pair = Pair()
    for _ in range(500):
        pair.send(0, bytes(10_000))
        while pair.ways[1] or pair.ways[0]:
            for end in (0, 1):
                if pair.ways[end]:
                    pair.take(end, pair.ways[end].popleft())
    assert len(pair.received[1]) == 500
    assert pair.ends[0].size < 2 * channel.ACKNOWLEDGE


def test_a_loss_is_asked_for_once_at_a_time() -> None:
    pair = Pair()
    for number in range(5):
        pair.send(0, bytes([number]))
    pair.ways[1].popleft()
    while pair.ways[1]:
        pair.take(1, pair.ways[1].popleft())
    assert [frame.again for frame in pair.ways[0]] == [True]
    pair.ways[0].clear()  # lost, too
    pair.now += PATIENCE
    pair.flush(0, beat=True)
    pair.take(1, pair.ways[1].popleft())
    pair.take(0, pair.ways[0].popleft())
    pair.take(1, pair.ways[1].popleft())
    assert pair.received[1] == pair.sent[0]


@pytest.mark.parametrize("size", [0, 1, channel.PIECE, channel.PIECE + 1, 3 * channel.PIECE + 7])
def test_bodies_of_every_size_fit_through_the_bus(size: int) -> None:
    pair = Pair()
    body = bytes(range(256)) * (size // 256 + 1)
    pair.send(0, body[:size])
    assert all(sum(map(len, frame.pieces)) <= 1_000_000 for frame in pair.ways[1])
    pair.settle()
    assert pair.received[1] == [body[:size]]
