# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs run as they are read, in plain Python: what byte code is held to. Knows nothing of instructions or cells."""

import math
from collections.abc import Iterator, Mapping

from engine.search.programs.program import Program, Token


class Machine:
    """Registers, and what programs look at."""

    def __init__(self, context: Mapping[str, float], registers: Mapping[str, float]) -> None:
        self.context = context
        self.registers = dict(registers)
        self.shift = 0

    def run(self, program: Program) -> float:
        """Return the depth that a program gives."""
        self.shift = 0
        tokens = iter(program)
        value = self._value(tokens)
        assert next(tokens, None) is None
        return within(value + self.shift)

    def _value(self, tokens: Iterator[Token], *, live: bool = True) -> float:
        """Read one expression; what is not ``live`` is read and has no effect."""
        token = next(tokens)
        if not isinstance(token, str):
            return token
        if token == "if":
            asked = self._value(tokens, live=live)
            then = self._value(tokens, live=live and asked != 0)
            otherwise = self._value(tokens, live=live and asked == 0)
            return then if asked else otherwise
        if token in {"+", "-", "*", "/", "<"}:
            left, right = self._value(tokens, live=live), self._value(tokens, live=live)
            return {
                "+": lambda: within(left + right),
                "-": lambda: within(left - right),
                "*": lambda: within(left * right),
                "/": lambda: 1.0 if abs(right) < 1e-9 else within(left / right),
                "<": lambda: float(left < right),
            }[token]()
        if token in {"deeper", "shallower"}:
            value = self._value(tokens, live=live)
            self.shift += (1 if token == "deeper" else -1) * live
            return value
        if token == "sin":
            return math.sin(self._value(tokens, live=live))
        if token == "sigmoid":
            return 1 / (1 + math.exp(-max(-40.0, min(40.0, self._value(tokens, live=live)))))
        if token.startswith("keep "):
            value = self._value(tokens, live=live)
            if live:
                self.registers[token.removeprefix("keep ")] = value
            return value
        return self.registers[token] if token in self.registers else self.context[token]


def within(number: float) -> float:
    """Return the nearest number that there is."""
    return max(-1e6, min(1e6, number))
