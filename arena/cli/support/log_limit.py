# SPDX-License-Identifier: GPL-3.0-or-later
"""Log rate limits: a repeated event is logged a number of times, and then counted, so that log lines cannot fill the
disk.
"""

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable

import structlog

from arena.connections.rate_limits import RateLimits

LINES, LINES_AT_ONCE = 1.0, 50
"""Lines of the same event a second in the long run, and at once."""
TRACEBACKS, TRACEBACKS_AT_ONCE = 0.1, 10
"""The limit for lines with a traceback."""
MOST_EVENTS = 1000
"""Number of distinct events to track; forgets the least recently logged first."""

EVERY = 60.0
"""Seconds between two lines that tell how often an event was left out, at least."""

TELLER = "arena.log"

Event = tuple[str, str]
"""The logger, and the event's text."""


class LogLimit(logging.Filter):
    """Lets lines of an event through as often as allowed, and tells now and then how many it did not."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock``: in seconds."""
        super().__init__()
        self._clock = clock
        self._lines: RateLimits[Event] = RateLimits(LINES, LINES_AT_ONCE, MOST_EVENTS)
        self._tracebacks: RateLimits[Event] = RateLimits(TRACEBACKS, TRACEBACKS_AT_ONCE, MOST_EVENTS)
        self._left_out: Counter[Event] = Counter()
        self._tell_at = 0.0
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """Count the events that are remembered."""
        return len(self._lines) + len(self._tracebacks)

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell whether a line is to be written."""
        if record.name == TELLER:
            return True
        event = record.name, str(record.msg.get("event") if isinstance(record.msg, dict) else record.msg)[:200]
        with self._lock:
            now = self._clock()
            traced = bool(record.exc_info) or (isinstance(record.msg, dict) and bool(record.msg.get("exc_info")))
            if (self._tracebacks if traced else self._lines).take(event, now):
                return True
            if not self._left_out:
                self._tell_at = now + EVERY
            if event in self._left_out or len(self._left_out) < MOST_EVENTS:
                self._left_out[event] += 1
            return False

    def tell(self, *, now: bool = False) -> None:
        """Write how often events were left out, if that is due or ``now``."""
        with self._lock:
            if not self._left_out or (self._clock() < self._tell_at and not now):
                return
            told, self._left_out = self._left_out, Counter()
        log = structlog.get_logger(TELLER)
        for (logger, event), count in told.items():
            log.warning("log lines suppressed", more=f"and {count:,} more", of=event, by=logger)
