# SPDX-License-Identifier: GPL-3.0-or-later
"""Islands on volunteers' machines: populations that evolve elsewhere, report here and exchange genomes.

The arena validates an island's reports, verifies its genomes in games of its own, and offers them to weaker islands.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from arena.feature import Feature, Part

if TYPE_CHECKING:
    from collections import Counter

    from arena.application import Arena
    from arena.feature import Serving
    from arena.records.verification import Finding
    from arena.store.audit import Audit
    from web.feature import WebPart

VERIFIER = "the verifier"
"""The operator of the verifier, a process of the arena that verifies islands' claims."""


def _settings() -> type[Any]:
    from arena.features.volunteers.settings import VolunteerSettings

    return VolunteerSettings


def _tables() -> Sequence[Any]:
    from arena.features.volunteers.tables import TABLES

    return TABLES


def _start(arena: "Arena") -> Part:
    from arena.features.volunteers.exchange import Exchange

    return Exchange(arena)


async def _beside(arena: "Arena", serving: "Serving") -> None:
    from arena.features.volunteers.process import keep_verifier

    await keep_verifier(arena, serving.url, VERIFIER)


def _verify(audit: "Audit", checked: "Counter[str]") -> "Iterable[Finding]":
    from arena.features.volunteers.records import check_islands

    return check_islands(audit)


def _web() -> "WebPart":
    from arena.features.volunteers.pages import EDGE

    return EDGE


FEATURE: "Feature[WebPart]" = Feature(
    name="volunteers",
    needs=("genomes",),
    settings=_settings,
    tables=_tables,
    start=_start,
    beside=_beside,
    operators=(VERIFIER,),
    verify=_verify,
    commands="arena.features.volunteers.commands",
    web=_web,
)
