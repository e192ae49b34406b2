# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiling a game's rules before anybody waits for them.

``python -m engine.warm NAME...`` fills the cache and prints each name when it is ready. Compiling holds the
interpreter lock for seconds, so a server lets another process do it and then only loads the result.
"""

import sys
from collections.abc import Iterable, Sequence

from engine import runtime
from engine.game import CHANCE, Game
from engine.games import find
from engine.opening import random_opening

FIRST = "checkers"
"""The game that is made ready before the others: what people come to see."""

_loaded: set[str] = set()


def rules(game: Game) -> None:
    """Compile or load every function that starting and refereeing a match calls."""
    if game.name in _loaded:
        return
    position = game.look(game.start())
    if position.moves:
        game.play(position, position.moves[0])
    if game.chance:
        while position.moves and position.to_move != CHANCE:
            position = game.play(position, position.moves[0])
        game.odds(position)
    random_opening(game, seed=0)
    _loaded.add(game.name)
    runtime.note_warm(game.name)


def quick(game: Game) -> bool:
    """Tell whether ``rules`` has nothing to compile."""
    return game.name in _loaded or runtime.is_warm(game.name)


def in_order(names: Iterable[str]) -> list[str]:
    """Return the names in the order in which games are made ready, wherever that is done."""
    return sorted(names, key=lambda name: name != FIRST)


def command(names: Iterable[str]) -> list[str]:
    """Return the command that compiles these games in a process of its own."""
    return [sys.executable, "-m", "engine.warm", *names]


def main(names: Sequence[str]) -> None:
    """Compile these games and print the name of each as soon as it is in the cache."""
    for name in in_order(names):
        rules(find(name))
        try:
            print(name, flush=True)
        except BrokenPipeError:
            # whoever asked was killed; what is compiled serves the next
            sys.stdout = None


if __name__ == "__main__":
    main(sys.argv[1:])
