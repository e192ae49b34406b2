# SPDX-License-Identifier: GPL-3.0-or-later
"""Traces: what requests, moves, takeovers and rounds cost at which server, sent to an OpenTelemetry collector."""

from typing import TYPE_CHECKING, Any

from arena.feature import Feature, Part

if TYPE_CHECKING:
    from arena.application import Arena
    from web.feature import WebPart


def _settings() -> type[Any]:
    from arena.features.traces.settings import TraceSettings

    return TraceSettings


def _start(arena: "Arena") -> Part:
    from arena.features.traces.settings import TraceSettings

    settings = arena.settings.of(TraceSettings)
    if not settings.traces:
        return Part()
    try:
        from arena.features.traces.part import TracesPart
    except ModuleNotFoundError as error:
        raise ValueError(f"traces: the package {error.name} is not installed; install bot-arena[traces]") from None
    return TracesPart(arena, settings)


def _web() -> "WebPart":
    from arena.features.traces.requests import EDGE

    return EDGE


FEATURE: "Feature[WebPart]" = Feature(name="traces", settings=_settings, start=_start, web=_web)
