# SPDX-License-Identifier: GPL-3.0-or-later
"""Opponent models: bots report models of other bots, and the pages of those bots show them.

The arena does not compute models. It counts how many of the replies that bots predict with their moves are then played.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from arena.feature import Feature

if TYPE_CHECKING:
    from web.feature import WebPart


def _tables() -> Sequence[Any]:
    from arena.features.opponent_models.records import TABLES

    return TABLES


def _web() -> "WebPart":
    from arena.features.opponent_models.api import EDGE

    return EDGE


FEATURE: "Feature[WebPart]" = Feature(name="opponent_models", tables=_tables, web=_web)
