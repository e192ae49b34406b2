# SPDX-License-Identifier: GPL-3.0-or-later
"""Read the games of a file in the format that its name ends in."""

from collections.abc import Iterator
from pathlib import Path

from engine import formats
from engine.formats.format import Unreadable
from engine.record import Record


def read(path: Path, left_out: list[Unreadable]) -> Iterator[Record]:
    """Read the games of a file in the format that its name ends in; those that cannot be read are noted.

    Raises ValueError when its name ends in no format's, and OSError when the file cannot be read.
    """
    found = next((each for name, each in formats.catalogue().items() if f".{name}" == path.suffix.lower()), None)
    if found is None:
        raise ValueError(f"{path} is no file of games, which end in .{', .'.join(formats.catalogue())}")
    with path.open(encoding="utf-8", errors="replace") as file:
        yield from found.read(file, left_out.append)
