# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads formulas back into programs, by the grammar that people read them by: the oracle of how they are written."""

import re

from engine.search.programs.program import WORDS, Program

TOKEN = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]\d+)?|:=|[a-zσ]+\d*|[-+·/<?:()]")

FUNCTIONS = {word.sign.partition("(")[0]: word.name for word in WORDS.values() if word.sign.endswith("({})")}
REGISTERS = {name.replace(" ", ""): name for name in WORDS if re.fullmatch(r"\w+ \d", name)}
SUMS, PRODUCTS = {"+": "+", "-": "-"}, {"·": "*", "/": "/"}


def program_of(formula: str) -> Program:
    """Return the program that a formula writes. Raises ValueError when it is none."""
    reader = _Reader(TOKEN.findall(formula))
    found = reader.choice()
    if reader.left:
        raise ValueError(f"more follows: {reader.left}")
    return tuple(found)


class _Reader:
    def __init__(self, tokens: list[str]) -> None:
        self.left = tokens

    def choice(self) -> list[str | float]:
        """A choice binds least; its branches are no choices, but in brackets."""
        first = self.keeping()
        if not self.comes("?"):
            return first
        then = self.keeping()
        self.expect(":")
        return ["if", *first, *then, *self.keeping()]

    def keeping(self) -> list[str | float]:
        """A register takes what follows."""
        if len(self.left) > 1 and self.left[1] == ":=":
            name = REGISTERS[self.left.pop(0)]
            self.left.pop(0)
            return [f"keep {name}", *self.compared()]
        return self.compared()

    def compared(self) -> list[str | float]:
        """A comparison stands between sums."""
        first = self.sum()
        return ["<", *first, *self.sum()] if self.comes("<") else first

    def sum(self) -> list[str | float]:
        """Sums, from the left."""
        found = self.product()
        while self.left and self.left[0] in SUMS:
            found = [SUMS[self.left.pop(0)], *found, *self.product()]
        return found

    def product(self) -> list[str | float]:
        """Products, from the left."""
        found = self.atom()
        while self.left and self.left[0] in PRODUCTS:
            found = [PRODUCTS[self.left.pop(0)], *found, *self.atom()]
        return found

    def atom(self) -> list[str | float]:
        """What binds most."""
        token = self.left.pop(0)
        if token == "(":
            found = self.choice()
            self.expect(")")
            return found
        if token in FUNCTIONS:
            self.expect("(")
            found = [FUNCTIONS[token], *self.choice()]
            self.expect(")")
            return found
        if token in REGISTERS:
            return [REGISTERS[token]]
        return [token] if token in WORDS else [float(token)]

    def comes(self, token: str) -> bool:
        """Take a token if it comes next."""
        if self.left[:1] != [token]:
            return False
        self.left.pop(0)
        return True

    def expect(self, token: str) -> None:
        """Take a token that must come next."""
        if not self.comes(token):
            raise ValueError(f"{token} should come before {self.left}")
