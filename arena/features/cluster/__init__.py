# SPDX-License-Identifier: GPL-3.0-or-later
"""Clusters: several servers, the nodes, are one arena, with PostgreSQL for its records and NATS for messages."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from arena.feature import Feature, Part

if TYPE_CHECKING:
    from arena.application import Arena
    from arena.settings import Settings
    from arena.store.database.tenure import Tenure
    from web.feature import WebPart


def _settings() -> type[Any]:
    from arena.features.cluster.settings import ClusterSettings

    return ClusterSettings


def _tables() -> Sequence[Any]:
    from arena.features.cluster.tables import TABLES

    return TABLES


def _claim(settings: "Settings", database: str, url: str) -> "Tenure":
    from arena.features.cluster.settings import ClusterSettings

    own = settings.of(ClusterSettings)
    if not own.bus:
        from arena.features.cluster.membership.alone import AloneTenure

        return AloneTenure()
    if not database.startswith("postgresql"):
        raise ValueError("bus: the nodes of a cluster share a PostgreSQL database; give its URL with --database-url")
    try:
        from arena.features.cluster.membership.node import NodeTenure
    except ModuleNotFoundError as error:
        raise ValueError(f"bus: the package {error.name} is not installed; install bot-arena[cluster]") from None
    return NodeTenure(own, url)


def _start(arena: "Arena") -> Part:
    from arena.features.cluster.part import ClusterPart

    return ClusterPart(arena)


def _web() -> "WebPart":
    from arena.features.cluster.pages import EDGE

    return EDGE


FEATURE: "Feature[WebPart]" = Feature(
    name="cluster",
    needs=("accounts",),
    settings=_settings,
    tables=_tables,
    claim=_claim,
    start=_start,
    commands="arena.features.cluster.commands",
    web=_web,
)
