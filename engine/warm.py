# SPDX-License-Identifier: GPL-3.0-or-later
"""Compile the rules of games in advance, in a process of their own.

``python -m engine.warm NAME...`` compiles each game into the cache and prints a line of JSON for it. Without names it
reads them from standard input, one per line, so that the caller can choose the next game at any time. Compilation holds
the interpreter lock for seconds, so a server starts this process and then loads the result.
"""

import json
import sys
import time
from collections.abc import Iterable, Sequence

from engine.game import CHANCE, Game
from engine.games import find
from engine.native import cached_code, child, compile_times, runtime
from engine.opening import random_opening

_loaded: set[str] = set()


def rules(game: Game) -> None:
    """Compile all functions that a match calls, or load them from the cache."""
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
            cached_code.lost.append(f"compiled code cannot be saved: {error}")


def quick(game: Game) -> bool:
    """Return whether all code of the rules is in the cache, undamaged."""
    return game.name in _loaded or runtime.is_warm(game.name)


def command(names: Iterable[str]) -> list[str]:
    """Return the command that compiles these games in a child process; see ``engine.native.child``."""
    return child.command("engine.warm", *names)


def main(names: Sequence[str]) -> None:
    """Compile these games, or those named on standard input; print name, cache, error ("") and seconds for each."""
    for name in names or map(str.strip, sys.stdin):
        failed = ""
        began, before = time.process_time(), len(cached_code.compiled)
        try:
            rules(find(name))
        except Exception as error:  # the other games are compiled nevertheless
            failed = f"{type(error).__name__}: {error}".partition("\n")[0]
        took = time.process_time() - began
        if not failed and len(cached_code.compiled) > before:
            compile_times.note(name, compile_times.RULES, took)
        line = {"name": name, "cache": str(runtime.use_cache()), "failed": failed, "took": took}
        try:
            print(json.dumps(line), flush=True)
        except BrokenPipeError:
            # the parent was killed; the cache keeps the compiled code
            sys.stdout = None


if __name__ == "__main__":
    main(sys.argv[1:])
