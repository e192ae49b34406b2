# SPDX-License-Identifier: GPL-3.0-or-later
"""Text to record and back, one module each, found by themselves: a module names its format in ``FORMAT``.

Everything streams: lines in, records out, one game in memory at a time. No file is opened here but a Polyglot book.
"""

import importlib
import pkgutil
from functools import cache

from engine.formats.format import Format


@cache
def catalogue() -> dict[str, Format]:
    """Return every format by name, in alphabetical order."""
    modules = (importlib.import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__))
    found = {module.FORMAT.name: module.FORMAT for module in modules if hasattr(module, "FORMAT")}
    return dict(sorted(found.items()))


def find(name: str) -> Format:
    """Return the format of this name. Raises KeyError, with a message that lists the names, when there is none."""
    formats = catalogue()
    if name not in formats:
        raise KeyError(f"no format is called {name[:40]!r}; there are {', '.join(formats)}")
    return formats[name]


def native(game: str) -> Format:
    """Return the format that the field uses for a game; JSON lines, which takes every game, where it has none."""
    formats = dict(catalogue())
    general = formats.pop("jsonl")
    return next((found for found in formats.values() if found.covers(game)), general)
