# SPDX-License-Identifier: GPL-3.0-or-later
"""Where WebSocket frames begin and end in a stream of bytes (RFC 6455, 5.2): enough to count them before they are read.

Whether a frame is valid is for whoever reads it; here nothing is invalid.
"""

from typing import NamedTuple

WHOLE = (0x81, 0x82)
"""First bytes of a frame that is a message by itself, text or binary, without its reserved bits."""

_RESERVED = 0x8F
_MASKED, _LENGTH = 0x80, 0x7F
_LONGEST = 14
"""Bytes of the longest head: two, eight for the length, four for the mask."""


class Cut(NamedTuple):
    """A beginning of some bytes."""

    end: int
    """Bytes in it."""
    parts: int
    """What came in it besides whole messages: control frames, parts of messages, and bytes that begin no frame."""


class FrameCounter:
    """Follows the frames of one connection."""

    __slots__ = ("_head", "_left")

    def __init__(self) -> None:
        """Start between two frames."""
        self._head = b""
        """Of a frame whose head is not whole yet."""
        self._left = 0
        """Bytes of the frame's payload that are still to come."""

    def cut(self, data: bytes, most: int) -> Cut:
        """Return the beginning of ``data``, which goes on where the last cut ended, with at most so many new frames."""
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
    """Return how many bytes a frame's head has, as far as those that came tell; two at least."""
    if len(head) < 2:
        return 2
    short = head[1] & _LENGTH
    return 2 + (0 if short < 126 else 2 if short == 126 else 8) + (4 if head[1] & _MASKED else 0)
