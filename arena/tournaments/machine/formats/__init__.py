# SPDX-License-Identifier: GPL-3.0-or-later
"""The tournament formats, one module each, found by discovery: a module names its format in ``FORMAT``."""

import importlib
import pkgutil
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from arena.tournaments.machine.format import Format


def _found() -> dict[str, type[Format]]:
    modules = (importlib.import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__))
    classes: list[type[Format]] = [module.FORMAT for module in modules]
    return {str(each.__struct_config__.tag): each for each in classes}


FORMATS = _found()
"""The classes of all formats by name, in alphabetical order."""

if TYPE_CHECKING:
    AnyFormat = Format
else:
    AnyFormat = reduce(or_, FORMATS.values())
"""The type that JSON is decoded to."""
