# SPDX-License-Identifier: GPL-3.0-or-later
"""Runners: other machines of the operators, which host built-in and uploaded bots for the arena."""

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
    from arena.features.runners.settings import RunnerSettings

    return RunnerSettings


def _tables() -> Sequence[Any]:
    from arena.features.runners.tables import TABLES

    return TABLES


def _start(arena: "Arena") -> Part:
    from arena.features.runners.part import RunnersPart

    return RunnersPart(arena)


def _verify(audit: "Audit", checked: "Counter[str]") -> "Iterable[Finding]":
    from arena.features.runners.records import check_runners

    return check_runners(audit, checked)


def _web() -> "WebPart":
    from arena.features.runners.pages import EDGE

    return EDGE


FEATURE: "Feature[WebPart]" = Feature(
    name="runners",
    needs=("accounts", "uploads"),
    settings=_settings,
    tables=_tables,
    start=_start,
    verify=_verify,
    commands="arena.features.runners.commands",
    web=_web,
)
