# SPDX-License-Identifier: GPL-3.0-or-later
"""The binary interface between the runner and a WebAssembly bot: names of exports and imports, and the turn's layout.

docs/examples/arena_bot.h declares the same for C. All numbers are little-endian; a pointer has 32 bits.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Function(NamedTuple):
    """A function of the interface."""

    name: str
    parameters: tuple[str, ...]
    """Each with its name and type, such as "size: i32"."""
    result: str
    """Type of the result; empty: none."""
    meaning: str
    """For the documentation, in Markdown."""

    @property
    def types(self) -> tuple[list[str], list[str]]:
        """The types of the parameters and of the results."""
        return [each.partition(": ")[2] for each in self.parameters], [self.result] * bool(self.result)


GAMES, MOVE, BUFFER = "arena_games", "arena_move", "arena_buffer"
VERSION, DESCRIPTION, ACCEPT_DRAW = "arena_version", "arena_description", "arena_accept_draw"
INITIALIZE = "_initialize"

REQUIRED = (
    Function(GAMES, (), "i32", "pointer to the names of the games that the bot plays, separated by commas"),
    Function(
        BUFFER,
        ("size: i32",),
        "i32",
        f"memory for a turn of `size` bytes, aligned to 8 bytes; the runner uses it until the next call of `{BUFFER}`",
    ),
    Function(MOVE, ("turn: i32",), "i32", "the answer to a turn"),
)
"""Exports that every bot has."""

OPTIONAL = (
    Function(
        VERSION, (), "i32", "pointer to the bot's version; by default the first 12 digits of the module's SHA-256"
    ),
    Function(DESCRIPTION, (), "i32", "pointer to one line about the bot"),
    Function(ACCEPT_DRAW, (), "i32", "1 accepts the opponent's draw offer; a bot without it declines"),
    Function(INITIALIZE, (), "", "called first, as C libraries need it"),
)
"""Exports that a bot may have."""

MEMORY = "memory"
"""The export of the module's memory."""

IMPORTS = "arena"
"""The module of the imports."""

LOG = Function(
    "log",
    ("pointer: i32", "size: i32"),
    "",
    "write to the bot's log, 64 KiB in a match; only the owner sees it",
)
INSTRUCTIONS_USED = Function(
    "instructions_used",
    (),
    "i64",
    f"instructions that `{MOVE}` has used so far in this turn; each call of this import counts as 10,000",
)

RESIGN = -1
"""The answer that resigns."""
OFFER_DRAW = 1 << 30
"""Added to an answer, offers a draw with the move."""

NO_CLOCK = -1

MACHINE = 2
"""The version of the machine: raised when a module would see other turns, or use another number of instructions, with
the same version of wasmtime.
"""


class Field(NamedTuple):
    """A field of a turn."""

    name: str
    code: str
    """Its type, as in the module ``struct``."""
    meaning: str
    """For the documentation, in Markdown."""


TURN = (
    Field("game", "I", "pointer to the game's name"),
    Field("position", "I", "pointer to the position in [the game's notation](../how-to/games.md), FEN in chess"),
    Field("last_move", "I", "pointer to the previous move or roll; 0 before the first"),
    Field("moves", "I", "pointer to as many pointers as there are legal moves"),
    Field("move_count", "I", "number of legal moves, at least 1"),
    Field("seat", "i", "0: the bot moves first; 1: second"),
    Field("ply", "i", "number of moves so far, opening included"),
    Field("draw_offered", "i", "1: the opponent offers a draw"),
    Field("clock", "i", "the bot's time in milliseconds; -1 without a clock, and where the budget is fixed"),
    Field("opponent_clock", "i", "the same for the opponent"),
    Field("increment", "i", "milliseconds that each move adds"),
    Field("moves_to_go", "i", "moves until the base time is added again; 0: never"),
    Field("budget", "Q", "instructions for this move: a limit where the bot or the match fixes it, otherwise advice"),
)
"""The layout of a turn: the fields follow each other without gaps. The pointers and texts follow the last one."""

_TURN = struct.Struct("<" + "".join(field.code for field in TURN))
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
