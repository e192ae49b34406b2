# SPDX-License-Identifier: GPL-3.0-or-later
"""The wheel of the SDK in a running arena: it is read or built for the first request, and then kept in memory."""

import asyncio

import structlog

from arena.feature import Part
from arena.features.sdk_wheel.wheel import NotBuilt, Source, Wheel, described, find

log = structlog.get_logger(__name__)


class SdkPart(Part):
    """Hands out the wheel."""

    def __init__(self, source: Source | None = None) -> None:
        """``source``: by default that of this installation."""
        self._source = source or find()
        self._reading: asyncio.Task[Wheel | None] | None = None

    @property
    def name(self) -> str | None:
        """The file name of the wheel; None if this installation has none."""
        return None if self._source is None else self._source.name

    async def wheel(self) -> Wheel | None:
        """Return the wheel; None if this installation has none. All requests wait for one reading."""
        if self._source is None:
            return None
        if self._reading is None:
            self._reading = asyncio.create_task(self._read(self._source))
        return await asyncio.shield(self._reading)

    async def stop(self) -> None:
        """End the process that builds the wheel."""
        if self._reading is not None and not self._reading.done():
            self._reading.cancel()
            await asyncio.wait([self._reading])

    @staticmethod
    async def _read(source: Source) -> Wheel | None:
        try:
            return described(source.name, await source.read())
        except (NotBuilt, OSError) as error:
            # tried once: a stranger's requests start no further process
            log.warning(
                "the package of the SDK cannot be handed out; `make setup` installs its builder", error=str(error)
            )
            return None
