# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts of moves, as GNU Backgammon writes them: "8/5 6/5", "bar/22", "6/off", "24/18*/14", "13/7(2)".

Points are those of the player who moves. "*" marks a hit. Steps of one man are joined unless it hits on the way. A
turn without a legal step is "pass". A roll is its dice, the higher one first: "31"; the opening roll is the die of seat
0 and that of seat 1: "13" lets seat 1 begin. Moves of the cube are "roll", "double", "take" and "drop".
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from engine.games.backgammon.board import BAR, OFF, Backgammon, sides
from engine.games.backgammon.drawing import steps_of
from engine.games.backgammon.rules import DOUBLE, DROP, ROLL, TAKE

PASS = "pass"
CUBE = {ROLL: "roll", DOUBLE: "double", TAKE: "take", DROP: "drop"}

LONGEST = 200
"""Characters of a move that are read."""

_ALIASES = {
    "roll": "roll",
    "no double": "roll",
    "doubles": "double",
    "redouble": "double",
    "redoubles": "double",
    "accept": "take",
    "takes": "take",
    "accepts": "take",
    "drops": "drop",
    "pass": "drop",
    "passes": "drop",
    "reject": "drop",
    "rejects": "drop",
}
_PASSES = {"pass", "no move", "cannot move", "can't move", "dance", "dances", "no play", "-", "0/0"}

_WORD = re.compile(
    r"(?P<points>(?:bar|off|b|o|\d{1,2})\*?(?:[/-](?:bar|off|b|o|\d{1,2})\*?)+)(?:\((?P<times>[1-4])\))?"
)
_ROLL = re.compile(r"(?:[1-6][1-6]|\([1-6][-,][1-6]\)|[1-6]-[1-6])\s*:\s*")


class Play(NamedTuple):
    """The path of a man in one turn: its points, beginning with the one it leaves, and the points where it hits."""

    points: tuple[int, ...]
    hits: frozenset[int]


# ---------------------------------------------------------------- writing


def _name(point: int) -> str:
    return {BAR: "bar", OFF: "off"}.get(point, str(point))


def hits_of(state: Backgammon, move: int) -> frozenset[int]:
    """Return the points, in the view of the seat on roll, where a turn hits."""
    blots = _blots(state)
    return frozenset(to for _, to in steps_of(state, move) if to in blots)


# a list of moves asks for the same position, and the same steps, again and again
@lru_cache(maxsize=64)
def _blots(state: Backgammon) -> frozenset[int]:
    """Return the other side's blots, in the view of the seat on roll."""
    other = sides(state)[1 - state.seat]
    return frozenset(BAR - point for point in range(1, BAR) if other[point] == 1)


def format_move(state: Backgammon, move: int) -> str:
    """Write a legal move."""
    if state.roll == 0:
        return CUBE.get(move, str(move))
    return write_steps(tuple(steps_of(state, move)), hits_of(state, move))


@lru_cache(maxsize=4096)
def write_steps(steps: tuple[tuple[int, int], ...], hits: frozenset[int]) -> str:
    """Write steps, joined where a man goes on without a hit."""
    ways: list[list[int]] = []
    left = sorted(steps, reverse=True)
    while left:
        way = list(left.pop(0))
        while True:
            following = next((step for step in left if step[0] == way[-1]), None)
            if following is None:
                break
            left.remove(following)
            way.append(following[1])
        ways.append(way)
    marked: set[int] = set()
    counts: Counter[str] = Counter()
    stars: set[str] = set()
    for way in ways:
        shown = [way[0], *(point for point in way[1:-1] if point in hits - marked), way[-1]]
        plain = "/".join(map(_name, shown[:1])) + "".join(
            f"/{_name(point)}{'*' if place < len(shown) - 2 else ''}" for place, point in enumerate(shown[1:])
        )
        if shown[-1] in hits - marked:
            stars.add(plain)
        marked |= hits & set(way[1:])
        counts[plain] += 1
    words = (f"{plain}{'*' * (plain in stars)}{f'({count})' if count > 1 else ''}" for plain, count in counts.items())
    return " ".join(words) or PASS


# ---------------------------------------------------------------- reading


def _plays(text: str) -> list[Play] | None:
    """Return the ways of a text; None if it is not one of a turn."""
    found = []
    for word in text.split():
        match = _WORD.fullmatch(word)
        if not match:
            return None
        named = re.split("[/-]", match["points"])
        numbers = {"bar": BAR, "b": BAR, "off": OFF, "o": OFF}
        points = tuple(
            numbers[name.rstrip("*")] if name.rstrip("*") in numbers else int(name.rstrip("*")) for name in named
        )
        if max(points) > BAR or any(to >= source for source, to in pairwise(points)):
            return None
        hits = frozenset(point for point, name in zip(points, named, strict=True) if name.endswith("*"))
        found += [Play(points, hits)] * int(match["times"] or 1)
    return found if len(found) <= 4 else None


def change_of(steps: Iterable[Sequence[int]]) -> dict[int, int]:
    """Return by how many men each point changes."""
    change: Counter[int] = Counter()
    for points in steps:
        change[points[0]] -= 1
        change[points[-1]] += 1
    return {point: count for point, count in change.items() if count}


def reader(moves_of: Callable[[Backgammon], Sequence[int]]) -> Callable[[Backgammon, str], str]:
    """Return the reader of other spellings: any order, steps apart or joined, with or without hits and the roll.

    ``moves_of`` returns the legal moves. A spelling is read if one legal turn fits it: the same changes of points, with
    all hits that it names, and, if several differ in their hits, with those on the points that it names.
    """

    def read_move(state: Backgammon, text: str) -> str:
        text = " ".join(text.lower()[:LONGEST].split())
        if state.roll == 0:
            if len(text) > 1 and set(text) <= set("123456-, ()"):
                text = re.sub(r"\D", "", text)
            if state.seat in (0, 1) and len(text) == 2 and text.isdecimal():
                return "".join(sorted(text, reverse=True))
            return _ALIASES.get(text, text)
        text = _ROLL.sub("", text, count=1)
        if text in _PASSES or text in {"", "(no move)"}:
            return PASS
        plays = _plays(text)
        if plays is None:
            return text
        change = change_of(play.points for play in plays)
        named = frozenset().union(*(play.hits for play in plays))
        fitting = []
        for move in moves_of(state):
            steps = steps_of(state, move)
            if change_of(steps) == change and named <= (hits := hits_of(state, move)):
                fitting.append((move, hits))
        if len(fitting) > 1:
            reached = {point for play in plays for point in play.points[1:]} & _blots(state)
            fitting = [(move, hits) for move, hits in fitting if hits == reached]
        return format_move(state, fitting[0][0]) if len(fitting) == 1 else text

    return read_move
