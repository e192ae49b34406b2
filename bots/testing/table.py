# SPDX-License-Identifier: MIT
"""One match of the miniature arena."""

import asyncio
from dataclasses import dataclass, field

from arena.protocol import messages as wire
from bots.testing.rules import Rules


@dataclass(eq=False)
class Table:
    """One match that goes on."""

    number: int
    rules: Rules
    seat: int
    start: str
    position: str
    moves: list[str] = field(default_factory=list)
    opening: list[str] = field(default_factory=list)
    offered: bool = False
    asking: bool = False
    inbox: "asyncio.Queue[wire.BotMessage]" = field(default_factory=asyncio.Queue)

    @property
    def ply(self) -> int:
        """Moves made so far."""
        return len(self.opening) + len(self.moves)

    def play(self, move: str) -> None:
        """Make a legal move."""
        self.position = self.rules.play(self.position, move)
        self.moves.append(move)

    def match(self) -> wire.Match:
        """Return the whole state."""
        players = [wire.Player("opponent", "1", 1500.0)] * 2
        players[self.seat] = wire.Player("checked", "1", 1500.0)
        return wire.Match(
            match=self.number,
            game=self.rules.name,
            seat=self.seat,
            players=(players[0], players[1]),
            rated=False,
            time_control="60+0",
            start=self.start,
            opening=list(self.opening),
            moves=[wire.PlayedMove(move, 0, 60_000) for move in self.moves],
            position=self.position,
            ply=self.ply,
            to_move=self.rules.to_move(self.position),
            clocks=(60_000, 60_000),
            draw_offered=self.offered,
        )

    def turn(self, *, legal_moves: bool) -> wire.Turn:
        """Return the question for a move."""
        made = self.opening + self.moves
        return wire.Turn(
            match=self.number,
            game=self.rules.name,
            ply=self.ply,
            position=self.position,
            seat=self.seat,
            last_move=made[-1] if made else None,
            legal_moves=self.rules.legal_moves(self.position) if legal_moves else None,
            clocks=(60_000, 60_000),
            draw_offered=self.offered,
        )
