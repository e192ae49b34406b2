# SPDX-License-Identifier: GPL-3.0-or-later
"""How the arena itself is doing."""

from importlib.metadata import version

from arena.application import Arena
from web.api.route import Answer, Query, Route


class GameReadiness(Answer, frozen=True):
    """Whether matches of a game can start."""

    ready: bool
    """Its rules are loaded, and the database works."""
    reason: str
    """Why not, for people; "" when they can."""


class StoreState(Answer, frozen=True):
    """Whether the database works."""

    writes: bool
    """Something was written within the last second, or a probe was."""
    reason: str
    """Why nothing can be written or read, for people; "" when it works."""


class StatusAnswer(Answer, frozen=True):
    """The arena's state."""

    ready: bool
    """Whether matches of every game can start; the arena answers before that."""
    games: dict[str, GameReadiness]
    """Of each game that is offered."""
    store: StoreState
    reasons: list[str]
    """All that is not as it shall be, for people: also what is still being prepared."""
    problems: list[str]
    """Those of the reasons that do not pass by themselves; pages show them."""
    warming: str
    """What is being compiled, for people; "" when nothing is."""
    breeding: str
    """The game that a population is bred of beside the arena, once nothing else is prepared; "" when none is."""
    version: str
    live: int
    """Matches going on."""
    bots: int
    """Bots connected."""


class Nothing(Query, frozen=True):
    """Nothing to choose."""


async def get_status(arena: Arena, query: Nothing) -> StatusAnswer:
    """Return the arena's readiness and the numbers of bots, matches and spectators."""
    health = await arena.health()
    return StatusAnswer(
        ready=health.ready,
        games={name: GameReadiness(ready=each.ready, reason=each.reason) for name, each in health.games.items()},
        store=StoreState(writes=not health.trouble, reason=health.trouble),
        reasons=health.reasons,
        problems=health.problems,
        warming=arena.warming,
        breeding=arena.breeding,
        version=version("bot-arena"),
        live=len(arena.live),
        bots=len(arena.roster),
    )


ROUTES = (Route("/status", Nothing, StatusAnswer, get_status),)
