# SPDX-License-Identifier: GPL-3.0-or-later
"""The words that programs are written in: functions and terminals, each with its type.

EvoChess (R. Gross, K. Albrecht, W. Kantschik, W. Banzhaf, GECCO 2002) publishes the functions: + - × ÷, increase and
decrease the horizon, sine, sigmoid, registers of level, game and search, and if. A comparison is added, because what an
``if`` asks is of a type of its own. The terminals are not published.
"""

from dataclasses import dataclass
from typing import Literal

Type = Literal["number", "truth"]

REGISTERS = 2
"""Of each kind."""
KINDS = ("level", "search", "game")
"""What a register belongs to: a ply of the line that is looked at, emptied with every search; a search for one move; a
game."""

MOST = 1e6
"""No number is larger: what would be is this."""
TINY = 1e-9
"""Who divides by less gets 1."""
STEEP = 40.0
"""The sigmoid is flat beyond."""


@dataclass(frozen=True, slots=True)
class Word:
    """A function or a terminal."""

    name: str
    gives: Type
    takes: tuple[Type, ...] = ()
    sign: str = ""
    """How a formula shows it: between its two arguments, or around its one, which {} stands for."""
    meaning: str = ""


_N: Type = "number"
_T: Type = "truth"

FUNCTIONS = (
    Word("+", _N, (_N, _N), "+", "the sum"),
    Word("-", _N, (_N, _N), "-", "the difference"),
    Word("*", _N, (_N, _N), "·", "the product"),
    Word("/", _N, (_N, _N), "/", "the quotient; 1 where nothing, or next to it, divides"),
    Word("deeper", _N, (_N,), "deeper({})", "its argument; the branch is searched a ply deeper"),
    Word("shallower", _N, (_N,), "shallower({})", "its argument; the branch is searched a ply less deep"),
    Word("sin", _N, (_N,), "sin({})", "the sine"),
    Word("sigmoid", _N, (_N,), "σ({})", "from 0 to 1, and steepest at 0"),
    Word("<", _T, (_N, _N), "<", "whether the first is less than the second"),
    Word("if", _N, (_T, _N, _N), meaning="the second where the first holds, else the third"),
    *(
        Word(f"keep {kind} {number}", _N, (_N,), f"{kind}{number} := {{}}", "its argument, which a register keeps")
        for kind in KINDS
        for number in range(REGISTERS)
    ),
)

CONTEXT = (
    Word("level", _N, meaning="plies from the root"),
    Word("horizon", _N, meaning="depth that would be left after the move"),
    Word("alpha", _N, meaning="the window's lower end, in men"),
    Word("beta", _N, meaning="the window's upper end, in men"),
    Word("score", _N, meaning="what the position's features say, in men"),
    Word("material", _N, meaning="the balance of men"),
    Word("moves", _N, meaning="legal moves"),
    Word("place", _N, meaning="moves that were tried before it"),
    Word("merit", _N, meaning="what the move's place in the order came from"),
    Word("gain", _N, meaning="what the move wins at once, in men"),
    Word("nodes", _N, meaning="the part of the nodes allowed that is used up"),
    Word("threatened", _T, meaning="who is to move must answer something at once"),
    Word("threatens", _T, meaning="the other one will have to"),
    Word("loses", _T, meaning="the move loses by the exchange"),
    Word("principal", _T, meaning="the window is open"),
    Word("passes", _T, meaning="the move is to pass"),
    Word("shortfall", _N, meaning="how far score and gain stay below the window, in men; 0 where they do not"),
)
"""What a program can look at, in the order of its context: one number each, 1 or 0 for a truth."""

LOADS = tuple(
    Word(f"{kind} {number}", _N, meaning=f"what register {number} of the {kind} keeps; 0 at first")
    for kind in KINDS
    for number in range(REGISTERS)
)

TERMINALS = (*CONTEXT, *LOADS)

WORDS = {word.name: word for word in (*FUNCTIONS, *TERMINALS)}
