# SPDX-License-Identifier: GPL-3.0-or-later
"""Populations: evolution of evaluation weights, whose champions play on the ladder.

A breeder evolves a population and reports its generations: the server's own, a process of the lowest priority, or
``arena evolve --arena`` elsewhere. The arena checks and stores the reports, and shows them.
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

BREEDER = "the breeder"
"""The operator as which the server's own breeder reports."""
CHAMPION = "evolved"
"""The bot whose versions are the champions of the server's own population."""
OWNER = "population "
"""How the owner of a bot is called that a population plays as; operators alone give bots their owners."""


def _settings() -> type[Any]:
    from arena.features.populations.breeding import PopulationSettings

    return PopulationSettings


def _tables() -> Sequence[Any]:
    from arena.features.populations.records import TABLES

    return TABLES


def _start(arena: "Arena") -> Part:
    from arena.features.populations.breeding import Breeding

    return Breeding()


async def _beside(arena: "Arena", serving: "Serving") -> None:
    from arena.features.populations.breeding import keep_breeder

    await keep_breeder(arena, serving)


def _verify(audit: "Audit", checked: "Counter[str]") -> "Iterable[Finding]":
    from arena.features.populations.records import check_populations

    return check_populations(audit, checked)


def _web() -> "WebPart":
    from arena.features.populations.api import EDGE

    return EDGE


FEATURE: "Feature[WebPart]" = Feature(
    name="populations",
    needs=("genomes",),
    settings=_settings,
    tables=_tables,
    start=_start,
    beside=_beside,
    bots=(CHAMPION, f"{CHAMPION}-next"),
    owners=(OWNER,),
    operators=(BREEDER,),
    verify=_verify,
    web=_web,
)
