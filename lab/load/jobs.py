# SPDX-License-Identifier: GPL-3.0-or-later
"""Jobs of a process of clients, and its reports, with latencies that add up over processes."""

import math

from msgspec import Struct, field

_GROWTH = math.log(1.02)
_SMALLEST = 1e-6
"""Seconds; a shorter latency counts as this."""


class Latencies(Struct):
    """Counts of latencies; percentiles are right to 2 %."""

    buckets: dict[int, int] = field(default_factory=dict)
    largest: float = 0.0

    def record(self, seconds: float) -> None:
        """Count a latency."""
        bucket = int(math.log(max(seconds, _SMALLEST) / _SMALLEST) / _GROWTH)
        self.buckets[bucket] = self.buckets.get(bucket, 0) + 1
        self.largest = max(self.largest, seconds)

    def add(self, other: "Latencies") -> None:
        """Add the counts of others."""
        for bucket, number in other.buckets.items():
            self.buckets[bucket] = self.buckets.get(bucket, 0) + number
        self.largest = max(self.largest, other.largest)

    @property
    def count(self) -> int:
        """Number of latencies."""
        return sum(self.buckets.values())

    def percentile(self, percent: float) -> float | None:
        """Return the latency in seconds that ``percent`` of all do not exceed; None if there is none."""
        wanted, seen = self.count * percent / 100, 0
        for bucket in sorted(self.buckets):
            seen += self.buckets[bucket]
            if seen >= wanted:
                return min(_SMALLEST * math.exp((bucket + 1) * _GROWTH), self.largest)
        return None


class LoadBot(Struct, frozen=True):
    """A bot that may connect."""

    name: str
    token: str


class PlayersJob(Struct, frozen=True, tag="players"):
    """Keep a match running at every table, between its two bots."""

    urls: list[str]
    """The bots' sockets: of one server, or of several, to which the bots connect in turn."""
    game: str
    rate: float
    """Moves a second of each match, both sides' together."""
    tables: list[tuple[LoadBot, LoadBot]]
    rated: bool = True
    stamped: bool = False
    """Whether moves carry the time they were sent, as the number of nodes in their report, for spectators to read."""


class WatchersJob(Struct, frozen=True, tag="watchers"):
    """Follow matches, and hold idle sockets beside."""

    urls: list[str]
    """The spectators' sockets: of one server, or of several, each of which gets spectators of every match."""
    matches_url: str
    """URL of the list of live matches."""
    spectators: int
    watched: int
    """Number of matches that have spectators."""
    idle: int = 0
    """Sockets that follow nothing."""


Job = PlayersJob | WatchersJob


class LoadCounts(Struct):
    """Counts of the measured time; reports of several processes add up."""

    moves: int = 0
    """Moves that the arena acknowledged."""
    frames: int = 0
    """Frames received."""
    relay: Latencies = field(default_factory=Latencies)
    """From a move sent to the opponent's turn received."""
    accepted: Latencies = field(default_factory=Latencies)
    """From a move sent to its acknowledgement received."""
    watched: Latencies = field(default_factory=Latencies)
    """From a move sent to its arrival at a spectator."""
    everybody: Latencies = field(default_factory=Latencies)
    """From a move sent to its arrival at the last spectator, if all follow one match."""
    endings: dict[str, int] = field(default_factory=dict)
    """Matches that ended, by termination."""
    errors: dict[str, int] = field(default_factory=dict)
    """Refusals, by code, and other errors."""
    reconnects: int = 0
    stalls: int = 0
    """Tables without a turn for long, which asked for a new match."""

    def add(self, other: "LoadCounts") -> None:
        """Add the report of another process."""
        self.moves += other.moves
        self.frames += other.frames
        self.reconnects += other.reconnects
        self.stalls += other.stalls
        for mine, others in (
            (self.relay, other.relay),
            (self.accepted, other.accepted),
            (self.watched, other.watched),
            (self.everybody, other.everybody),
        ):
            mine.add(others)
        for counts, more in ((self.endings, other.endings), (self.errors, other.errors)):
            for name, number in more.items():
                counts[name] = counts.get(name, 0) + number

    def error(self, code: str) -> None:
        """Count an error."""
        self.errors[code] = self.errors.get(code, 0) + 1
