# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiling a game's rules before anybody waits for them.

``python -m engine.warm NAME...`` fills the cache and prints a line of JSON when a game is ready, or why it is not.
Without names it reads them from its standard input, one a line, so that who asks can choose the next at any time.
Compiling holds the interpreter lock for seconds, so a server lets another process do it and then only loads the result.
"""

import json
import sys
import time
from collections.abc import Iterable, Sequence

from engine import cached_code, child, compile_times, runtime
from engine.game import CHANCE, Game
from engine.games import find
from engine.opening import random_opening

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
    if not cached_code.lost and not runtime.is_warm(game.name):
        try:
            runtime.note_warm(game.name, cached_code.used)
        except OSError as error:
            cached_code.lost.append(f"compiled code cannot be kept: {error}")


def quick(game: Game) -> bool:
    """Tell whether ``rules`` has nothing to compile: all is in the cache, and undamaged."""
    return game.name in _loaded or runtime.is_warm(game.name)


def command(names: Iterable[str]) -> list[str]:
    """Return the command that compiles these games in a child process; see ``engine.child``."""
    return child.command("engine.warm", *names)


def main(names: Sequence[str]) -> None:
    """Compile these games, or those that standard input names.

    Prints for each its name, the directory that holds its code, what went wrong (""), and the seconds of processor time
    that it took.
    """
    for name in names or map(str.strip, sys.stdin):
        failed = ""
        began, before = time.process_time(), len(cached_code.compiled)
        try:
            rules(find(name))
        except Exception as error:  # the other games are compiled all the same
            failed = f"{type(error).__name__}: {error}".partition("\n")[0]
        took = time.process_time() - began
        if not failed and len(cached_code.compiled) > before:
            compile_times.note(name, compile_times.RULES, took)
        line = {"name": name, "cache": str(runtime.use_cache()), "failed": failed, "took": took}
        try:
            print(json.dumps(line), flush=True)
        except BrokenPipeError:
            # whoever asked was killed; what is compiled serves the next
            sys.stdout = None


if __name__ == "__main__":
    main(sys.argv[1:])
