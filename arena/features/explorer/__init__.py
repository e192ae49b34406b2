# SPDX-License-Identifier: GPL-3.0-or-later
"""The search explorer: the trees that searches walk, node counts of the algorithms, and analysis on demand.

A child process searches, so that searches of visitors cannot hold the server.
"""

from typing import TYPE_CHECKING, Any

from arena.feature import Feature, Part

if TYPE_CHECKING:
    from arena.application import Arena
    from web.feature import WebPart


def _settings() -> type[Any]:
    from arena.features.explorer.settings import ExplorerSettings

    return ExplorerSettings


def _start(arena: "Arena") -> Part:
    from arena.features.explorer.part import ExplorerPart

    return ExplorerPart(arena)


def _web() -> "WebPart":
    from arena.features.explorer.api import EDGE

    return EDGE


FEATURE: "Feature[WebPart]" = Feature(
    name="explorer",
    needs=("accounts", "people"),
    settings=_settings,
    start=_start,
    commands="arena.features.explorer.commands",
    web=_web,
)
