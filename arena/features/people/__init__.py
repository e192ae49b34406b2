# SPDX-License-Identifier: GPL-3.0-or-later
"""People at the board: guests and accounts play against bots that accept people, and accounts have ratings."""

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
    from arena.features.people.settings import PeopleSettings

    return PeopleSettings


def _tables() -> Sequence[Any]:
    from arena.features.people.tables import TABLES

    return TABLES


def _start(arena: "Arena") -> Part:
    from arena.features.people.part import PeoplePart

    return PeoplePart(arena)


def _verify(audit: "Audit", checked: "Counter[str]") -> "Iterable[Finding]":
    from arena.features.people.records import check_people

    return check_people(audit)


def _web() -> "WebPart":
    from arena.features.people.pages import EDGE

    return EDGE


FEATURE: "Feature[WebPart]" = Feature(
    name="people",
    needs=("accounts", "opponent_models"),
    settings=_settings,
    tables=_tables,
    start=_start,
    verify=_verify,
    commands="arena.features.people.commands",
    web=_web,
)
