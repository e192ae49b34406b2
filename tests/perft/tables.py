# SPDX-License-Identifier: GPL-3.0-or-later
"""The known counts of leaves in this folder, a file for each game or several."""

from pathlib import Path

import msgspec

from engine.game import Game, State
from engine.games import find


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The leaves below a position at each depth from 0 on."""

    game: str
    source: str
    leaves: tuple[int, ...]
    """Those that are counted in a moment."""
    longer: tuple[int, ...] = ()
    """Those of the depths that follow, which take seconds and minutes."""
    position: str | None = None
    """None: the game's start."""

    @property
    def name(self) -> str:
        """The game and the position."""
        return f"{self.game} {self.position or ''}".strip()

    def root(self) -> tuple[Game, State]:
        """Return the game and the position."""
        game = find(self.game)
        return game, game.start() if self.position is None else game.parse_position(self.position)


TABLES = tuple(
    table
    for path in sorted(Path(__file__).parent.glob("*.json"))
    for table in msgspec.json.decode(path.read_bytes(), type=list[Table])
)
