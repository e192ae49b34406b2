# SPDX-License-Identifier: GPL-3.0-or-later
"""The process that validates and hosts uploaded bots: a child of the server, started with the first upload."""

import asyncio
from functools import partial

from arena.application import Arena
from arena.features.uploads.part import UploadsPart
from arena.hosting.supervisor import Supervisor
from engine.native import child

COMMAND = partial(child.command, "bots.hosted.process")


async def keep_hosting(arena: Arena, url: str) -> None:
    """Validate and host uploads beside the arena, until cancelled."""
    part = arena.part(UploadsPart)
    await part.needed.wait()
    supervisor = Supervisor(
        partial(part.orders, url), lambda progress: None, COMMAND, name="uploaded bots", hear=part.hear
    )
    async with asyncio.TaskGroup() as group:
        group.create_task(supervisor.run())
        group.create_task(part.states(supervisor.add))
        group.create_task(part.handle())
