# SPDX-License-Identifier: GPL-3.0-or-later
"""Clusters: several servers, the nodes, are one arena, with PostgreSQL for its records and NATS for messages."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from arena.feature import Feature

if TYPE_CHECKING:
    from web.feature import WebPart


def _tables() -> Sequence[Any]:
    from arena.features.cluster.tables import TABLES

    return TABLES


FEATURE: "Feature[WebPart]" = Feature(name="cluster", tables=_tables)
