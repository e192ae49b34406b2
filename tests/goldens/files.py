# SPDX-License-Identifier: GPL-3.0-or-later
"""Golden files: what a search finds of each position of a game, a line each, and how that differs from now.

The first line says how the search is set. A line holds value, nodes and move, separated by commas; those of a second
search follow after a space.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.goldens.positions import FOLDER, read
from tests.goldens.searches import Found, Golden

MARK = "# "


def path_of(golden: Golden) -> Path:
    """Return the file of a search."""
    return FOLDER / golden.game / f"{golden.name}.csv"


def write(golden: Golden) -> None:
    """Search all positions and write the file."""
    lines = [MARK + golden.settings, *(line_of(golden.search(place)) for place in read(golden.game))]
    path_of(golden).write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def line_of(found: Sequence[Found]) -> str:
    """Return the line of a position."""
    return " ".join(f"{one.value},{one.nodes},{one.move}" for one in found)


def differences(golden: Golden, start: int = 0, stop: int | None = None) -> Iterator[str]:
    """Search the positions of a slice; yield a text for each that the file has otherwise.

    Raises ValueError if the file is of another search, or of other positions.
    """
    path, places = path_of(golden), read(golden.game)
    settings, *lines = path.read_text(encoding="utf-8").splitlines()
    if settings != MARK + golden.settings:
        raise ValueError(f"{path} holds {settings.removeprefix(MARK)!r}, not {golden.settings!r}")
    if len(lines) != len(places):
        raise ValueError(f"{path} has {len(lines)} positions, not {len(places)}")
    for number in range(len(places))[start:stop]:
        place, expected = places[number], lines[number]
        got = line_of(golden.search(place))
        if got != expected:
            after = f" after {' '.join(place.moves)}" if place.moves else ""
            yield (
                f"{golden.game}, position {number + 1} ({place.kind}): {place.base}{after}\n"
                f"{golden.settings}\n"
                f"expected value,nodes,move {expected}\n"
                f"got      value,nodes,move {got}\n"
            )
