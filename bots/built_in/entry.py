# SPDX-License-Identifier: GPL-3.0-or-later
"""A built-in bot: its name, its description, what makes its players, and when it enters an arena."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from hashlib import sha256
from typing import ClassVar, Literal, TypeAlias

from bots.bot import Bot

Process: TypeAlias = Literal["built-in", "adaptive"]
"""The processes that play built-in bots; the second has a lower priority."""


class Enters(IntEnum):
    """When a built-in bot enters an arena, in this order."""

    AT_ONCE = 0
    """Before anything is compiled."""
    BY_GAME = 1
    """With its first compiled game, and again with each further game."""
    WITH_ALL_GAMES = 2
    """Once all its games are compiled."""
    LAST = 3
    """Likewise, after the bots that tournaments and viewers wait for."""


@dataclass(frozen=True, slots=True)
class BuiltInBot:
    """A built-in bot. Each kind of bot derives a class from it, whose further fields are the bot's settings."""

    name: str
    description: str

    enters: ClassVar[Enters] = Enters.BY_GAME
    process: ClassVar[Process] = "built-in"

    def make(self) -> Bot:
        """Return a new player."""
        raise NotImplementedError

    def games(self) -> Sequence[str] | None:
        """Return the games that it plays; None: all games."""
        return None

    def introduce(self, url: str, token: str) -> None:
        """Publish what the arena's pages show of the bot besides its matches. Called once it has entered; may block."""


def seed(match: int, name: str, ply: int) -> int:
    """Return the seed of a built-in bot's choices at a ply of a match, so that a match can be replayed."""
    return int.from_bytes(sha256(f"{match} {name} {ply}".encode()).digest()[:8])
