# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiles every built-in bot's search of a game and prints, as JSON, what that cost: run in a process of its own.

``python cold.py GAME``, with an empty cache and the checkout to be measured as the working directory: it imports that
checkout's packages, an older one's too, so it uses nothing that is new.
"""

import json
import resource
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

sys.path[0] = str(Path.cwd())

MOST = 12
"""Number of reported functions."""


def spent() -> float:
    """Return the seconds of processor time of this process so far."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def built_in_bots() -> list[Any]:
    """Return the bots that a server runs by default; older versions have them in another package."""
    try:
        from bots.built_in import kinds
    except ImportError:
        residents = import_module("bots.house.roster").RESIDENTS
        return [resident for resident in residents if resident.algorithm or resident.bred]
    return [bot for bot in kinds.catalogue().values() if getattr(bot, "usual", True)]


def main(game: str) -> None:
    """Compile, and print the seconds, and the functions that cost most."""
    from numba.core import event

    own: dict[str, float] = {}
    open_: list[list[float]] = []

    class Costs(event.Listener):  # type: ignore[misc]  # numba has no types
        """Seconds of each function without those that it calls."""

        def on_start(self, started: Any) -> None:
            open_.append([spent(), 0.0])

        def on_end(self, ended: Any) -> None:
            began, inner = open_.pop()
            took = spent() - began
            function = ended.data["dispatcher"].py_func
            name = f"{function.__module__}.{function.__qualname__}"
            own[name] = own.get(name, 0.0) + took - inner
            if open_:
                open_[-1][1] += took

    event.register("numba:compile", Costs())
    from engine import warm
    from engine.games import find

    began = spent()
    warm.rules(find(game))
    for bot in built_in_bots():
        if _plays(bot, game):
            bot.make().prepare([game])
    took = spent() - began
    most = sorted(own.items(), key=lambda item: -item[1])[:MOST]
    print(json.dumps({"seconds": took, "functions": len(own), "most": most}))


def _plays(bot: Any, game: str) -> bool:
    """Return whether a built-in bot plays a game, also in versions whose bots list their games."""
    if hasattr(bot, "plays"):
        return bool(bot.plays(game))
    games = bot.games()
    return games is None or game in games


if __name__ == "__main__":
    main(sys.argv[1])
