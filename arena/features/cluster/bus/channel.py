# SPDX-License-Identifier: GPL-3.0-or-later
"""Reliable, ordered delivery between two nodes over a bus that loses, repeats and reorders frames.

Each piece that a node sends to another has a number, from 1. The receiver takes the pieces in order, acknowledges
cumulatively, and asks again for missing ones. Each frame has the number of its first piece, and a frame without pieces
has the number of the next one, so a heartbeat shows a loss, too. Then the sender goes back to the last acknowledged
piece.

No I/O; times are seconds on a monotonic clock.
"""

from collections import deque
from typing import NamedTuple

import msgspec

PIECE = 262_144
"""Bytes of a piece at most, and about those of a frame; NATS carries 1 MiB. A longer body is several pieces."""

WINDOW = 2_097_152
"""Bytes that are sent ahead of the acknowledgement at most."""

ACKNOWLEDGE = 262_144
"""Bytes received after which an acknowledgement goes out by itself, ahead of the next frame or heartbeat."""

PATIENCE = 0.1
"""Seconds before the same pieces are asked for, or sent, once more."""


class Frame(msgspec.Struct, array_like=True, frozen=True):
    """What one node sends to another at once."""

    sender: int
    key: int
    """The sender's random number, by which the receiver knows that this is the sender of its records."""
    first: int
    """Number of the first piece; without pieces, that of the next one."""
    ack: int
    """Number of the last piece that the sender of this frame has received in order."""
    again: bool
    """Whether pieces after ``ack`` are missing."""
    pieces: list[bytes]
    parts: tuple[int, ...] = ()
    """Numbers of the pieces that the next one continues."""


class _Piece(NamedTuple):
    body: bytes
    part: bool

    @property
    def size(self) -> int:
        """Its bytes in a frame, about."""
        return len(self.body) + 8


class Channel:
    """One end of the way between two nodes."""

    def __init__(self) -> None:
        self._flying: deque[_Piece] = deque()
        """Pieces that were sent and not acknowledged."""
        self._waiting: deque[_Piece] = deque()
        """The pieces after these, which are to be sent."""
        self._ahead = 0
        """Bytes of the pieces that fly."""
        self._sent = 0
        """Number of the last piece that flies, or was acknowledged."""
        self._went_back = -PATIENCE
        self._received = 0
        """Number of the last piece that was received in order."""
        self._unanswered = 0
        """Bytes received since the last frame to the other node."""
        self._beginning: list[bytes] = []
        """The pieces so far of a body whose last piece has not come."""
        self._missing = False
        self._asked = -PATIENCE

    @property
    def waiting(self) -> int:
        """Number of pieces that the other node has not acknowledged."""
        return len(self._flying) + len(self._waiting)

    @property
    def size(self) -> int:
        """Bytes that the other node has not acknowledged."""
        return sum(piece.size for pieces in (self._flying, self._waiting) for piece in pieces)

    def put(self, body: bytes) -> None:
        """Add a body to the pieces that wait."""
        for begin in range(0, len(body) or 1, PIECE):
            self._waiting.append(_Piece(body[begin : begin + PIECE], begin + PIECE < len(body)))

    def frames(self, sender: int, key: int, now: float, *, beat: bool = False) -> list[Frame]:
        """Return the frames to send now. ``beat``: at least one frame, because a heartbeat is due."""
        found = []
        while pieces := self._next_pieces():
            first = self._sent - len(pieces) + 1
            parts = tuple(number for number, piece in enumerate(pieces, first) if piece.part)
            found.append(Frame(sender, key, first, self._received, False, [piece.body for piece in pieces], parts))
        again = self._missing and now - self._asked >= PATIENCE
        if again or (not found and (beat or self._unanswered >= ACKNOWLEDGE)):
            found.append(Frame(sender, key, self._sent + 1, self._received, again, []))
        if again:
            self._asked = now
        if found:
            self._unanswered = 0
        return found

    def beat(self, sender: int, key: int) -> Frame:
        """Return a heartbeat, for a bus that is away: it carries nothing."""
        return Frame(sender, key, self._sent + 1, self._received, False, [])

    def due(self, now: float) -> bool:
        """Tell whether ``frames`` has something to send."""
        waits = self._waiting and (not self._ahead or self._ahead + self._waiting[0].size <= WINDOW)
        return bool(waits) or self._unanswered >= ACKNOWLEDGE or (self._missing and now - self._asked >= PATIENCE)

    def _next_pieces(self) -> list[_Piece]:
        """Return the pieces of the next frame; they fly now."""
        pieces: list[_Piece] = []
        size = 0
        while self._waiting:
            length = self._waiting[0].size
            if (pieces and size + length > PIECE) or (self._ahead and self._ahead + length > WINDOW):
                break
            pieces.append(self._waiting.popleft())
            size += length
            self._ahead += length
        self._flying.extend(pieces)
        self._sent += len(pieces)
        return pieces

    def take(self, frame: Frame, now: float) -> list[bytes]:
        """Take a frame of the other node, and return the bodies that are complete now, in order."""
        self._take_ack(frame.ack)
        if frame.again and now - self._went_back >= PATIENCE:
            self._went_back = now
            self._waiting.extendleft(reversed(self._flying))
            self._sent -= len(self._flying)
            self._flying.clear()
            self._ahead = 0
        bodies = []
        self._missing = frame.first > self._received + 1
        for number, piece in enumerate(frame.pieces, frame.first):
            if number != self._received + 1:
                continue
            self._received = number
            self._unanswered += len(piece)
            self._beginning.append(piece)
            if number not in frame.parts:
                bodies.append(b"".join(self._beginning) if len(self._beginning) > 1 else piece)
                self._beginning.clear()
        return bodies

    def _take_ack(self, ack: int) -> None:
        """Forget the pieces up to a number. After a return to the acknowledged ones, a late one may be of more."""
        while self._flying and self._sent - len(self._flying) < ack:
            self._ahead -= self._flying.popleft().size
        while self._waiting and not self._flying and self._sent < ack:
            self._waiting.popleft()
            self._sent += 1
