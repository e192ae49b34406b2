# SPDX-License-Identifier: GPL-3.0-or-later
"""The player's interface for the UCI dialogue: positions in, moves and reports out."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from bots.bridges.uci.commands import Go, Place
from bots.built_in.pacing import Pace


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a search so far, for the side to move; None: unknown."""

    depth: int | None = None
    centipawns: int | None = None
    mate: int | None = None
    """Moves to the mate that was found, negative when the side to move is mated; takes the place of centipawns."""
    nodes: int | None = None
    full: float | None = None
    """How much of the table is in use, from 0 to 1."""
    seconds: float | None = None
    line: tuple[str, ...] = ()
    """The principal variation."""
    rank: int | None = None
    """Which of several lines it is, from 1 on; None where one is asked for."""


Tell: TypeAlias = Callable[[Report], None]


class Halt:
    """Ends a search from another thread; may be set before the search begins."""

    def __init__(self) -> None:
        self._set = False
        self._action: Callable[[], None] | None = None
        self._lock = threading.Lock()

    def set(self) -> None:
        """End the search."""
        with self._lock:
            self._set = True
            self._act()

    def calls(self, action: Callable[[], None]) -> None:
        """Set the function that stops the search; called once."""
        with self._lock:
            self._action = action
            self._act()

    def _act(self) -> None:
        if self._set and self._action is not None:
            self._action()
            self._action = None


class Thinker(Protocol):
    """A player behind the dialogue. All but ``pace`` are called from one thread."""

    def prepare(self) -> None:
        """Load and compile the bot's code."""

    def new_game(self) -> None:
        """Reset the state of the game: the next position is of another game."""

    def resize(self, megabytes: int) -> None:
        """Use so much memory for a table, where there is one."""

    def show(self, lines: int) -> None:
        """Report so many lines of each depth from now on, the best first, where that is possible."""

    def place(self, place: Place) -> str | None:
        """Set a position up; returns the problem, for people, if it is invalid. The position is then the last valid
        one.
        """

    def pace(self, go: Go) -> Pace | None:
        """Return the seconds that the clocks of ``go`` and the player's own ways allow; None: no such bound."""

    def think(self, go: Go, time_left: Pace | None, halt: Halt, tell: Tell) -> tuple[str, ...]:
        """Search until the limits of ``go``, the end of the time, or ``halt``; returns the move and the answer that is
        expected to it, where known. No move: the game is over.
        """

    def end(self) -> None:
        """Release resources."""
