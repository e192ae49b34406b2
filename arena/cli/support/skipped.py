# SPDX-License-Identifier: GPL-3.0-or-later
"""Say which games of a file were left out."""

from pathlib import Path

from arena.cli.support.output import say_error
from bots.modelling.replay import Skips


def warn(path: Path, skips: Skips) -> None:
    """Say which games were left out, and why."""
    if skips:
        say_error(f"{path}: skipped {skips.told()}")
