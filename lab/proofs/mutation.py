# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames that nobody should send: valid messages of every type, and what becomes of them by one mutation or several."""

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from arena.protocol.version import MAX_MESSAGE, PROTOCOL

Pairs = list[tuple[str, Any]]
"""A message as names and values in order, so that a name may come twice."""

NAMES = ("tictactoe", "checkers", "nim", "anna", "bert", "ludo", "ÿ" * 64, "a" * 64, "", "\x00", "名前", "‮" * 3)
MOVES = ("a1", "b2", "c3", "9-13", "22x15", "", " ", "a" * 100, "a" * 101, "\N{PILE OF POO}" * 20, "0000", "resign")
NUMBERS = (0, 1, -1, 2, 255, 256, 2**31, 2**53, 2**53 + 1, 2**63, 2**64, 10**30, -(2**63), 0.5, 1e308, 1.0)
ODD: tuple[object, ...] = (
    None,
    True,
    False,
    "",
    "null",
    [],
    {},
    [[]],
    {"type": "move"},
    "\ud800",
    "\x00",
    "é",
    "\u2028",
    "﻿",
)


class Mutator:
    """Makes frames, drawn by a seed."""

    def __init__(self, random: Random, spectators: bool = False) -> None:
        """``spectators``: what the spectators' socket hears, else the bots'."""
        self.matches: Sequence[int] = (1, 2, 3)
        """Matches that are going on, as far as is known."""
        self._random = random
        self._messages = _SPECTATORS if spectators else _BOTS

    def frame(self) -> str | bytes:
        """Return the next frame: one in four valid in itself, the others mutated up to three times."""
        random = self._random
        pairs = self.valid()
        times = random.randrange(4)
        for _ in range(times):
            pairs = random.choice(_SHAPES)(self, pairs)
        text = written(pairs)
        if times and random.random() < 0.3:
            return random.choice(_TEXTS)(self, text)
        return text

    def valid(self) -> Pairs:
        """Return a message of any type, its values mostly such as may come."""
        random = self._random
        kind, fields = random.choice(self._messages)
        pairs: Pairs = [("type", kind)]
        pairs += [(name, draw(self)) for name, draw, needed in fields if needed or random.random() < 0.5]
        return pairs

    # ---------------------------------------------------------------- values

    def _number(self) -> object:
        return self._random.choice(NUMBERS) if self._random.random() < 0.05 else self._random.randrange(100)

    def _match(self) -> object:
        return self._random.choice(self.matches) if self._random.random() < 0.7 else self._number()

    def _flag(self) -> bool:
        return self._random.random() < 0.5

    def _name(self) -> str:
        return self._random.choice(NAMES if self._random.random() < 0.2 else NAMES[:5])

    def _names(self) -> list[str]:
        return [self._name() for _ in range(101 if self._random.random() < 0.01 else self._random.randrange(1, 4))]

    def _move(self) -> str:
        return self._random.choice(MOVES if self._random.random() < 0.2 else MOVES[:5])

    def _protocol(self) -> object:
        return PROTOCOL if self._random.random() < 0.9 else self._number()

    def _control(self) -> str:
        return self._random.choice(("60+1", "1+0", "x", "-1+0", "1e9+0", "nan+nan", "+", "60", "0+0", "٣+٤"))

    def _info(self) -> object:
        random = self._random
        return (
            {"score": self._number(), "depth": self._number(), "nodes": self._number(), "pv": [self._move()] * 3}
            if (random.random() < 0.8)
            else random.choice(ODD)
        )

    # ---------------------------------------------------------------- mutations of what is said

    def _drop(self, pairs: Pairs) -> Pairs:
        gone = self._random.randrange(len(pairs)) if pairs else 0
        return pairs[:gone] + pairs[gone + 1 :]

    def _retype(self, pairs: Pairs) -> Pairs:
        return self._changed(
            pairs, lambda value: self._random.choice((*ODD, *NUMBERS, [value], {"": value}, str(value)))
        )

    def _huge(self, pairs: Pairs) -> Pairs:
        sizes = (
            (201, 1000, 10_000) if self._random.random() < 0.98 else (MAX_MESSAGE - 20, MAX_MESSAGE, 2 * MAX_MESSAGE)
        )
        size = self._random.choice(sizes)
        if self._random.random() < 0.3:
            return self._changed(pairs, lambda _: 10 ** min(size, 4000))
        return self._changed(pairs, lambda _: self._random.choice("xé\x00") * size)

    def _nest(self, pairs: Pairs) -> Pairs:
        def nested(value: object) -> object:
            for _ in range(self._random.choice((1, 5, 100, 300))):
                value = [value] if self._random.random() < 0.5 else {"type": value}
            return value

        return self._changed(pairs, nested)

    def _twice(self, pairs: Pairs) -> Pairs:
        if not pairs:
            return pairs
        name, value = self._random.choice(pairs)
        return [*pairs, (name, self._random.choice((value, *ODD)))]

    def _reorder(self, pairs: Pairs) -> Pairs:
        return self._random.sample(pairs, len(pairs))

    def _more(self, pairs: Pairs) -> Pairs:
        return [
            *pairs,
            (self._random.choice(("x", "", "type ", "Type", "match", "token", "__class__")), self._number()),
        ]

    def _other_type(self, pairs: Pairs) -> Pairs:
        kind = self._random.choice(("turn", "welcome", "over", "Move", "", "error", *(kind for kind, _ in _BOTS)))
        return [("type", kind), *pairs[1:]]

    def _changed(self, pairs: Pairs, change: Callable[[object], object]) -> Pairs:
        if not pairs:
            return pairs
        which = self._random.randrange(len(pairs))
        return [(name, change(value) if index == which else value) for index, (name, value) in enumerate(pairs)]

    # ---------------------------------------------------------------- mutations of how it is written

    def _cut(self, text: str) -> str:
        return text[: self._random.randrange(len(text) + 1)]

    def _glue(self, text: str) -> str:
        return text + self._random.choice(("", "\n", ",", " ", "\x1e")) + written(self.valid())

    def _wrap(self, text: str) -> str:
        return self._random.choice(("[{}]", "﻿{}", "\t\n {} \r\n", "[" * 2000 + "{}", '"{}"', "{{{}}}", "//{}")).format(
            text
        )

    def _swap(self, text: str) -> str:
        at = self._random.randrange(len(text) + 1)
        return text[:at] + self._random.choice('"{}[]:,\\\x00\x1f\x7f0-eE+.NaNtruefalse') + text[at + 1 :]

    def _spell(self, text: str) -> str:
        one, other = self._random.choice(
            (("1", "NaN"), ("1", "Infinity"), ("1", "01"), ("1", "1."), ("true", "True"), ('"', "'"), ('"', '\\"'),
             ("e", "\\u0065"), ("a", "\\ud800"), (":", "=")),
        )  # fmt: skip
        return text.replace(one, other)

    def _bytes(self, text: str) -> bytes:
        return text.encode(errors="replace") if self._random.random() < 0.5 else self._random.randbytes(40)


def written(pairs: Pairs) -> str:
    """Return a message as JSON text."""
    return "{" + ",".join(f"{json.dumps(name)}:{json.dumps(value)}" for name, value in pairs) + "}"


_Draw = Callable[[Mutator], object]
_Messages = Sequence[tuple[str, Sequence[tuple[str, _Draw, bool]]]]

_MATCH = ("match", Mutator._match, True)
_BOTS: _Messages = (
    ("hello", (
        ("protocol", Mutator._protocol, True), ("token", Mutator._name, True), ("games", Mutator._names, True),
        ("version", Mutator._name, False), ("software", Mutator._name, False), ("capacity", Mutator._number, False),
        ("legal_moves", Mutator._flag, False), ("ladder", Mutator._flag, False), ("challenges", Mutator._flag, False),
    )),
    ("move", (
        _MATCH, ("ply", Mutator._number, True), ("move", Mutator._move, True), ("info", Mutator._info, False),
    )),
    ("resign", (_MATCH,)),
    ("offer-draw", (_MATCH,)),
    ("answer-draw", (_MATCH, ("accept", Mutator._flag, True))),
    ("sync", (_MATCH,)),
    ("availability", (("ladder", Mutator._flag, True), ("challenges", Mutator._flag, True))),
    ("challenge", (
        ("opponent", Mutator._name, True), ("game", Mutator._name, True), ("rated", Mutator._flag, False),
        ("time_control", Mutator._control, False),
    )),
    ("answer-challenge", (("challenge", Mutator._number, True), ("accept", Mutator._flag, True))),
    ("withdraw-challenge", (("challenge", Mutator._number, True),)),
)  # fmt: skip
_SPECTATORS: _Messages = (
    ("follow", (_MATCH, ("after", Mutator._number, False))),
    ("unfollow", (_MATCH,)),
    ("follow-lobby", (("game", Mutator._name, False), ("boards", Mutator._number, False))),
    ("unfollow-lobby", ()),
)
_SHAPES: Sequence[Callable[[Mutator, Pairs], Pairs]] = (
    Mutator._drop, Mutator._retype, Mutator._huge, Mutator._nest, Mutator._twice, Mutator._reorder, Mutator._more,
    Mutator._other_type,
)  # fmt: skip
_TEXTS: Sequence[Callable[[Mutator, str], str | bytes]] = (
    Mutator._cut, Mutator._glue, Mutator._wrap, Mutator._swap, Mutator._spell, Mutator._bytes,
)  # fmt: skip
