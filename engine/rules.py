# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules of a match that a game declares and that do not follow from a single state: draws by history, and random
openings.
"""

from dataclasses import dataclass
from typing import Final, Literal

FORBIDDEN: Final = "forbidden"
"""Repetition is forbidden (superko)."""


@dataclass(frozen=True, slots=True)
class Draws:
    """Rules on history, which ``engine.match`` applies. None: no such rule."""

    repetition: int | Literal["forbidden"] | None = None
    """Repetition: a draw at this occurrence of a position with the same seat to move.

    FORBIDDEN (superko): a move is illegal if it leads to the ``repetition_key`` of an earlier position; the side to
    move does not matter. A move that does not change the key, such as a pass, is always legal. If no move is legal, the
    game is drawn.
    """
    no_progress_plies: int | None = None
    """No-progress rule (fifty-move rule): a draw after this many plies in a row without an irreversible move."""
    plies: int | None = None
    """Ply limit: a draw after this many plies."""


@dataclass(frozen=True, slots=True)
class OpeningRule:
    """Random openings of rated matches, by seed: ``plies`` random legal plies to a balanced position.

    Balanced: not over, and the value of a search of ``depth`` plies with the game's first evaluation is within
    ``margin`` of zero (None: any value).
    """

    plies: int
    depth: int = 4
    margin: int | None = None
