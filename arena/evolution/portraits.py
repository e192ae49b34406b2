# SPDX-License-Identifier: GPL-3.0-or-later
"""Opponent models that a bot reports about another bot, for pages. The arena does not compute models.

It also counts how often the bots' expected answers, sent with their moves, came true: the prediction is the most
probable answer.
"""

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta, Struct

from engine.match import Moved

Text = Annotated[str, Meta(max_length=200)]
Count = Annotated[int, Meta(ge=0, le=2**53)]
Share = Annotated[float, Meta(ge=0, le=1)]
SeatNumber = Annotated[int, Meta(ge=0, le=1)]

STEPS = 10
"""Bins of probability, for counting predictions."""


class Pattern(Struct, frozen=True, forbid_unknown_fields=True):
    """Men that a player likes to put up together."""

    seat: SeatNumber
    diagram: Annotated[str, Meta(max_length=1_000)]
    """A letter for each square, as the game's diagrams have it."""
    games: Count
    """In which it was seen, of those on this seat."""
    of: Count
    move: Annotated[float, Meta(ge=0, le=100_000)]
    """At which it stood first, in the mean, counted by the player's own."""
    score: Share
    """The player's score in these games."""


class Line(Struct, frozen=True, forbid_unknown_fields=True):
    """A sequence of first moves that was played more than once."""

    seat: SeatNumber
    moves: Annotated[list[Text], Meta(min_length=1, max_length=60)]
    games: Count
    score: Share


class Portrait(Struct, frozen=True, forbid_unknown_fields=True):
    """The opponent model of a player in a game."""

    player: Annotated[str, Meta(min_length=1, max_length=100)]
    game: Annotated[str, Meta(min_length=1, max_length=64)]
    games: Count
    """That it was learned from."""
    patterns: Annotated[list[Pattern], Meta(max_length=40)] = []
    """The most frequent first."""
    lines: Annotated[list[Line], Meta(max_length=200)] = []
    """A tree, written down from its root: a line follows those that it goes on from."""


class Step(Struct, frozen=True):
    """Predictions with a probability from ``low`` to below ``high``, and the number that came true."""

    low: float
    high: float
    predicted: int
    hit: int
    belief: float
    """The mean."""


def met(moves: Iterable[Moved], seat: int) -> list[tuple[float, bool]]:
    """Return each prediction of a seat's moves: its probability, and whether the move was played."""
    found = []
    before: Moved | None = None
    for moved in moves:
        if moved.seat == seat and before is not None and before.seat == 1 - seat and before.info is not None:
            best = max(before.info.expected, key=lambda one: one.belief, default=None)
            if best is not None:
                found.append((best.belief, best.move == moved.move))
        before = moved
    return found


def counted(predictions: Iterable[tuple[float, bool]]) -> list[Step]:
    """Count predictions by probability; skips steps without one."""
    cells: dict[int, list[tuple[float, bool]]] = {}
    for belief, hit in predictions:
        cells.setdefault(min(int(belief * STEPS), STEPS - 1), []).append((belief, hit))
    return [
        Step(
            cell / STEPS,
            (cell + 1) / STEPS,
            len(ones),
            sum(hit for _, hit in ones),
            sum(belief for belief, _ in ones) / len(ones),
        )
        for cell, ones in sorted(cells.items())
    ]
