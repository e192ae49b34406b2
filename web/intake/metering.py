# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures of incoming bytes: a token bucket, and the boundaries of WebSocket frames (RFC 6455, 5.2).

``FrameCounter`` counts frames before they are parsed. It does not validate frames; the parser does.
"""

from math import inf
from typing import NamedTuple


class TokenBucket:
    """A bucket of up to ``capacity`` tokens that gains ``rate`` tokens a second; ``now``: a monotonic clock's seconds.

    Callers may take more tokens than there are; the bucket is then in debt, by ``debt`` at most.
    """

    __slots__ = ("_capacity", "_filled", "_least", "_level", "_rate")

    def __init__(self, rate: float, capacity: float, now: float, debt: float = inf) -> None:
        """Start with a full bucket. ``rate`` is above 0."""
        self._least = -debt
        self._rate = rate
        self._capacity = capacity
        self._level = capacity
        self._filled = now

    def take(self, amount: float, now: float) -> None:
        """Take tokens, also beyond the current level."""
        self._level = max(self._least, self._at(now) - amount)
        self._filled = now

    def wait(self, now: float, amount: float = 0.0) -> float:
        """Return the seconds until the bucket holds ``amount`` and is not in debt; 0 if it does now."""
        return max(0.0, (min(amount, self._capacity) - self._at(now)) / self._rate)

    def _at(self, now: float) -> float:
        return min(self._capacity, self._level + max(0.0, now - self._filled) * self._rate)


WHOLE = (0x81, 0x82)
"""First bytes of a frame that is a whole text or binary message, without reserved bits."""

_RESERVED = 0x8F
_MASKED, _LENGTH = 0x80, 0x7F
_LONGEST = 14
"""Bytes of the longest header: two, eight for the length, four for the mask."""


class Cut(NamedTuple):
    """A prefix of some bytes."""

    end: int
    """Length of the prefix in bytes."""
    parts: int
    """Number of control frames, message fragments and pieces without a frame start in the prefix."""


class FrameCounter:
    """Counts the frames of one connection."""

    __slots__ = ("_head", "_left")

    def __init__(self) -> None:
        """Start at a frame boundary."""
        self._head = b""
        """Bytes of an incomplete frame header."""
        self._left = 0
        """Missing bytes of the frame's payload."""

    def cut(self, data: bytes, most: int) -> Cut:
        """Return the prefix of ``data`` with at most ``most`` new frames; it continues the data of the last call."""
        at, size, frames, parts = 0, len(data), 0, 0
        while at < size:
            if self._left >= size - at:
                self._left -= size - at
                at = size
                break
            at += self._left
            self._left = 0
            if frames == most:
                break
            known = len(self._head)
            head = self._head + data[at : at + _LONGEST - known]
            needed = _head_size(head)
            if len(head) < needed:
                self._head = head
                at = size
                break
            self._head = b""
            at += needed - known
            short = head[1] & _LENGTH
            self._left = short if short < 126 else int.from_bytes(head[2 : 4 if short == 126 else 10], "big")
            frames += 1
            parts += head[0] & _RESERVED not in WHOLE
        return Cut(at, parts if frames else parts + 1)


def _head_size(head: bytes) -> int:
    """Return the length of a frame header, as far as its first bytes determine it; at least two."""
    if len(head) < 2:
        return 2
    short = head[1] & _LENGTH
    return 2 + (0 if short < 126 else 2 if short == 126 else 8) + (4 if head[1] & _MASKED else 0)
