# SPDX-License-Identifier: GPL-3.0-or-later
"""Metrics of a node for Prometheus: its lease, the bus, and the link to each other node."""

import time
from collections.abc import Iterator

from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from arena.features.cluster.bus.links import Links
from arena.features.cluster.membership.leases import Leases


class ClusterMetrics(Collector):
    """Reads the links when Prometheus asks."""

    def __init__(self, links: Links, leases: Leases) -> None:
        self._links = links
        self._leases = leases

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics."""
        links, leases = self._links, self._leases
        yield GaugeMetricFamily("arena_cluster_nodes", "Nodes that have a lease.", len(links.nodes))
        yield GaugeMetricFamily("arena_cluster_leads", "Whether this node leads.", int(links.leader == links.me))
        age = time.monotonic() - leases.renewed
        yield GaugeMetricFamily("arena_cluster_lease_age_seconds", "Time since the lease was last renewed.", age)
        yield GaugeMetricFamily("arena_cluster_bus_away_seconds", "Time since the bus answered last.", links.bus_away)
        silence = GaugeMetricFamily(
            "arena_cluster_silence_seconds", "Time since anything came of another node.", labels=["node"]
        )
        messages = GaugeMetricFamily(
            "arena_cluster_unacknowledged_messages", "Messages that another node has not acknowledged.", labels=["node"]
        )
        size = GaugeMetricFamily(
            "arena_cluster_unacknowledged_bytes", "Bytes that another node has not acknowledged.", labels=["node"]
        )
        for row in links.nodes.values():
            if row.id != links.me:
                silence.add_metric([row.name], links.silence(row.id))
                for family, value in zip((messages, size), links.lag(row.id), strict=True):
                    family.add_metric([row.name], value)
        yield from (silence, messages, size)
