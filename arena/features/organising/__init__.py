# SPDX-License-Identifier: GPL-3.0-or-later
"""The form with which organisers create tournaments in the browser."""

from typing import TYPE_CHECKING

from arena.feature import Feature

if TYPE_CHECKING:
    from web.feature import WebPart


def _web() -> "WebPart":
    from arena.features.organising.pages import EDGE

    return EDGE


FEATURE: "Feature[WebPart]" = Feature(name="organising", needs=("accounts",), web=_web)
