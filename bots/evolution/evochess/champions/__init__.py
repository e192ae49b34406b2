# SPDX-License-Identifier: GPL-3.0-or-later
"""Champions that ship: genomes as data, a file for each game, with their lineage and the seed that they follow from."""

from importlib.resources import files

from bots.evolution.evochess.genome import Read, read

_FOLDER = files(__name__)


def games() -> tuple[str, ...]:
    """Return the games that have a champion."""
    return tuple(sorted(each.name.removesuffix(".json") for each in _FOLDER.iterdir() if each.name.endswith(".json")))


def champion(game: str) -> Read:
    """Return the champion of a game. Raises KeyError, with a message that lists the games, where there is none."""
    if game not in games():
        raise KeyError(f"no champion of {game[:60]!r} was bred; there are those of {', '.join(games())}")
    return read((_FOLDER / f"{game}.json").read_bytes())
