# SPDX-License-Identifier: GPL-3.0-or-later
"""What tournaments are held in: the parts of the arena that they use."""

from collections.abc import Callable
from dataclasses import dataclass

from arena.connections.sessions import Roster
from arena.hosting.compiling import Compiling
from arena.matches.conductor import Conductor
from arena.registry import GameRegistry
from arena.store import Store


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The arena, as a tournament sees it."""

    store: Store
    roster: Roster
    registry: GameRegistry
    conductor: Conductor
    compiling: Compiling
    changed: Callable[[int], None]
    """Is told the number of a tournament that is not as it was."""
