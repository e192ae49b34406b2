# SPDX-License-Identifier: GPL-3.0-or-later
"""Suites of openings: initial positions, or first moves, for matches to begin with, from the formats there are."""

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from engine.formats import epd
from engine.formats.format import Format, Unreadable, refuse


class Opening(Struct, frozen=True, omit_defaults=True):
    """How a match begins: where, None being the game's own start, and with which moves."""

    start: str | None = None
    moves: tuple[str, ...] = ()


def from_positions(lines: Iterable[str], unreadable: Callable[[Unreadable], None] = refuse) -> Iterator[Opening]:
    """Read the positions of an EPD file."""
    for problem in epd.read(lines, unreadable):
        yield Opening(problem.position)


def from_records(
    written: Format, lines: Iterable[str], plies: int, unreadable: Callable[[Unreadable], None] = refuse
) -> Iterator[Opening]:
    """Read the first ``plies`` moves of each game of a file, without games that are shorter and openings seen before.

    Raises ValueError when ``plies`` is negative.
    """
    if plies < 0:
        raise ValueError(f"an opening cannot have {plies} plies")
    seen: set[Opening] = set()
    for record in written.read(lines, unreadable):
        moves = (*record.opening, *(played.move for played in record.moves))
        opening = Opening(record.start, moves[:plies])
        if len(moves) >= plies and opening not in seen:
            seen.add(opening)
            yield opening
