# SPDX-License-Identifier: GPL-3.0-or-later
"""Genomes of bots' versions, and genome views: what pages show of an evolved search.

A view has the program of a genome as a formula and a tree, its numbers, and traces of its search. Built-in bots report
views of their own versions; ``arena genome`` stores those of other bots.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from arena.feature import Feature, Part

if TYPE_CHECKING:
    from arena.application import Arena
    from web.feature import WebPart


def _tables() -> Sequence[Any]:
    from arena.features.genomes.records import TABLES

    return TABLES


def _start(arena: "Arena") -> Part:
    from arena.features.genomes.reading import Genomes

    return Genomes()


def _web() -> "WebPart":
    from arena.features.genomes.api import EDGE

    return EDGE


FEATURE: "Feature[WebPart]" = Feature(
    name="genomes",
    tables=_tables,
    start=_start,
    commands="arena.features.genomes.commands",
    web=_web,
)
