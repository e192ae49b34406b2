# SPDX-License-Identifier: GPL-3.0-or-later
"""The documentation at ``/docs``: the site that ``make docs`` builds from the checkout, or that the wheel contains."""

from typing import TYPE_CHECKING

from arena.feature import Feature, Part

if TYPE_CHECKING:
    from arena.application import Arena
    from web.feature import WebPart


def _start(_: "Arena") -> Part:
    from arena.features.docs_site.part import DocsPart

    return DocsPart()


def _web() -> "WebPart":
    from arena.features.docs_site.pages import EDGE

    return EDGE


FEATURE: "Feature[WebPart]" = Feature(name="docs_site", start=_start, web=_web)
