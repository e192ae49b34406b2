# SPDX-License-Identifier: GPL-3.0-or-later
"""Logging of long-running commands: structured lines on standard error or in a file, libraries included.

A repeated event is logged a number of times and then only counted, so that log lines cannot fill the disk.
"""

import io
import logging
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from logging.handlers import WatchedFileHandler
from typing import TextIO

import structlog
from aiohttp.http_exceptions import HttpProcessingError
from structlog.typing import EventDict, ExcInfo, Processor

from arena.connections.limits import RateLimits
from arena.protocol.terminal import printable, printable_line
from arena.settings import Settings

LINES, LINES_AT_ONCE = 1.0, 50
"""Lines of the same event a second in the long run, and at once."""
TRACEBACKS, TRACEBACKS_AT_ONCE = 0.1, 10
"""The limit for lines with a traceback."""
MOST_EVENTS = 1000
"""Number of distinct events to track; forgets the least recently logged first."""

EVERY = 60.0
"""Minimum seconds between two lines that count suppressed events."""

TELLER = "arena.log"

Event = tuple[str, str]
"""The logger, and the event's text."""


class LogLimit(logging.Filter):
    """Passes the lines of an event as often as allowed, and now and then logs the number of the others."""

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
        """Log the numbers of suppressed events, if that is due or ``now``."""
        with self._lock:
            if not self._left_out or (self._clock() < self._tell_at and not now):
                return
            told, self._left_out = self._left_out, Counter()
        log = structlog.get_logger(TELLER)
        for (logger, event), count in told.items():
            log.warning("log lines suppressed", more=f"and {count:,} more", of=event, by=logger)


QUIET = {"aiohttp.access": logging.WARNING, "alembic": logging.WARNING, "asyncio": logging.WARNING}
"""Levels of verbose loggers."""


def configure(settings: Settings) -> LogLimit:
    """Set up logging by the settings: text, coloured on a terminal, or JSON. Returns the rate limiter, whose ``tell``
    must be called from time to time. Raises ValueError if the log file cannot be opened.
    """
    handler = _handler(settings.log_file)
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso" if settings.log_format == "json" else "%H:%M:%S", utc=False),
    ]
    renderers: list[Processor]
    if settings.log_format == "json":
        renderers = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    else:
        # plain tracebacks: those with local variables would write tokens to the log
        colors = not settings.log_file and sys.stderr.isatty()
        console = structlog.dev.ConsoleRenderer(colors=colors, exception_formatter=_plain_traceback)
        renderers = [_make_printable, console]
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderers],
        )
    )
    limit = LogLimit()
    handler.addFilter(limit)
    handler.addFilter(_in_one_line)
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(settings.log_level.upper())
    for name, level in QUIET.items():
        logging.getLogger(name).setLevel(level)
    logging.getLogger("aiohttp.server").addFilter(_is_ours)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    return limit


def _in_one_line(record: logging.LogRecord) -> bool:
    """Shorten what the pool of connections tells of one that fails while it is closed: when the database goes away, the
    command that used the connection reports the failure.
    """
    if record.name.startswith("sqlalchemy.pool") and record.exc_info and (error := record.exc_info[1]) is not None:
        record.msg, record.args = f"{record.getMessage()}: {' '.join(str(error).split())}", ()
        record.exc_info = None
    return True


def _handler(file: str) -> logging.Handler:
    """Return the handler that writes to a file, or to standard error. Raises ValueError."""
    if not file:
        return logging.StreamHandler(sys.stderr)
    try:
        return WatchedFileHandler(file, encoding="utf-8")
    except OSError as error:
        raise ValueError(f"log_file: cannot open {file}: {error.strerror}") from None


def _make_printable(logger: object, name: str, event: EventDict) -> EventDict:
    """Make the texts of an event safe to print; the renderer writes other values with ``repr``, which is safe."""
    return {key: printable_line(value) if isinstance(value, str) else value for key, value in event.items()}


def _plain_traceback(out: TextIO, error: ExcInfo) -> None:
    """Write a traceback without colours, safe to print."""
    text = io.StringIO()
    structlog.dev.plain_traceback(text, error)
    out.write(printable(text.getvalue()))


def _is_ours(record: logging.LogRecord) -> bool:
    """Tell whether a failure is the arena's own: aiohttp logs a traceback for every peer that does not speak HTTP."""
    return not (record.exc_info and isinstance(record.exc_info[1], HttpProcessingError))
