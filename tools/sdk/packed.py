# SPDX-License-Identifier: GPL-3.0-or-later
"""Packs what the arena's wheel hands out: the SDK's wheel, and the documentation if ``make docs`` built it before."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.builders.wheel import WheelBuilder

PLACE = "arena/features/sdk_wheel"
"""The folder of the feature that hands it out; its ``wheel.py`` looks there for the folder ``packed``."""

DOCUMENTATION = "arena/features/docs_site"
"""The folder of the feature that shows the documentation; its ``site.py`` looks there for the folder ``packed``."""


class PackedSdk(BuildHookInterface[Any]):
    """Builds the SDK's wheel, the same byte for byte as ``make wheel``, and adds it to the arena's."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add both, unless the installation is an editable one, or the arena has no such feature."""
        if version == "editable":
            return
        site = Path(self.root, "build", "docs")
        if site.is_dir() and Path(self.root, DOCUMENTATION).is_dir():
            build_data["force_include"][str(site)] = f"{DOCUMENTATION}/packed"
        if not Path(self.root, PLACE).is_dir():
            return
        self._folder = TemporaryDirectory()
        builder = WheelBuilder(str(Path(self.root, "tools", "sdk")))
        (wheel,) = builder.build(directory=self._folder.name, versions=["standard"])
        build_data["force_include"][wheel] = f"{PLACE}/packed/{Path(wheel).name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Delete the SDK's wheel, which is packed now."""
        if hasattr(self, "_folder"):
            self._folder.cleanup()
