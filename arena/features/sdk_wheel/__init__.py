# SPDX-License-Identifier: GPL-3.0-or-later
"""The SDK as a package: its wheel at ``/sdk``, and how to install it on the page about connecting a bot."""

from typing import TYPE_CHECKING

from arena.feature import Feature, Part

if TYPE_CHECKING:
    from arena.application import Arena
    from web.feature import WebPart


def _start(_: "Arena") -> Part:
    from arena.features.sdk_wheel.part import SdkPart

    return SdkPart()


def _web() -> "WebPart":
    from arena.features.sdk_wheel.pages import EDGE

    return EDGE


FEATURE: "Feature[WebPart]" = Feature(name="sdk_wheel", start=_start, web=_web)
