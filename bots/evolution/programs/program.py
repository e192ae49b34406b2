# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that decide search depth: their words, and expressions of these words in prefix order.

The types of the words make prefix order unambiguous. EvoChess (R. Gross, K. Albrecht, W. Kantschik, W. Banzhaf, GECCO
2002) publishes the functions: + - × ÷, increase and decrease the horizon, sine, sigmoid, registers of level, game and
search, and if. A comparison is added, because the condition of an ``if`` has a type of its own. The terminals are not
published.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
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
    Word("/", _N, (_N, _N), "/", "the quotient; 1 if the divisor is nearly 0"),
    Word("deeper", _N, (_N,), "deeper({})", "its argument; the branch is searched a ply deeper"),
    Word("shallower", _N, (_N,), "shallower({})", "its argument; the branch is searched a ply less deep"),
    Word("sin", _N, (_N,), "sin({})", "the sine"),
    Word("sigmoid", _N, (_N,), "σ({})", "the sigmoid function: from 0 to 1, steepest at 0"),
    Word("<", _T, (_N, _N), "<", "whether the first is less than the second"),
    Word("if", _N, (_T, _N, _N), meaning="the second argument if the first is true, otherwise the third"),
    *(
        Word(
            f"keep {kind} {number}",
            _N,
            (_N,),
            f"{kind}{number} := {{}}",
            "its argument, which it also stores in a register",
        )
        for kind in KINDS
        for number in range(REGISTERS)
    ),
)

CONTEXT = (
    Word("level", _N, meaning="plies from the root"),
    Word("horizon", _N, meaning="depth that would be left after the move"),
    Word("alpha", _N, meaning="lower bound of the window, in pawn units"),
    Word("beta", _N, meaning="upper bound of the window, in pawn units"),
    Word("score", _N, meaning="static evaluation of the position, in pawn units"),
    Word("material", _N, meaning="material balance, in pawn units"),
    Word("moves", _N, meaning="legal moves"),
    Word("place", _N, meaning="number of moves tried before this move"),
    Word("merit", _N, meaning="ordering score of the move"),
    Word("gain", _N, meaning="immediate gain of the move, in pawn units"),
    Word("nodes", _N, meaning="share of the node limit that the search has used"),
    Word("threatened", _T, meaning="the side to move is in check, or under a similar threat"),
    Word("threatens", _T, meaning="the move gives check, or makes a similar threat"),
    Word("loses", _T, meaning="the move loses material (SEE)"),
    Word("principal", _T, meaning="this is a principal-variation node"),
    Word("passes", _T, meaning="the move is a null move"),
    Word("shortfall", _N, meaning="distance of score plus gain below the window, in pawn units; otherwise 0"),
)
"""What a program can look at, in the order of its context: one number each, 1 or 0 for a truth."""

LOADS = tuple(
    Word(f"{kind} {number}", _N, meaning=f"value of register {number} of the {kind}; 0 at first")
    for kind in KINDS
    for number in range(REGISTERS)
)

TERMINALS = (*CONTEXT, *LOADS)

WORDS = {word.name: word for word in (*FUNCTIONS, *TERMINALS)}


Token = str | float
Program = tuple[Token, ...]
"""The name of a word, or a constant, each followed by its arguments: ("+", "horizon", 1.0)."""

SIZE, DEPTH = 64, 10
"""How many tokens a program has at most, and how many of them lie in each other."""


def word_of(token: object) -> Word | None:
    """Return the word of a token, None for a constant. Raises ValueError for what is neither."""
    if isinstance(token, str):
        if token not in WORDS:
            raise ValueError(f"programs have no word {token[:40]!r}")
        return WORDS[token]
    if isinstance(token, bool) or not isinstance(token, int | float) or not isfinite(token) or abs(token) > MOST:
        raise ValueError(f"{str(token)[:40]!r} is no number from {-MOST:g} to {MOST:g}")
    return None


def gives(token: Token) -> Type:
    """Return the type of what a token stands for."""
    word = word_of(token)
    return "number" if word is None else word.gives


def arguments(token: Token) -> tuple[Type, ...]:
    """Return the types of what follows a token as its arguments."""
    word = word_of(token)
    return () if word is None else word.takes


def check(tokens: Sequence[Token]) -> Program:
    """Return a program as it is kept.

    Raises ValueError, with a message for people, when it is too long or too deep, is ill-typed or unfinished, or more
    follows its end.
    """
    if len(tokens) > SIZE:
        raise ValueError(f"a program has at most {SIZE} words, not {len(tokens)}")
    due: list[tuple[Type, int]] = [("number", 1)]
    kept: list[Token] = []
    for token in tokens:
        if not due:
            raise ValueError(f"the program goes on after its end with {str(token)[:40]!r}")
        wanted, deep = due.pop()
        word = word_of(token)
        if gives(token) != wanted:
            raise ValueError(f"{str(token)[:40]!r} stands where a {wanted} should be")
        if deep > DEPTH:
            raise ValueError(f"a program is at most {DEPTH} words deep")
        due.extend((each, deep + 1) for each in reversed(arguments(token)))
        kept.append(float(token) if word is None else word.name)
    if due:
        raise ValueError("the program ends before it is complete")
    return tuple(kept)


def end_of(program: Program, start: int) -> int:
    """Return where the expression ends that begins at a place."""
    due = 1
    while due:
        due += len(arguments(program[start])) - 1
        start += 1
    return start


def parts(program: Program, start: int) -> list[tuple[int, int]]:
    """Return where the arguments of the token at a place begin and end."""
    found, place = [], start + 1
    for _ in arguments(program[start]):
        end = end_of(program, place)
        found.append((place, end))
        place = end
    return found


def depth(program: Program, start: int = 0) -> int:
    """Return how many tokens of the expression at a place lie in each other."""
    return 1 + max((depth(program, place) for place, _ in parts(program, start)), default=0)


def depths(program: Program) -> Iterator[int]:
    """Yield for each token how many lie above it, itself included."""
    due = [1]
    for token in program:
        deep = due.pop()
        yield deep
        due.extend([deep + 1] * len(arguments(token)))


@dataclass(frozen=True, slots=True)
class Spot:
    """A token in a formula."""

    label: str
    """How people write the token alone."""
    parent: int
    """The place in the program of the token that it is an argument of; -1 for the first."""
    start: int
    end: int
    """Where what it stands for is written in the formula, brackets around it left out."""


@dataclass(frozen=True, slots=True)
class Formula:
    """A program for people, and where each of its tokens stands in it."""

    text: str
    spots: tuple[Spot, ...]


_CHOICE, _KEEPING, _COMPARED, _SUM, _PRODUCT, _ATOM = range(6)
"""What binds how tightly."""
_BINDING = {"if": _CHOICE, "<": _COMPARED, "+": _SUM, "-": _SUM, "*": _PRODUCT, "/": _PRODUCT}


def written(program: Program) -> Formula:
    """Write a program as a formula, with no more brackets than it takes to read the same program from it."""
    spots: dict[int, Spot] = {}
    pieces: list[str] = []

    def put(text: str) -> None:
        pieces.append(text)

    def at() -> int:
        return sum(map(len, pieces))

    def write(place: int, parent: int, least: int) -> None:
        word = word_of(program[place])
        binding = _ATOM if word is None else _binding(word)
        inner = [start for start, _ in parts(program, place)]
        bracketed = binding < least
        put("(" * bracketed)
        start = at()
        if word is None:
            label = f"{program[place]:.4g}"
            put(label)
        elif word.name == "if":
            label = "if"
            for between, start_of, bound in zip(
                ("", " ? ", " : "), inner, (_COMPARED, _KEEPING, _KEEPING), strict=True
            ):
                put(between)
                write(start_of, place, bound)
        elif len(inner) == 2:
            label = word.sign
            write(inner[0], place, binding)
            put(f" {word.sign} ")
            write(inner[1], place, binding + 1)
        elif inner:
            before, after = word.sign.split("{}")
            label = before.rstrip("( ")
            put(before)
            write(inner[0], place, _CHOICE if after else binding + 1)
            put(after)
        else:
            label = word.name.replace(" ", "")
            put(label)
        spots[place] = Spot(label, parent, start, at())
        put(")" * bracketed)

    write(0, -1, _CHOICE)
    return Formula("".join(pieces), tuple(spots[place] for place in sorted(spots)))


def formula(program: Program) -> str:
    """Write a program for people."""
    return written(program).text


def _binding(word: Word) -> int:
    return _KEEPING if ":=" in word.sign else _BINDING.get(word.name, _ATOM)
