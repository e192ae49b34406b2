# SPDX-License-Identifier: GPL-3.0-or-later
"""Health of bots: a bot that fails too often in its rated matches is quarantined, which takes it off the ladder."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from arena.feature import Feature, Part

if TYPE_CHECKING:
    from collections import Counter

    from arena.application import Arena
    from arena.records.verification import Finding
    from arena.store.audit import Audit
    from web.feature import WebPart


def _settings() -> type[Any]:
    from arena.features.health.settings import HealthSettings

    return HealthSettings


def _tables() -> Sequence[Any]:
    from arena.features.health.tables import TABLES

    return TABLES


def _start(arena: "Arena") -> Part:
    from arena.features.health.part import HealthPart

    return HealthPart(arena)


def _verify(audit: "Audit", checked: "Counter[str]") -> "Iterable[Finding]":
    from arena.features.health.records import check_quarantines

    return check_quarantines(audit)


def _web() -> "WebPart":
    from arena.features.health.pages import EDGE

    return EDGE


FEATURE: "Feature[WebPart]" = Feature(
    name="health",
    needs=("accounts", "uploads"),
    settings=_settings,
    tables=_tables,
    start=_start,
    verify=_verify,
    commands="arena.features.health.commands",
    web=_web,
)
