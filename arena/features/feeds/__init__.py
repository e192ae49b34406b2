# SPDX-License-Identifier: GPL-3.0-or-later
"""Feeds of results: a public Atom feed, and webhooks that send events to accounts."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from arena.feature import Feature, Part

if TYPE_CHECKING:
    from arena.application import Arena
    from web.feature import WebPart


def _settings() -> type[Any]:
    from arena.features.feeds.settings import WebhookSettings

    return WebhookSettings


def _tables() -> Sequence[Any]:
    from arena.features.feeds.tables import TABLES

    return TABLES


def _start(arena: "Arena") -> Part:
    from arena.features.feeds.part import FeedsPart

    return FeedsPart(arena)


def _web() -> "WebPart":
    from arena.features.feeds.pages import EDGE

    return EDGE


FEATURE: "Feature[WebPart]" = Feature(
    name="feeds",
    needs=("accounts", "uploads", "health"),
    settings=_settings,
    tables=_tables,
    start=_start,
    commands="arena.features.feeds.commands",
    web=_web,
)
