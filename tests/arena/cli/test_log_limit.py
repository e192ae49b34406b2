# SPDX-License-Identifier: GPL-3.0-or-later
"""Nobody fills the disk by log lines: what repeats is counted, and told in one line."""

import io
import logging
from collections.abc import Iterator

import pytest
import structlog

from arena.cli.support.serving import logs
from arena.cli.support.serving.logs import EVERY, LINES_AT_ONCE, MOST_EVENTS, TRACEBACKS_AT_ONCE, LogLimit
from arena.settings import Settings


class Log:
    """The log of a server, with a clock that the test sets."""

    def __init__(self, handler: logging.Handler) -> None:
        self.now = 1000.0
        self.limit = LogLimit(lambda: self.now)
        self._stream = io.StringIO()
        assert isinstance(handler, logging.StreamHandler)
        assert isinstance(handler.filters[0], LogLimit)
        handler.filters = [self.limit]
        handler.setStream(self._stream)

    @property
    def text(self) -> str:
        """The written lines."""
        return self._stream.getvalue()


@pytest.fixture
def log() -> Iterator[Log]:
    """A log as JSON."""
    root, before = logging.getLogger(), structlog.get_config()
    handlers, level = list(root.handlers), root.level
    logs.configure(Settings(log_format="json"))
    yield Log(root.handlers[0])
    root.handlers = handlers
    root.setLevel(level)
    structlog.configure(**before)


def test_an_event_that_repeats_is_counted(log: Log) -> None:
    arena = structlog.get_logger("arena.test")
    for number in range(5000):
        arena.info("somebody knocks", number=number)
        log.now += 1e-6
    arena.info("something else")
    logging.getLogger("library").error("a library says %s", "this")
    assert len(log.text.splitlines()) == LINES_AT_ONCE + 2
    log.limit.tell()
    assert "more" not in log.text
    log.now += EVERY
    log.limit.tell()
    log.limit.tell(now=True)
    (line,) = (line for line in log.text.splitlines() if "more" in line)
    assert f"and {5000 - LINES_AT_ONCE:,} more" in line
    assert "somebody knocks" in line
    arena.info("somebody knocks", number=5000)
    assert '"number": 5000' in log.text


def test_tracebacks_are_fewer(log: Log) -> None:
    for _ in range(100):
        try:
            raise ValueError("broken")
        except ValueError:
            structlog.get_logger("arena.test").exception("it broke")
    assert log.text.count("Traceback") == TRACEBACKS_AT_ONCE
    log.limit.tell(now=True)
    assert f"and {100 - TRACEBACKS_AT_ONCE} more" in log.text


def test_events_that_are_made_up_take_no_memory(log: Log) -> None:
    library = logging.getLogger("library")
    for number in range(3 * MOST_EVENTS):
        library.warning("event " + str(number))
    assert len(log.limit) <= 2 * MOST_EVENTS
