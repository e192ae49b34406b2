# SPDX-License-Identifier: MIT
"""The base class of bots: a bot implements ``move``, and further methods if needed.

Each method may be plain or ``async``. Plain methods run one after another in a thread of the bot, so they may use all
of the clock and need no locks. Only ``challenged`` and ``stop`` are called from other threads, because they cannot wait
for a search to end.
"""

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field
from math import isnan
from typing import TypeAlias, TypeVar

from arena.protocol.messages import (
    CANDIDATES,
    KEPT_VARIATION,
    Candidate,
    Challenged,
    Expected,
    Info,
    Match,
    Over,
    Player,
    Turn,
)

__all__ = [
    "DECIDED",
    "Answer",
    "Bot",
    "Candidate",
    "Challenged",
    "Expected",
    "Match",
    "Over",
    "Player",
    "Reply",
    "Resign",
    "Turn",
]


Number = TypeVar("Number", int, float)

DECIDED = 1000.0
"""The score of a forced win, in pawn units; its negative is the score of a forced loss."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A move, and the bot's search info, which pages show beside the board."""

    move: str
    score: float | None = None
    """In pawn units, from the bot's side; DECIDED for a forced win, its negative for a forced loss."""
    depth: int | None = None
    """In plies."""
    nodes: int | None = None
    pv: Sequence[str] = field(default_factory=tuple)
    """The principal variation, the move itself first."""
    offer_draw: bool = False
    """Offer a draw with this move."""
    expected: Sequence[Expected] = field(default_factory=tuple)
    """The expected answers of the opponent, the most probable first; pages show whether one is played."""
    instructions: int | None = None
    """Instructions that the move used, in a match by instructions; only the runner of WebAssembly bots knows them."""
    candidates: Sequence[Candidate] = field(default_factory=tuple)
    """The best moves of a tree search with their visits and win probabilities, the best first; pages show them."""

    @property
    def info(self) -> Info | None:
        """The search info within the limits of the protocol; None if there is none."""
        lists = (self.pv, self.expected, self.candidates)
        if self.score is None and self.depth is None and self.nodes is None and not any(lists):
            return None
        return Info(
            score=None if self.score is None or isnan(self.score) else _within(-1e12, float(self.score), 1e12),
            depth=None if self.depth is None else _within(0, int(self.depth), 10_000),
            nodes=None if self.nodes is None else _within(0, int(self.nodes), 2**53),
            pv=list(self.pv)[:KEPT_VARIATION],
            expected=list(self.expected)[:16],
            candidates=list(self.candidates)[:CANDIDATES],
        )


@dataclass(frozen=True, slots=True)
class Resign:
    """An answer that resigns the match."""


Answer: TypeAlias = str | Reply | Resign
"""What ``move`` returns: a move's text is enough."""


class Bot:
    """A player. Derive from it, set ``games`` and write ``move``.

    One object plays all matches of its connection unless the SDK is given a class or another factory: then each match
    gets an object of its own, and the objects think side by side.
    """

    name: str = ""
    """Name in logs and local matches; in an arena the bot has the name that its token is registered for."""
    version: str = "1"
    """Ratings belong to it: raise it when the bot plays differently."""
    description: str = ""
    """One line for people, at most 200 characters, which the arena shows on the bot's page."""
    games: Sequence[str] | None = None
    """The names of the games it plays; None: every game that the arena has."""
    capacity: int = 1
    """Matches played at once."""
    open_info: bool = False
    """Whether spectators, and so the opponent, may see the search info of its moves at once. They do if the opponent
    allows it too, except in anonymous tournaments. Otherwise they see it a move late, or after the match."""
    arena: str = ""
    """The address of the arena, which the SDK fills in; empty in local matches."""
    token: str = ""
    """The bot's token for the arena, which the SDK fills in; a secret."""

    def move(self, turn: Turn) -> Answer | Awaitable[Answer]:
        """Return a move for ``turn``, one of ``turn.legal_moves``. The clock runs."""
        raise NotImplementedError

    def prepare(self, games: Sequence[str]) -> Awaitable[None] | None:
        """Get ready to play these games: load, compile. Called before the bot enters an arena, so no clock runs."""

    def match_started(self, match: Match) -> Awaitable[None] | None:
        """A match starts, or goes on after the connection was lost; ``match`` says all that has happened so far."""

    def match_over(self, over: Over) -> Awaitable[None] | None:
        """A match has ended."""

    def draw_offered(self, match: int) -> bool | Awaitable[bool]:
        """Return whether to accept the opponent's offer of a draw in this match."""
        return False

    def challenged(self, challenge: Challenged) -> bool | Awaitable[bool]:
        """Return whether to accept a challenge of another bot. Called from another thread, also while ``move``
        thinks.
        """
        return True

    def stop(self, match: int) -> None:
        """Stop the search for this match: its move is not needed any more. Called from another thread; must return at
        once.
        """

    def close(self) -> Awaitable[None] | None:
        """Release files and processes: the bot's match is over, or the bot leaves with unfinished matches."""


def _within(least: Number, number: Number, most: Number) -> Number:
    return max(least, min(number, most))
