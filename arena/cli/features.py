# SPDX-License-Identifier: GPL-3.0-or-later
"""The features of this arena: a line of ``NAMES`` for each package of ``arena.features``."""

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from arena.feature import Feature

if TYPE_CHECKING:
    from web.feature import WebPart

NAMES: tuple[str, ...] = (
    "traces",
    "genomes",
    "opponent_models",
    "populations",
    "volunteers",
    "accounts",
    "people",
    "organising",
    "uploads",
    "runners",
    "health",
    "pictures",
    "explorer",
    "feeds",
    "cluster",
    "sdk_wheel",
    "docs_site",
)  # fmt: skip

FEATURES: "Sequence[Feature[WebPart]]" = tuple(import_module(f"arena.features.{name}").FEATURE for name in NAMES)
