# SPDX-License-Identifier: GPL-3.0-or-later
"""Suites of openings: initial positions from EPD files, or first moves from game files."""

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from engine.formats import Format, Unreadable, epd, refuse


class Opening(Struct, frozen=True, omit_defaults=True):
    """The opening of a match: a start position, and moves."""

    start: str | None = None
    """The start position; None: the game's own."""
    moves: tuple[str, ...] = ()
    """Moves from the start position."""


def from_positions(lines: Iterable[str], unreadable: Callable[[Unreadable], None] = refuse) -> Iterator[Opening]:
    """Read the positions of an EPD file."""
    for problem in epd.read(lines, unreadable):
        yield Opening(problem.position)


def from_records(
    written: Format, lines: Iterable[str], plies: int, unreadable: Callable[[Unreadable], None] = refuse
) -> Iterator[Opening]:
    """Read the first ``plies`` moves of each game of a file; shorter games and repeated openings are skipped.

    Raises ValueError if ``plies`` is negative.
    """
    if plies < 0:
        raise ValueError(f"the number of plies must not be negative (got {plies})")
    seen: set[Opening] = set()
    for record in written.read(lines, unreadable):
        moves = (*record.opening, *(played.move for played in record.moves))
        opening = Opening(record.start, moves[:plies])
        if len(moves) >= plies and opening not in seen:
            seen.add(opening)
            yield opening
