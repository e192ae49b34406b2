# SPDX-License-Identifier: GPL-3.0-or-later
"""The binary interface between the runner and a WebAssembly bot: names of exports and imports, and the turn's layout.

docs/examples/arena_bot.h declares the same for C. All numbers are little-endian; a pointer has 32 bits.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass

GAMES, MOVE, BUFFER = "arena_games", "arena_move", "arena_buffer"
"""Exports that every bot has: ``() -> text``, ``(turn) -> answer`` and ``(size) -> pointer``."""
VERSION, DESCRIPTION, ACCEPT_DRAW = "arena_version", "arena_description", "arena_accept_draw"
"""Exports that a bot may have: ``() -> text`` twice, and ``() -> 0 or 1``."""
INITIALIZE = "_initialize"
"""Export that a C library may have; called first."""
MEMORY = "memory"
"""The export of the module's memory."""

IMPORTS = "arena"
"""The module of the imports ``log(pointer, size)`` and ``instructions_used() -> i64``."""

RESIGN = -1
"""The answer that resigns."""
OFFER_DRAW = 1 << 30
"""Added to an answer, offers a draw with the move."""

NO_CLOCK = -1

MACHINE = 2
"""The version of the machine: raised when a module would see other turns, or use another number of instructions, with
the same version of wasmtime.
"""

_TURN = struct.Struct("<4II3i4iQ")
"""``game``, ``position``, ``last_move``, ``moves`` (pointers), ``move_count``, ``seat``, ``ply``, ``draw_offered``,
``clock``, ``opponent_clock``, ``increment``, ``moves_to_go``, ``budget``."""
ALIGNMENT = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnInput:
    """What a bot learns at its turn. Times are in milliseconds."""

    game: str
    position: str
    last_move: str | None
    moves: Sequence[str]
    seat: int
    ply: int
    draw_offered: bool = False
    clock: int = NO_CLOCK
    opponent_clock: int = NO_CLOCK
    increment: int = 0
    moves_to_go: int = 0
    """0: no further session."""
    budget: int
    """Instructions for this move: the limit of a match by instructions, otherwise advice."""

    def packed(self, address: int) -> bytes:
        """Return the turn as bytes for this address, which is a multiple of ALIGNMENT."""
        texts = bytearray()
        first = address + _TURN.size + 4 * len(self.moves)

        def pointer(text: str) -> int:
            place = first + len(texts)
            texts.extend(text.encode())
            texts.append(0)
            return place

        head = _TURN.pack(
            pointer(self.game),
            pointer(self.position),
            0 if self.last_move is None else pointer(self.last_move),
            address + _TURN.size,
            len(self.moves),
            self.seat,
            self.ply,
            self.draw_offered,
            self.clock,
            self.opponent_clock,
            self.increment,
            self.moves_to_go,
            self.budget,
        )
        return head + struct.pack(f"<{len(self.moves)}I", *map(pointer, self.moves)) + texts


@dataclass(frozen=True, slots=True)
class Answer:
    """A bot's answer to a turn."""

    move: int | None
    """The number of the move in the turn's list; None: the bot resigns."""
    offers_draw: bool = False


def read_answer(number: int, count: int) -> Answer:
    """Return the answer that ``arena_move`` returned; ``count``: number of legal moves. Raises ValueError."""
    if number == RESIGN:
        return Answer(None)
    offers = number >= OFFER_DRAW
    move = number - OFFER_DRAW if offers else number
    if not 0 <= move < count:
        raise ValueError(f"{MOVE} returned {number}, and the turn had {count} moves, numbered from 0")
    return Answer(move, offers)
