# SPDX-License-Identifier: GPL-3.0-or-later
"""Network-lag compensation: the part of a move's time that is not charged to the clock.

The server pings each bot and measures round-trip times. Each seat has a lag bank: each turn adds the round-trip time of
its connection plus an allowance for jitter, and each move takes the lag that it needs, up to the setting ``lag_grace``,
which also limits the bank. So the average network time of a bot is not charged, and a bot that uses the whole grace for
thinking gains only the jitter allowance. lichess uses a similar method (``LagTracker`` of scalachess), with the same
quota for every move; here the quota is the measured round-trip time.

A bot that delays its pongs appears to be farther away than it is. The server cannot detect this, because the kernel's
round-trip times end at the nearest proxy. But the shortest of the last round trips counts, so the bot must delay all of
them, and it gains at most its delay and at most ``lag_grace`` a move. Pongs that answer no ping are ignored, and cannot
be sent in advance because the payload of each ping is random.
"""

from collections import deque


class RoundTrips:
    """The last round trips of one connection, in seconds."""

    def __init__(self) -> None:
        """Start without measurements."""
        self._last: deque[float] = deque(maxlen=COUNTED)

    def add(self, seconds: float) -> None:
        """Add a round-trip time."""
        self._last.append(seconds)

    @property
    def shortest(self) -> float:
        """The shortest of the last round-trip times; 0 without measurements."""
        return min(self._last, default=0.0)


class LagBank:
    """Lag bank of one seat, in milliseconds."""

    def __init__(self, most: float) -> None:
        """``most``: limit of the bank, and of one move."""
        self._most = most
        self._held = min(most, RESERVE)
        self.free = 0
        """Milliseconds of the current move that are not charged."""

    def grant(self, round_trip: float) -> None:
        """Add the allowance of a new turn; ``round_trip``: shortest round-trip time in seconds."""
        self._held = min(self._most, self._held + round_trip * 1000 * JITTER + DRIP)
        self.free = round(self._held)

    def spend(self, elapsed: int) -> None:
        """Take the lag of a move of ``elapsed`` milliseconds."""
        self._held = max(0.0, self._held - min(elapsed, self.free))


COUNTED = 8
"""Number of stored round-trip times of a connection."""

RESERVE = 10.0
"""Milliseconds in a bank at the start of a match."""

JITTER = 1.25
"""Factor on the shortest round-trip time, an allowance for jitter."""

DRIP = 1.0
"""Milliseconds that each turn adds besides."""
