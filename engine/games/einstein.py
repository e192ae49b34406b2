# SPDX-License-Identifier: GPL-3.0-or-later
"""EinStein würfelt nicht! (I. Althöfer, 2004): a race of six numbered stones a side, on 25 squares, with a die.

The die selects the stone that moves one square towards the opposite corner, straight or diagonally. If that stone was
captured, a stone with the next higher or lower number moves. A stone captures any stone on its target, own stones too.
A player wins by reaching the corner or by capturing all enemy stones.
"""

import re
from math import tanh
from typing import NamedTuple

from engine.decision import Decision, End, Endings
from engine.drawing import Aside, Board, Piece, Shape
from engine.evaluation import Evaluation
from engine.game import CHANCE, Game, Moves, State, features, irreversible, legal_moves, outcome, step, to_move
from engine.hints.alphabeta import gain, slot
from engine.kernel import implements, inlined
from engine.time_control import TimeControl

STONES = 6
SIDE = 5
GOALS = (SIDE - 1, SIDE * (SIDE - 1))
"""Target corner of each seat, as a square of the diagram: top right, bottom left."""

BITS = 5
GONE = (1 << BITS) - 1
"""Square of a captured stone."""
NONE_LEFT = (1 << BITS * STONES) - 1

FAR = 9
"""More steps than any stone needs."""
ARRIVAL = 100
"""Gain of reaching the corner, for move ordering."""
DECIDED = 250.0
"""The score of ``race`` at which the expected payoff is 0.76, by experience."""


class Einstein(NamedTuple):
    """The squares of each seat's stones, five bits for each stone, stone 1 lowest."""

    first: int
    second: int
    seat: int
    """The seat to move or to roll."""
    shown: int
    """The face of the die, 0 before the roll."""


@inlined
def square_of(stones: int, stone: int) -> int:
    """Return the square of a stone (0 to 5), or GONE."""
    return stones >> BITS * stone & GONE


@inlined
def without(stones: int, square: int) -> int:
    """Return the stones without the one on a square, if any."""
    for stone in range(STONES):
        if square_of(stones, stone) == square:
            stones |= GONE << BITS * stone
    return stones


@inlined
def steps_left(square: int, seat: int) -> int:
    """Return the number of steps of a stone to its target corner."""
    seen = 24 - square if seat else square
    row, column = seen // SIDE, seen % SIDE
    return max(row, SIDE - 1 - column)


@implements(to_move, Einstein)
def _to_move(state: State) -> int:
    return state.seat if state.shown else CHANCE


@inlined
def _add_steps(stones: int, stone: int, seat: int, out: Moves, count: int) -> int:
    """Write the moves of a stone: up to two straight ones and a diagonal one."""
    square = square_of(stones, stone)
    row, column = square // SIDE, square % SIDE
    sign = -1 if seat else 1
    up = row < SIDE - 1 if seat else row > 0
    on = column > 0 if seat else column < SIDE - 1
    if up:
        out[count] = stone << BITS | square - SIDE * sign
        count += 1
    if on:
        out[count] = stone << BITS | square + sign
        count += 1
    if up and on:
        out[count] = stone << BITS | square - (SIDE - 1) * sign
        count += 1
    return count


@implements(legal_moves, Einstein)
def _legal_moves(state: State, out: Moves) -> int:
    if not state.shown:
        for face in range(STONES):
            out[face] = face + 1
        return STONES
    stones = state.second if state.seat else state.first
    lower = state.shown - 1
    while lower >= 0 and square_of(stones, lower) == GONE:
        lower -= 1
    higher = state.shown - 1
    while higher < STONES and square_of(stones, higher) == GONE:
        higher += 1
    count = 0
    if lower >= 0:
        count = _add_steps(stones, lower, state.seat, out, count)
    if higher < STONES and higher != lower:
        count = _add_steps(stones, higher, state.seat, out, count)
    return count


@implements(step, Einstein)
def _step(state: State, move: int) -> Einstein:
    if not state.shown:
        return Einstein(state.first, state.second, state.seat, move)
    stone, target = move >> BITS, move & GONE
    first, second = without(state.first, target), without(state.second, target)
    placed = (GONE ^ target) << BITS * stone
    if state.seat:
        second = (second | GONE << BITS * stone) ^ placed
    else:
        first = (first | GONE << BITS * stone) ^ placed
    return Einstein(first, second, 1 - state.seat, 0)


@implements(outcome, Einstein)
def _outcome(state: State) -> tuple[bool, float, float]:
    if state.first == NONE_LEFT:
        return True, -1.0, 1.0
    if state.second == NONE_LEFT:
        return True, 1.0, -1.0
    for stone in range(STONES):
        if square_of(state.first, stone) == GOALS[0]:
            return True, 1.0, -1.0
        if square_of(state.second, stone) == GOALS[1]:
            return True, -1.0, 1.0
    return False, 0.0, 0.0


@implements(irreversible, Einstein)
def _irreversible(state: State, move: int) -> bool:
    """Stones never move back, so no position occurs again."""
    return True


@implements(slot, Einstein)
def _slot(state: State, move: int) -> int:
    return move


@implements(gain, Einstein)
def _gain(state: State, move: int) -> int:
    """Progress of a captured enemy stone; reaching the corner is worth most."""
    if not state.shown:
        return 0
    target = move & GONE
    if target == (GOALS[1] if state.seat else GOALS[0]):
        return ARRIVAL
    others = state.first if state.seat else state.second
    return SIDE - steps_left(target, 1 - state.seat) if without(others, target) != others else 0


@inlined
def _race(stones: int, seat: int) -> tuple[int, int]:
    """Return the steps of the moving stone, summed over the faces of the die, and those of the nearest stone.

    If two stones can move, the one with fewer steps counts.
    """
    added, missing, before, nearest = 0, 0, FAR, FAR
    for stone in range(STONES):
        square = square_of(stones, stone)
        if square == GONE:
            missing += 1
        else:
            steps = steps_left(square, seat)
            added += steps + missing * min(before, steps)
            nearest = min(nearest, steps)
            before, missing = steps, 0
    return added + missing * before, nearest


@implements(features, Einstein)
def _features(state: State) -> tuple[int, int]:
    """Steps of the other seat minus own steps: summed over the faces of the die, and of the nearest stone."""
    own_all, own_nearest = _race(state.first, 0)
    other_all, other_nearest = _race(state.second, 1)
    # before a roll, features are for seat 0
    sign = -1 if state.shown and state.seat else 1
    return sign * (other_all - own_all), sign * (other_nearest - own_nearest)


# ---------------------------------------------------------------- notation

NAMES = tuple(f"{column}{row}" for row in range(SIDE, 0, -1) for column in "abcde")
LETTERS = ("123456", "abcdef")
"""Letters of each seat's stones."""
FACES: tuple[Shape, ...] = ("one", "two", "three", "four", "five", "six")
_POSITION = re.compile(r"((?:[1-6a-f.]{5}/){4}[1-6a-f.]{5}) ([dl]) ([1-6-])")
_MOVE = re.compile(r"([a-e][1-5])\s*[-x:]?\s*([a-e][1-5])")


def _stones(cells: str, seat: int) -> int:
    stones = 0
    for stone, letter in enumerate(LETTERS[seat]):
        if cells.count(letter) > 1:
            raise ValueError(f"there must be at most one stone {letter} (got {cells.count(letter)})")
        stones |= (cells.index(letter) if letter in cells else GONE) << BITS * stone
    return stones


def _parse_position(text: str) -> Einstein:
    found = _POSITION.fullmatch(text.strip())
    if not found:
        raise ValueError(
            f"{text[:80]!r} is not a position; write the rows from the top, 1 to 6 dark and a to f light, the side to "
            "move (d or l) and the face of the die (- before the roll), like ..dfb/...ea/3...c/15.../264.. d -"
        )
    cells = found[1].replace("/", "")
    first, second = _stones(cells, 0), _stones(cells, 1)
    won = [cells[GOALS[0]] in LETTERS[0] or second == NONE_LEFT, cells[GOALS[1]] in LETTERS[1] or first == NONE_LEFT]
    if all(won):
        raise ValueError("only one side can have won")
    return Einstein(first, second, "dl".index(found[2]), 0 if found[3] == "-" else int(found[3]))


def _diagram(state: State) -> str:
    cells = ["."] * SIDE**2
    for letters, stones in zip(LETTERS, state[:2], strict=True):
        for stone, letter in enumerate(letters):
            square = stones >> BITS * stone & GONE
            if square != GONE:
                cells[square] = letter
    return "".join(cells)


def _format_position(state: State) -> str:
    cells = _diagram(state)
    rows = "/".join(cells[row : row + SIDE] for row in range(0, SIDE**2, SIDE))
    return f"{rows} {'dl'[state.seat]} {state.shown or '-'}"


def _squares(state: State, move: int) -> tuple[int, ...]:
    """Return origin and target of a move, or the stones that a roll allows to move."""
    stones = state[state.seat]
    if state.shown:
        return (stones >> BITS * (move >> BITS) & GONE, move & GONE)
    there = [stone for stone in range(STONES) if stones >> BITS * stone & GONE != GONE]
    lower = [stone for stone in there if stone < move]
    higher = [stone for stone in there if stone >= move - 1]
    chosen = {*lower[-1:], *higher[:1]}
    if move - 1 in there:
        chosen = {move - 1}
    return tuple(sorted(stones >> BITS * stone & GONE for stone in chosen))


def _format_move(state: State, move: int) -> str:
    if not state.shown:
        return str(move)
    origin, target = _squares(state, move)
    return f"{NAMES[origin]}{'-' if _diagram(state)[target] == '.' else 'x'}{NAMES[target]}"


def _read_move(state: State, text: str) -> str:
    """Accept any sign between the squares, or none."""
    text = text.strip().lower()
    found = _MOVE.fullmatch(text)
    if not found:
        return text
    sign = "-" if _diagram(state)[NAMES.index(found[2])] == "." else "x"
    return f"{found[1]}{sign}{found[2]}"


def _aside(state: State) -> Aside:
    """Return the die."""
    return Aside(dice=(state.shown,), roller=state.seat) if state.shown else Aside()


def _payoff_of_score(score: float) -> float:
    """Return the expected payoff of a score of ``race``, by experience."""
    return tanh(score / DECIDED)


CORNER, CAPTURES = "by reaching the opposite corner", "by capturing every stone"


def _decide(end: End) -> Decision:
    square = () if end.before is None else _squares(end.before, end.move)[-1:]
    return Decision(CAPTURES if NONE_LEFT in end.state[:2] else CORNER, won=square)


_PIECES = {
    letter: Piece(f"{tone} {face}", face, seat)
    for seat, tone in enumerate(("dark", "light"))
    for letter, face in zip(LETTERS[seat], FACES, strict=True)
}

GAMES = [
    Game(
        name="einstein",
        title="EinStein würfelt nicht!",
        state=Einstein,
        start=lambda: _parse_position("..dfb/...ea/3...c/15.../264.. d -"),
        parse_position=_parse_position,
        format_position=_format_position,
        format_move=_format_move,
        diagram=_diagram,
        squares=_squares,
        board=Board(SIDE, SIDE, "checkered", _PIECES),
        width=STONES,
        evaluations={
            "race": Evaluation("race", (10, 20), "steps to the corner, opponent's minus own", win=1000, man=60)
        },
        time_control=TimeControl(10_000, 200),
        seats=("Dark", "Light"),
        description="A die selects which of your six stones moves. Reach the opposite corner or capture all stones.",
        rules="Each side has six stones, numbered from 1 to 6, in its corner of a 5 × 5 board. Before each move a "
        "die is rolled. The stone with the number of the roll moves; if it was captured, the player chooses the stone "
        "with the next higher or the next lower number that is still on the board.\n\nA stone moves one square "
        "towards the opposite corner: forwards, sideways, or diagonally between the two. It captures the stone that "
        "stands on the new square, of either side.\n\nThe player who reaches the opposite corner with a stone, or "
        "captures all stones of the opponent, wins. There are no draws. Ingo Althöfer invented the game in 2004.",
        link="https://en.wikipedia.org/wiki/EinStein_w%C3%BCrfelt_nicht!",
        read_move=_read_move,
        chance=True,
        payoff_of_score=_payoff_of_score,
        aside=_aside,
        endings=Endings(_decide, (CORNER, CAPTURES), "corner or captures"),
    )
]
