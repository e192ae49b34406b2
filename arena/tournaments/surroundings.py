# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of the arena that tournaments use."""

from collections.abc import Callable
from dataclasses import dataclass

from arena.connections.sessions import Roster
from arena.hosting.compiling import Compiling
from arena.matches.conductor import Conductor
from arena.registry import GameRegistry
from arena.store import Store


@dataclass(frozen=True, slots=True)
class Surroundings:
    """References to the parts of the arena that tournaments use."""

    store: Store
    roster: Roster
    registry: GameRegistry
    conductor: Conductor
    compiling: Compiling
    changed: Callable[[int], None]
    """Called with the number of a changed tournament."""
