# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiling a game's rules before anybody waits for them: ``python -m engine.warm NAME...`` fills the cache and prints each name when it is ready.

Compiling holds the interpreter lock for seconds, so a server lets another process do it and then only loads the result.
"""

import sys
from collections.abc import Iterable, Sequence

from engine.game import Game
from engine.games import find


def rules(game: Game) -> None:
    """Call every compiled function that refereeing a match of this game calls, so that it is compiled or loaded."""
    position = game.look(game.start())
    if position.moves:
        game.play(position, position.moves[0])


def quickest_first(names: Iterable[str]) -> list[str]:
    """Return the names with the games first whose openings need no search."""
    return sorted(names, key=lambda name: find(name).opening.margin is not None)


def command(names: Iterable[str]) -> list[str]:
    """Return the command that compiles these games in a process of its own."""
    return [sys.executable, "-m", "engine.warm", *names]


def main(names: Sequence[str]) -> None:
    """Compile these games and print the name of each as soon as it is in the cache."""
    for name in quickest_first(names):
        rules(find(name))
        print(name, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
