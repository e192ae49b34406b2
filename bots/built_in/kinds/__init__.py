# SPDX-License-Identifier: GPL-3.0-or-later
"""The kinds of built-in bots, one module each, found by themselves: a module names its bots in ``BOTS``.

A module lists its bots from the weakest to the strongest. A new bot of a known kind is an entry there; a new kind is a
new module.
"""

import importlib
import pkgutil
from functools import cache

from bots.built_in.entry import BuiltInBot, Process


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


def of_process(process: Process) -> list[tuple[str, BuiltInBot]]:
    """Return the bots that a process plays, each with its kind."""
    return [(kind, bot) for kind, bots in by_kind().items() for bot in bots if bot.process == process]
