# SPDX-License-Identifier: GPL-3.0-or-later
"""REST route of the server's status."""

from importlib.metadata import version

from arena.application import Arena
from web.api.route import Answer, Query, Route


class GameReadiness(Answer, frozen=True):
    """Whether matches of a game can start."""

    ready: bool
    """Whether the game's code is compiled and the database works."""
    reason: str
    """Reason why not, for people; else ""."""


class StoreState(Answer, frozen=True):
    """Whether the database works."""

    writes: bool
    """Whether the last write, or a probe in the last second, succeeded."""
    reason: str
    """Reason of the failure, for people; else ""."""


class StatusAnswer(Answer, frozen=True):
    """The server's status."""

    ready: bool
    """Whether matches of all games can start; the server answers requests before that."""
    games: dict[str, GameReadiness]
    """Readiness of each game."""
    store: StoreState
    reasons: list[str]
    """All reasons why the server is not ready, for people, including running compilations."""
    problems: list[str]
    """Reasons that need an operator; pages show them."""
    warming: str
    """Running compilation, for people; else ""."""
    breeding: str
    """Game of the population that is bred beside the arena; "" for none."""
    version: str
    live: int
    """Number of live matches."""
    bots: int
    """Number of connected bots."""


class Nothing(Query, frozen=True):
    """No parameters."""


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
