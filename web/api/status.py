# SPDX-License-Identifier: GPL-3.0-or-later
"""How the arena itself is doing."""

from importlib.metadata import version

from arena.application import Arena
from web.api.route import Answer, Query, Route


class StatusAnswer(Answer, frozen=True):
    """The arena's state."""

    ready: bool
    """Whether matches of every game can start; the arena answers before that."""
    warming: str
    """What is being compiled, for people; "" when ready."""
    version: str
    live: int
    """Matches going on."""
    bots: int
    """Bots connected."""


class Nothing(Query, frozen=True):
    """Nothing to choose."""


async def get_status(arena: Arena, query: Nothing) -> StatusAnswer:
    """Tell whether the arena is ready, and how much is going on."""
    return StatusAnswer(
        ready=arena.ready,
        warming=arena.warming,
        version=version("bot-arena"),
        live=len(arena.live),
        bots=len(arena.roster),
    )


ROUTES = (Route("/status", Nothing, StatusAnswer, get_status),)
