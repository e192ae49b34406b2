# SPDX-License-Identifier: GPL-3.0-or-later
"""The built-in bots: a module for each kind, found by discovery. A module names its bots in ``BOTS``.

A module lists its bots from the weakest to the strongest. A new bot of a known kind is an entry there; a new kind is a
new module with a class derived from ``BuiltInBot``.
"""

import importlib
import pkgutil
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from hashlib import sha256
from typing import ClassVar, Literal, TypeAlias

from bots.bot import Bot
from engine.game import Game, State

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
    usual: ClassVar[bool] = True
    """Whether an arena runs it without being asked to. Others are compiled only where they play."""

    def make(self) -> Bot:
        """Return a new player."""
        raise NotImplementedError

    def plays(self, game: str) -> bool:
        """Return whether it plays the game of a name."""
        return True

    def tells(self, game: str) -> bool:
        """Return whether it tells the probabilities of its moves in a game."""
        return False

    def probabilities(self, game: Game, state: State) -> Mapping[str, float]:
        """Return the probability with which it makes each legal move, by text, for the seat to move in a state.

        They must be those of its choices, which are independent of dice and cards. Called only for games that it
        ``tells``.
        """
        raise NotImplementedError

    def introduce(self, url: str, token: str) -> None:
        """Publish what the arena's pages show of the bot besides its matches. Called once it has entered; may block."""


def seed(match: int, name: str, ply: int) -> int:
    """Return the seed of a built-in bot's choices at a ply of a match, so that a match can be replayed."""
    return int.from_bytes(sha256(f"{match} {name} {ply}".encode()).digest()[:8])


def load(kind: str) -> tuple[BuiltInBot, ...]:
    """Import a kind; return its bots."""
    bots: tuple[BuiltInBot, ...] = importlib.import_module(f"{__name__}.{kind}").BOTS
    return bots


@cache
def by_kind() -> dict[str, tuple[BuiltInBot, ...]]:
    """Import all kinds; return their bots, in the order in which they enter an arena."""
    found = {each.name: load(each.name) for each in pkgutil.iter_modules(__path__)}
    return dict(sorted(found.items(), key=lambda item: (item[1][0].process != "built-in", item[1][0].enters, item[0])))


def catalogue() -> dict[str, BuiltInBot]:
    """Return every built-in bot by name."""
    return {bot.name: bot for bots in by_kind().values() for bot in bots}


def of_process(process: Process, further: Collection[str] = ()) -> list[tuple[str, BuiltInBot]]:
    """Return the bots that a process plays, each with its kind: the usual ones, and ``further`` ones by name."""
    return [
        (kind, bot)
        for kind, bots in by_kind().items()
        for bot in bots
        if bot.process == process and (bot.usual or bot.name in further)
    ]
