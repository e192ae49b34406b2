# SPDX-License-Identifier: GPL-3.0-or-later
"""Network lag: what of a move's time is the network's, and not charged to the mover.

The arena pings each bot's connection and takes the time until the pong. A seat has a bank of lag: each of its turns
pays in the round trip of its connection, with something for jitter, and each move takes out what it needs, up to the
setting ``lag_grace``, which is also the most that the bank holds. So a bot is spared on average what its network takes,
and a bot that thinks for as long as the grace lasts gains only what is paid in for jitter. lichess compensates so
(``LagTracker`` of scalachess: a quota that each move pays into, and that the lag of each move is taken from), but there
every move pays in the same; here the measured round trip says how much.

A bot that delays its pongs claims a longer way than it has. It cannot be told from a bot that is far away, for the
kernel's own round trips end at the nearest proxy. But the shortest of the last round trips counts, so that it must
delay all of them, and it never gains more than it delays, nor more than ``lag_grace`` a move. A pong that answers no
ping tells nothing, and none can be sent ahead: the payload of each ping is random.
"""

from collections import deque


class RoundTrips:
    """The last round trips of one connection, in seconds."""

    def __init__(self) -> None:
        """Start with none measured."""
        self._last: deque[float] = deque(maxlen=COUNTED)

    def add(self, seconds: float) -> None:
        """Note a round trip."""
        self._last.append(seconds)

    @property
    def shortest(self) -> float:
        """The shortest of the last ones; 0 where none is known yet."""
        return min(self._last, default=0.0)


class LagBank:
    """What one seat has left of the network's time, in milliseconds."""

    def __init__(self, most: float) -> None:
        """``most``: milliseconds that a move may take out, and that the bank holds."""
        self._most = most
        self._held = min(most, RESERVE)
        self.free = 0
        """Milliseconds of the present move that are not charged."""

    def grant(self, round_trip: float) -> None:
        """Pay in for a turn that begins, on a connection with this shortest round trip in seconds."""
        self._held = min(self._most, self._held + round_trip * 1000 * JITTER + DRIP)
        self.free = round(self._held)

    def spend(self, elapsed: int) -> None:
        """Take out what a move of so many milliseconds needed."""
        self._held = max(0.0, self._held - min(elapsed, self.free))


COUNTED = 8
"""Round trips of a connection that are remembered."""

RESERVE = 10.0
"""Milliseconds that a bank holds at the start of a match."""

JITTER = 1.25
"""How much of a shortest round trip a turn pays in, as round trips vary."""

DRIP = 1.0
"""Milliseconds that each turn pays in besides."""
