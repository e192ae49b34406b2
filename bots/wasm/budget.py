# SPDX-License-Identifier: GPL-3.0-or-later
"""The budget of a WebAssembly bot's move in instructions: fixed, or advice that follows from the clock."""

import re

from arena.protocol import messages as wire
from bots.wasm.abi import NO_CLOCK, TurnInput

GUARD = 20_000_000_000
"""Instructions after which a move without a fixed budget ends: a bot that never answers would use a processor for ever
where no clock runs.
"""
UNTIMED = 100_000_000
"""Advice where no clock runs."""
USUAL_RATE = 200_000
"""Instructions in a millisecond, before the first move shows how many it are here."""
SESSION = 30
"""Moves among which the time of the game is shared."""
SHORTEST = 0.01
"""Seconds that a move takes from which the rate is measured."""
MOST = 1_000_000_000_000
"""Instructions of the largest budget."""

_UNITS = {"": 1, "k": 1_000, "M": 1_000_000, "G": 1_000_000_000}


def parse_instructions(text: str) -> int:
    """Read a number of instructions: ``2500000``, ``500k``, ``10M`` or ``1G``. Raises ValueError."""
    found = re.fullmatch(r"([0-9]{1,13})([kMG]?)", text)
    number = int(found[1]) * _UNITS[found[2]] if found else 0
    if not 0 < number <= MOST:
        raise ValueError(f"{text[:40]!r} is no number of instructions from 1 to {MOST:,}; write for example 10M")
    return number


class Budget:
    """Gives each turn its budget and its limit."""

    def __init__(self, fixed: int | None) -> None:
        self._fixed = fixed
        self._rate = float(USUAL_RATE)

    def turn(self, message: wire.Turn) -> tuple[TurnInput, int]:
        """Return the turn as the bot sees it, and the most instructions that its answer may use.

        With a fixed budget the bot sees no clock: the same turns give the same moves.
        """
        clocks = None if self._fixed is not None else message.clocks
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
            budget=min(GUARD, advice) if self._fixed is None else self._fixed,
        )
        return turn, self._fixed or GUARD

    def spent(self, instructions: int, seconds: float) -> None:
        """Learn from a move how many instructions this machine executes."""
        if seconds >= SHORTEST:
            self._rate = instructions / (1000 * seconds)

    @staticmethod
    def _milliseconds(message: wire.Turn, left: int) -> float:
        """Return the time that the next move should take."""
        moves = min(message.moves_to_go or SESSION, SESSION)
        return min(0.8 * left / moves + 0.8 * message.increment, 0.5 * left)
