# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that set search depth: expressions of functions and terminals ("words") in prefix order.

The types of the words make prefix order unambiguous. EvoChess (R. Gross, K. Albrecht, W. Kantschik, W. Banzhaf, GECCO
2002) publishes the functions: + - × ÷, increase and decrease the horizon, sine, sigmoid, registers of level, game and
search, and if. Comparison (``<``) is our addition, because the condition of an ``if`` is a truth value, not a number.
The authors did not publish their terminals.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Literal

Type = Literal["number", "truth"]

REGISTERS = 2
"""Number of registers of each kind."""
KINDS = ("level", "search", "game")
"""Kinds of registers: one set for each ply (cleared before each search), one for a search, one for a game."""
_OWNERS = {"level": "of this ply", "search": "of this search", "game": "of this game"}

MOST = 1e6
"""Largest absolute value of a number; larger results are replaced by it."""
TINY = 1e-9
"""A division by a smaller absolute value returns 1."""
STEEP = 40.0
"""The sigmoid is constant beyond this absolute value."""


@dataclass(frozen=True, slots=True)
class Word:
    """A function or a terminal."""

    name: str
    gives: Type
    takes: tuple[Type, ...] = ()
    sign: str = ""
    """Notation in a formula: an infix sign for two arguments, or a pattern with {} for one argument."""
    meaning: str = ""


_N: Type = "number"
_T: Type = "truth"

FUNCTIONS = (
    Word("+", _N, (_N, _N), "+", "sum of both arguments"),
    Word("-", _N, (_N, _N), "-", "first argument minus the second"),
    Word("*", _N, (_N, _N), "·", "product of both arguments"),
    Word("/", _N, (_N, _N), "/", "first argument divided by the second; 1 if the second is nearly 0"),
    Word("deeper", _N, (_N,), "deeper({})", "returns its argument, and adds one ply to the result of the program"),
    Word(
        "shallower",
        _N,
        (_N,),
        "shallower({})",
        "returns its argument, and subtracts one ply from the result of the program",
    ),
    Word("sin", _N, (_N,), "sin({})", "sine of the argument"),
    Word("sigmoid", _N, (_N,), "σ({})", "1 / (1 + e^-x) of the argument x"),
    Word("<", _T, (_N, _N), "<", "true if the first argument is less than the second"),
    Word("if", _N, (_T, _N, _N), meaning="the second argument if the first is true, otherwise the third"),
    *(
        Word(
            f"keep {kind} {number}",
            _N,
            (_N,),
            f"{kind}{number} := {{}}",
            f"returns its argument, and stores it in register {number} {_OWNERS[kind]}",
        )
        for kind in KINDS
        for number in range(REGISTERS)
    ),
)

CONTEXT = (
    Word("level", _N, meaning="distance of the position from the root, in plies"),
    Word("horizon", _N, meaning="remaining depth after the move, without extension or reduction"),
    Word("alpha", _N, meaning="lower bound of the search window, in pawn units"),
    Word("beta", _N, meaning="upper bound of the search window, in pawn units"),
    Word("score", _N, meaning="static evaluation for the side to move, in pawn units"),
    Word("material", _N, meaning="material of the side to move minus the opponent's, in pawn units"),
    Word("moves", _N, meaning="number of legal moves"),
    Word("place", _N, meaning="number of moves before this one in the move order"),
    Word("history", _N, meaning="success of the move in earlier searches, mostly from -1 to 1"),
    Word("gain", _N, meaning="material that the move wins immediately, in pawn units"),
    Word("nodes", _N, meaning="share of the move's node limit that is used so far"),
    Word("threatened", _T, meaning="true if the side to move is in check"),
    Word("threatens", _T, meaning="true if the move gives check"),
    Word("loses", _T, meaning="true if the move loses material by static exchange evaluation"),
    Word("principal", _T, meaning="true at principal-variation nodes"),
    Word("shortfall", _N, meaning="alpha minus score minus gain, in pawn units; 0 if that is negative"),
)
"""Inputs of a program, in the order of its context: one number each, 1 or 0 for a truth value."""

LOADS = tuple(
    Word(f"{kind} {number}", _N, meaning=f"value of register {number} {_OWNERS[kind]}; 0 before the first store")
    for kind in KINDS
    for number in range(REGISTERS)
)

TERMINALS = (*CONTEXT, *LOADS)

WORDS = {word.name: word for word in (*FUNCTIONS, *TERMINALS)}


Token = str | float
Program = tuple[Token, ...]
"""The name of a word, or a constant, each followed by its arguments: ("+", "horizon", 1.0)."""

SIZE, DEPTH = 64, 10
"""Maximum number of tokens, and maximum depth of the expression."""


def word_of(token: object) -> Word | None:
    """Return the word of a token, None for a constant. Raises ValueError for other tokens."""
    if isinstance(token, str):
        if token not in WORDS:
            raise ValueError(f"unknown word {token[:40]!r} in the program")
        return WORDS[token]
    if isinstance(token, bool) or not isinstance(token, int | float) or not isfinite(token) or abs(token) > MOST:
        raise ValueError(f"{str(token)[:40]!r} is not a number from {-MOST:g} to {MOST:g}")
    return None


def gives(token: Token) -> Type:
    """Return the type of a token's value."""
    word = word_of(token)
    return "number" if word is None else word.gives


def arguments(token: Token) -> tuple[Type, ...]:
    """Return the types of a token's arguments."""
    word = word_of(token)
    return () if word is None else word.takes


def check(tokens: Sequence[Token]) -> Program:
    """Return a program with normalised tokens, if it is valid.

    Raises ValueError, with a message for people, if it is too long, too deep, ill-typed or incomplete, or if tokens
    follow its end.
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
    """Return the end of the expression that starts at an index."""
    due = 1
    while due:
        due += len(arguments(program[start])) - 1
        start += 1
    return start


def parts(program: Program, start: int) -> list[tuple[int, int]]:
    """Return start and end of each argument of the token at an index."""
    found, place = [], start + 1
    for _ in arguments(program[start]):
        end = end_of(program, place)
        found.append((place, end))
        place = end
    return found


def depth(program: Program, start: int = 0) -> int:
    """Return the depth of the expression that starts at an index; 1 for a single token."""
    return 1 + max((depth(program, place) for place, _ in parts(program, start)), default=0)


def depths(program: Program) -> Iterator[int]:
    """Yield the depth of each token in the expression; 1 for the first."""
    due = [1]
    for token in program:
        deep = due.pop()
        yield deep
        due.extend([deep + 1] * len(arguments(token)))


@dataclass(frozen=True, slots=True)
class Spot:
    """A token in a formula."""

    label: str
    """The token's own notation, without its arguments."""
    parent: int
    """Index of the token whose argument it is; -1 for the first token."""
    start: int
    end: int
    """Start and end of its expression in the formula, without enclosing brackets."""


@dataclass(frozen=True, slots=True)
class Formula:
    """A program as a formula for people, with the position of each token in it."""

    text: str
    spots: tuple[Spot, ...]


_CHOICE, _KEEPING, _COMPARED, _SUM, _PRODUCT, _ATOM = range(6)
"""Operator precedence, lowest first."""
_BINDING = {"if": _CHOICE, "<": _COMPARED, "+": _SUM, "-": _SUM, "*": _PRODUCT, "/": _PRODUCT}


def written(program: Program) -> Formula:
    """Return a program as a formula, with as few brackets as possible."""
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
    """Return the text of a program's formula."""
    return written(program).text


def _binding(word: Word) -> int:
    return _KEEPING if ":=" in word.sign else _BINDING.get(word.name, _ATOM)
