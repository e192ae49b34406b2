# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs: expressions in prefix order, a word or a constant after the other, which their types make unambiguous."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite

from bots.evolution.programs.words import MOST, WORDS, Type, Word

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
