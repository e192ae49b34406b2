# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of a running arena that records and sends traces."""

import asyncio

import structlog

from arena import tracing
from arena.application import Arena
from arena.feature import Part
from arena.features.traces.recording import OpenTelemetryTracer, check
from arena.features.traces.settings import TraceSettings

log = structlog.get_logger("arena.traces")


class TracesPart(Part):
    """Records the spans of this process from the start of the arena to its end."""

    everywhere = True

    def __init__(self, arena: Arena, settings: TraceSettings) -> None:
        """Raises ValueError where something other than a collector answers. A missing collector stops no arena."""
        self._arena = arena
        self._settings = settings
        self._tracer: OpenTelemetryTracer | None = None
        if why := check(settings.endpoint()):
            log.warning(
                "no collector of traces can be reached; spans are lost while it is away",
                at=settings.endpoint(),
                why=why,
            )

    async def run(self) -> None:
        """Record from now on, for the name that this server has among the others."""
        settings, name = self._settings, self._arena.peers.name
        self._tracer = OpenTelemetryTracer(settings.endpoint(), settings.traces_share, name)
        tracing.use(self._tracer)
        log.info("traces are sent", to=settings.endpoint(), share=settings.traces_share)

    async def stop(self) -> None:
        """Send the remaining spans."""
        tracing.use(None)
        if self._tracer is not None:
            await asyncio.to_thread(self._tracer.close)
