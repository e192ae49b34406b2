# SPDX-License-Identifier: GPL-3.0-or-later
"""Packs the SDK's wheel into the arena's, so that an installed arena hands it out."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.builders.wheel import WheelBuilder

PLACE = "arena/features/sdk_wheel"
"""The folder of the feature that hands it out; its ``wheel.py`` looks there for the folder ``packed``."""


class PackedSdk(BuildHookInterface[Any]):
    """Builds the SDK's wheel, the same byte for byte as ``make wheel``, and adds it to the arena's."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add it, unless the installation is an editable one, or the arena has no such feature."""
        if version == "editable" or not Path(self.root, PLACE).is_dir():
            return
        self._folder = TemporaryDirectory()
        builder = WheelBuilder(str(Path(self.root, "tools", "sdk")))
        (wheel,) = builder.build(directory=self._folder.name, versions=["standard"])
        build_data["force_include"][wheel] = f"{PLACE}/packed/{Path(wheel).name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Delete the SDK's wheel, which is packed now."""
        if hasattr(self, "_folder"):
            self._folder.cleanup()
