# SPDX-License-Identifier: GPL-3.0-or-later
"""Logging of long-running commands: structured lines on standard error, libraries included."""

import io
import logging
import sys
from typing import TextIO

import structlog
from aiohttp.http_exceptions import HttpProcessingError
from structlog.typing import EventDict, ExcInfo, Processor

from arena.cli.support.log_limit import LogLimit
from arena.protocol.terminal import printable, printable_line
from arena.settings import Settings

QUIET = {"aiohttp.access": logging.WARNING, "alembic": logging.WARNING, "asyncio": logging.WARNING}
"""Loggers that say more than anybody asked for."""


def configure(settings: Settings) -> LogLimit:
    """Set up logging by the settings: coloured text on a terminal, or JSON. Returns the rate limiter, whose ``tell``
    must be called from time to time.
    """
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
        console = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=_plain_traceback)
        renderers = [_make_printable, console]
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderers],
        )
    )
    limit = LogLimit()
    handler.addFilter(limit)
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


def _make_printable(logger: object, name: str, event: EventDict) -> EventDict:
    """Make the texts of an event safe to print; the renderer writes other values with ``repr``, which is safe."""
    return {key: printable_line(value) if isinstance(value, str) else value for key, value in event.items()}


def _plain_traceback(out: TextIO, error: ExcInfo) -> None:
    """Write a traceback without colours, safe to print."""
    text = io.StringIO()
    structlog.dev.plain_traceback(text, error)
    out.write(printable(text.getvalue()))


def _is_ours(record: logging.LogRecord) -> bool:
    """Tell whether a failure is the arena's own: aiohttp logs a traceback for every stranger that speaks no HTTP."""
    return not (record.exc_info and isinstance(record.exc_info[1], HttpProcessingError))
