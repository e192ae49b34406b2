# SPDX-License-Identifier: GPL-3.0-or-later
"""The budget of a WebAssembly bot's move in instructions: fixed, or advice that follows from the clock."""

from arena.protocol import messages as wire
from bots.wasm.abi import NO_CLOCK, TurnInput

GUARD = 20_000_000_000
"""Instructions after which a move without a fixed budget ends: a bot that never answers would use a processor for ever
where no clock runs.
"""
UNTIMED = 100_000_000
"""Advice where no clock runs."""
USUAL_RATE = 200_000
"""Estimated instructions per millisecond, used until a move has been measured."""
SESSION = 30
"""Moves among which the time of the game is shared."""
SHORTEST = 0.01
"""Seconds that a move takes from which the rate is measured."""


class Budget:
    """Gives each turn its budget and its limit."""

    def __init__(self, fixed: int | None) -> None:
        self._fixed = fixed
        self._rate = float(USUAL_RATE)

    def turn(self, message: wire.Turn) -> tuple[TurnInput, int]:
        """Return the turn as the bot sees it, and the most instructions that its answer may use.

        With a fixed budget, its own or that of a match by instructions, the bot sees no clock: the same turns give the
        same moves.
        """
        fixed = self._fixed if message.instructions is None else message.instructions
        clocks = None if fixed is not None else message.clocks
        seat = message.seat
        advice = UNTIMED if clocks is None else max(1, int(self._rate * self._milliseconds(message, clocks[seat])))
        turn = TurnInput(
            game=message.game,
            position=message.position,
            last_move=message.last_move,
            moves=message.legal_moves or [],
            seat=seat,
            ply=message.ply,
            draw_offered=message.draw_offered,
            clock=NO_CLOCK if clocks is None else clocks[seat],
            opponent_clock=NO_CLOCK if clocks is None else clocks[1 - seat],
            increment=0 if clocks is None else message.increment,
            moves_to_go=0 if clocks is None else message.moves_to_go or 0,
            budget=min(GUARD, advice) if fixed is None else fixed,
        )
        return turn, fixed or GUARD

    def spent(self, instructions: int, seconds: float) -> None:
        """Learn from a move how many instructions this machine executes."""
        if seconds >= SHORTEST:
            self._rate = instructions / (1000 * seconds)

    @staticmethod
    def _milliseconds(message: wire.Turn, left: int) -> float:
        """Return the time that the next move should take."""
        moves = min(message.moves_to_go or SESSION, SESSION)
        return min(0.8 * left / moves + 0.8 * message.increment, 0.5 * left)
