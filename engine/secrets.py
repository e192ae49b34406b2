# SPDX-License-Identifier: GPL-3.0-or-later
"""Hidden information of a game: what a seat or the public sees of states and moves before a match is over."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from engine.drawing import Aside

HIDDEN: Final = "?"
"""Text of a hidden move: the viewer learns only that a move was made."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What a viewer sees of a state."""

    position: str
    """The state as text: what a bot receives as its position."""
    diagram: str
    """The drawing, for ``Game.board``."""
    aside: Aside | None = None
    """What the viewer sees besides the diagram."""


@dataclass(frozen=True, slots=True)
class Secrets:
    """Functions that say what a viewer sees. A viewer is seat 0, seat 1, or None: the public.

    Two states that a viewer cannot tell apart give that viewer equal results.
    """

    observe: Callable[[Any, int | None], Observation]
    """Return what a viewer sees of a state."""
    disclose: Callable[[Any, int, int | None], str]
    """Write a legal move of a state as a viewer sees it; ``HIDDEN`` if the viewer learns only that a move was made. The
    mover sees the text of ``Game.format_move``."""
    squares: Callable[[Any, int, int | None], tuple[int, ...]]
    """Return the squares of the diagram that a move touches, as far as a viewer may see them."""
    determinise: Callable[[str, int, Random], Any] | None = None
    """Return a random state that fits the text of a seat's observation: a sample of the states that the seat considers
    possible. Raises ValueError if the text is no observation. None: the game offers no such samples."""
