# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of the SDK's distribution, which hatchling packs.

They are in packages that the arena's distribution extends.

The two distributions have no file in common. The one of the arena excludes the same files, in ``pyproject.toml``.
"""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parents[2]

FILES = (
    "arena/__init__.py",
    "arena/protocol",
    "arena/py.typed",
    "bots/__init__.py",
    "bots/bot.py",
    "bots/client",
    "bots/failure.py",
    "bots/py.typed",
    "bots/testing",
    "bots/thinking.py",
)
"""Files, and packages with all that is in them."""


class SdkFiles(BuildHookInterface[Any]):
    """Adds the files to the wheel, at the places that they have in the checkout."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add them, unless the installation is an editable one."""
        if version != "editable":
            build_data["force_include"].update({str(ROOT / each): each for each in FILES})
