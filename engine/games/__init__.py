# SPDX-License-Identifier: GPL-3.0-or-later
"""The games, found by discovery: each module or package lists its games in ``GAMES``.

A module can also create variants on demand: ``variant(suffix)`` returns the game "family/suffix", or None. In the name
of its module, a family has "_" for "-".
"""

import importlib
import pkgutil
from functools import cache

from engine.game import Game


@cache
def catalogue() -> dict[str, Game]:
    """Return all listed games by name, in alphabetical order."""
    games = [
        game
        for info in pkgutil.iter_modules(__path__)
        for game in importlib.import_module(f"{__name__}.{info.name}").GAMES
    ]
    return {game.name: game for game in sorted(games, key=lambda game: game.name)}


@cache
def find(name: str) -> Game:
    """Return a game by name. Raises KeyError, with a message that lists the names, for an unknown name."""
    games = catalogue()
    if name in games:
        return games[name]
    family, _, suffix = name.partition("/")
    module = family.replace("-", "_")
    if suffix and "_" not in family and module in {info.name for info in pkgutil.iter_modules(__path__)}:
        variant = getattr(importlib.import_module(f"{__name__}.{module}"), "variant", None)
        game: Game | None = variant(suffix) if variant else None
        if game:
            return game
    raise KeyError(f"no game is called {name[:40]!r}; there are {', '.join(games)}")


def counts_points(name: str) -> bool:
    """Return ``Game.counts_points`` of a game; False for one that is not here."""
    try:
        return find(name).counts_points
    except KeyError:
        return False


def needs_own_play(name: str) -> bool:
    """Return whether a round robin has games of each player against itself by default: in games that are not zero-sum,
    because population dynamics need the payoff against oneself there. False for a game that is not here.
    """
    try:
        return not find(name).zero_sum
    except KeyError:
        return False


def has_secrets(name: str) -> bool:
    """Return whether a game has hidden information; False for one that is not here."""
    try:
        return find(name).secrets is not None
    except KeyError:
        return False


def stakes_of(name: str) -> float:
    """Return the bound of the absolute payoff in a game; 1 for an unknown game."""
    try:
        return find(name).stakes
    except KeyError:
        return 1.0
