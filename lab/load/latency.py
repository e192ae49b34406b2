# SPDX-License-Identifier: GPL-3.0-or-later
"""Latencies in little memory: counts in buckets whose bounds grow by 2 %, so that processes' counts add up."""

import math

from msgspec import Struct, field

_GROWTH = math.log(1.02)
_SMALLEST = 1e-6
"""Seconds; what is shorter counts as that."""


class Latencies(Struct):
    """How often which latency was seen; percentiles are right to 2 %."""

    buckets: dict[int, int] = field(default_factory=dict)
    largest: float = 0.0

    def record(self, seconds: float) -> None:
        """Count a latency."""
        bucket = int(math.log(max(seconds, _SMALLEST) / _SMALLEST) / _GROWTH)
        self.buckets[bucket] = self.buckets.get(bucket, 0) + 1
        self.largest = max(self.largest, seconds)

    def add(self, other: "Latencies") -> None:
        """Take in others' counts."""
        for bucket, number in other.buckets.items():
            self.buckets[bucket] = self.buckets.get(bucket, 0) + number
        self.largest = max(self.largest, other.largest)

    @property
    def count(self) -> int:
        """How many were seen."""
        return sum(self.buckets.values())

    def percentile(self, percent: float) -> float | None:
        """Return the latency in seconds that ``percent`` of all do not exceed; None where none was seen."""
        wanted, seen = self.count * percent / 100, 0
        for bucket in sorted(self.buckets):
            seen += self.buckets[bucket]
            if seen >= wanted:
                return min(_SMALLEST * math.exp((bucket + 1) * _GROWTH), self.largest)
        return None
