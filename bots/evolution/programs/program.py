# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs: expressions in prefix order, a word or a constant after the other, which their types make unambiguous."""

from collections.abc import Iterator, Sequence
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


def formula(program: Program, start: int = 0) -> str:
    """Write the expression at a place for people."""
    token = program[start]
    word = word_of(token)
    if word is None:
        return f"{token:.4g}"
    inner = [formula(program, place) for place, _ in parts(program, start)]
    if word.name == "if":
        return f"({inner[0]} ? {inner[1]} : {inner[2]})"
    if len(inner) == 2:
        return f"({inner[0]} {word.sign} {inner[1]})"
    if inner:
        text = word.sign.format(inner[0])
        return f"({text})" if ":=" in text else text
    return word.name.replace(" ", "")
