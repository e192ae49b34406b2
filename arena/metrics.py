# SPDX-License-Identifier: GPL-3.0-or-later
"""What an arena counts and measures, for Prometheus, in a registry of its own: two arenas in one process do not mix."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Metrics:
    """Prometheus metrics of the arena."""

    def __init__(self) -> None:
        """Start at nought."""
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
