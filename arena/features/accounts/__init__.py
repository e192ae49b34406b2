# SPDX-License-Identifier: GPL-3.0-or-later
"""Accounts: people sign in, own bots, and have roles, sessions and tokens.

``arena.features.accounts.access`` tells which account sent a request; other features use it.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from arena.feature import Feature, Part

if TYPE_CHECKING:
    from arena.application import Arena
    from arena.feature import Serving
    from web.feature import WebPart


def _settings() -> type[Any]:
    from arena.features.accounts.settings import AccountSettings

    return AccountSettings


def _tables() -> Sequence[Any]:
    from arena.features.accounts.tables import TABLES

    return TABLES


def _start(arena: "Arena") -> Part:
    from arena.features.accounts.part import AccountsPart

    return AccountsPart(arena)


async def _beside(arena: "Arena", serving: "Serving") -> None:
    from arena.features.accounts.first import tell_first_code

    await tell_first_code(arena, serving.url)


def _web() -> "WebPart":
    from arena.features.accounts.pages import EDGE

    return EDGE


FEATURE: "Feature[WebPart]" = Feature(
    name="accounts",
    settings=_settings,
    tables=_tables,
    start=_start,
    beside=_beside,
    commands="arena.features.accounts.commands",
    web=_web,
)
