# SPDX-License-Identifier: GPL-3.0-or-later
"""What a server writes to its log."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from arena.cli.support.serving.logs import configure
from arena.settings import Settings


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Path]:
    """Return the file to which a server logs; afterwards logging is as before."""
    root, before = logging.getLogger(), structlog.get_config()
    handlers, level = root.handlers, root.level
    file = tmp_path / "log"
    configure(Settings(log_file=str(file)))
    yield file
    for handler in root.handlers:
        handler.close()
    root.handlers, root.level = handlers, level
    structlog.configure(**before)


@pytest.mark.parametrize(("name", "lines"), [("sqlalchemy.pool.impl.QueuePool", 1), ("sqlalchemy.engine", None)])
def test_a_connection_that_fails_while_it_is_closed_takes_one_line(name: str, lines: int | None, log: Path) -> None:
    try:
        raise OSError("server closed the connection\n\tunexpectedly")
    except OSError:
        logging.getLogger(name).exception("Error closing %s", "cursor")
    text = log.read_text("utf-8")
    assert "Error closing cursor" in text
    assert ("Traceback" in text) == (lines is None)
    if lines is not None:
        assert len(text.splitlines()) == lines
        assert "server closed the connection unexpectedly" in text
