# SPDX-License-Identifier: GPL-3.0-or-later
"""Kinds of genomes by name. Each module declares a family of them in ``FAMILY`` and is found by discovery."""

import importlib
import pkgutil

from bots.evolution.family import Family

_MODULES = (importlib.import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__))
FAMILIES: tuple[Family, ...] = tuple(module.FAMILY for module in _MODULES)
"""All families, in alphabetical order of their modules."""


def _families(game: str) -> list[Family]:
    """Return the families that may have kinds of a game: all of them, where it is one of the arena."""
    return [family for family in FAMILIES if family.game == game] or list(FAMILIES)


def names_of(game: str) -> list[str]:
    """Return the names of all kinds of a game. Raises KeyError for an unknown game."""
    return [name for family in _families(game) for name in family.names(game)]


def family_of(name: str) -> Family:
    """Return the family of a kind. Raises KeyError, with a message that lists the game's kinds, for an unknown one."""
    game = name.partition("/")[0]
    for family in _families(game):
        if name in family.names(game):
            return family
    raise KeyError(f"no kind of genomes is called {name[:60]!r}; {game} has {', '.join(names_of(game)) or 'none'}")


def usual_kind(game: str, *, rivals: bool) -> str:
    """Return the name of a game's usual kind, of players that can meet ``rivals``, or need none.

    Raises KeyError, with a message that lists the game's kinds, if there is no usual one.
    """
    for family in _families(game):
        if family.usual and family.rivals == rivals and (names := family.names(game)):
            return names[0]
    there = ", ".join(names_of(game))
    raise KeyError(
        f"these dynamics have no usual genomes of {game}; " + (f"choose {there}" if there else "it has none")
    )
