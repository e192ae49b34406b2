# SPDX-License-Identifier: GPL-3.0-or-later
"""Monitoring of an arena: metrics for Prometheus, and its health."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

# ---------------------------------------------------------------- metrics
#
# Each arena has its own registry, so that two arenas in one process do not share metrics.

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Metrics:
    """Prometheus metrics of the arena."""

    def __init__(self) -> None:
        """Set all metrics to 0."""
        self.registry = CollectorRegistry()
        label = self.registry
        self.started = Counter("arena_matches_started", "Matches started.", ["game", "kind"], registry=label)
        self.finished = Counter("arena_matches_finished", "Matches ended.", ["game", "termination"], registry=label)
        self.resumed = Counter("arena_matches_resumed", "Matches taken up again after a restart.", registry=label)
        self.failures = Counter("arena_match_failures", "Matches voided by a failure of the arena.", registry=label)
        self.moves = Counter("arena_moves", "Moves accepted and committed.", ["game"], registry=label)
        self.messages = Counter("arena_messages", "Messages from bots that were understood.", ["type"], registry=label)
        self.errors = Counter("arena_errors", "Messages from bots that were refused.", ["code"], registry=label)
        self.closed = Counter(
            "arena_connections_closed", "Bots' connections ended by the arena.", ["code"], registry=label
        )
        self.info_bytes = Counter(
            "arena_info_bytes",
            "Bytes of search info that bots sent, cut to size: stored, or dropped for want of budget.",
            ["outcome"],
            registry=label,
        )
        self.live = Gauge("arena_matches_live", "Matches going on.", registry=label)
        self.bots = Gauge("arena_bots_connected", "Bots connected.", registry=label)
        self.connections = Gauge("arena_connections", "Bots' sockets open.", registry=label)
        self.spectators = Gauge("arena_spectators", "Spectators' sockets open.", registry=label)
        self.backlog = Gauge("arena_store_backlog", "Commands waiting to be written.", registry=label)
        self.relay = Histogram(
            "arena_move_commit_seconds", "From hearing a move to its commit.", buckets=_SECONDS, registry=label
        )


# ---------------------------------------------------------------- health
#
# Whether matches of each game can start and the database works; if not, the reasons.


class Readiness(NamedTuple):
    """Whether matches of a game can start."""

    ready: bool
    reason: str
    """Why not, for people; "" when they can."""


class Health(NamedTuple):
    """The health of an arena."""

    ready: bool
    """Whether matches of every offered game can start, and those that a restart left were taken up."""
    games: Mapping[str, Readiness]
    trouble: str
    """Why the database does not work, for people; "" when it does."""
    reasons: list[str]
    """Everything that does not work or is still being prepared, for people, such as running compilations."""
    problems: list[str]
    """The reasons that need a fix by an operator."""


def assess(
    games: Mapping[str, tuple[bool, str, bool]],
    *,
    prepared: bool,
    trouble: str,
    lost: str,
    warming: str,
    troubles: Sequence[str] = (),
) -> Health:
    """Return the health of an arena.

    ``games``: of each game whether its rules are loaded, why they are not, and whether that failed; ``prepared``:
    whether the matches of before a restart were taken up; ``trouble`` with the database, and why it is ``lost`` to
    another server; ``warming``: what else is being prepared, which keeps no match from starting; ``troubles``: why
    parts of features are not ready.
    """
    stored = lost or trouble
    found = {
        name: Readiness(loaded and not stored, stored if loaded else reason)
        for name, (loaded, reason, _) in games.items()
    }
    failed = [f"{name}: {reason}" for name, (loaded, reason, failing) in games.items() if failing and not loaded]
    waiting = [f"{name}: {reason}" for name, (loaded, reason, failing) in games.items() if not loaded and not failing]
    problems = [*([stored] if stored else []), *troubles, *failed]
    reasons = [*problems, *waiting]
    if not prepared and not waiting:
        reasons.append("matches of before the restart are being taken up")
    if warming:
        reasons.append(f"built-in bots are being prepared: {warming}")
    ready = prepared and not stored and not troubles and all(each.ready for each in found.values())
    return Health(ready, found, stored, reasons, problems)
