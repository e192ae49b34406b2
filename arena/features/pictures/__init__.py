# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of positions and games, the board for other sites' pages, and link previews."""

from typing import TYPE_CHECKING

from arena.feature import Feature, Part

if TYPE_CHECKING:
    from arena.application import Arena
    from web.feature import WebPart


def _start(arena: "Arena") -> Part:
    from arena.features.pictures.part import PicturesPart

    return PicturesPart()


def _web() -> "WebPart":
    from arena.features.pictures.api import EDGE

    return EDGE


FEATURE: "Feature[WebPart]" = Feature(
    name="pictures",
    start=_start,
    commands="arena.features.pictures.commands",
    web=_web,
)
