# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions and moves of repeated matrix games as text, and their drawing as strips of rounds.

A position is "ROUNDS [NOISE%] [FIRST SECOND] [!CHOICES]": the number of rounds, the noise if there is any, the letters
of the actions of both seats so far ("-" for none), and the choices that were made in a round that is not over.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from engine.drawing import Aside, Board, Piece, Shape, Tone
from engine.game import State
from engine.games.matrix.rules import (
    CELL_BITS,
    CHOICE,
    CHOICE_BITS,
    HISTORY,
    IN_A_WORD,
    MOST_ACTIONS,
    MOST_NOISE,
    MOST_PAYOFF,
    PAYOFF_BITS,
    PAYOFF_MASK,
    PAYOFFS,
    SHIFT,
    UNIT,
    WORD_BITS,
    Repeated,
    choice_bits,
    most_rounds,
)

Payoffs = tuple[tuple[tuple[float, float], ...], ...]
"""Payoffs of both seats by row and column."""

STRIPS, STRIP = 8, 25
"""Number of strips of a drawing, and rounds of a strip."""

_POSITION = re.compile(r"(\d{1,4})(?: (\d{1,2})%)?(?: ([A-Za-z]+|-) ([A-Za-z]+|-))?(?: !([A-Za-z]{1,2}))?")
_NUMBER = re.compile(r"-?\d{1,3}(\.\d{1,2})?")


@dataclass(frozen=True)
class Actions:
    """The actions of a game: words of moves, letters of positions, and shapes of the drawing."""

    words: tuple[str, ...]
    letters: str
    shapes: tuple[Shape, ...]
    tones: tuple[Tone, ...]

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def accepted(self) -> dict[str, str]:
        """The word of each accepted spelling in lower case."""
        letters = {letter.lower(): word for letter, word in zip(self.letters, self.words, strict=True)}
        return letters | {word.lower(): word for word in self.words}

    def numbers(self, text: str, count: int) -> list[int]:
        """Return the numbers of actions by letters, "-" for none. Raises ValueError."""
        if text == "-":
            return []
        for letter in text:
            if letter not in self.letters[:count]:
                raise ValueError(f"{letter!r} is not an action; the actions are {', '.join(self.letters[:count])}")
        return [self.letters.index(letter) for letter in text]


# ---------------------------------------------------------------- payoffs


def parse_payoffs(text: str) -> Payoffs:
    """Read payoffs: rows between "/", cells between ",", and in a cell both payoffs between ":".

    A cell with one number is zero-sum. Raises ValueError, with a message for people.
    """
    rows = tuple(tuple(_cell(cell) for cell in row.split(",")) for row in text.split("/"))
    if len({len(row) for row in rows}) != 1:
        raise ValueError("the rows of payoffs must have equally many cells")
    check_payoffs(rows)
    return rows


def check_payoffs(rows: Payoffs) -> None:
    """Check the size of a matrix and its numbers. Raises ValueError, with a message for people."""
    if not 1 <= len(rows) <= MOST_ACTIONS or not 1 <= len(rows[0]) <= MOST_ACTIONS:
        raise ValueError(f"a matrix has 1 to {MOST_ACTIONS} rows and columns (got {len(rows)} × {len(rows[0])})")
    for number in (number for row in rows for cell in row for number in cell):
        if not abs(number) <= MOST_PAYOFF:
            raise ValueError(f"a payoff must be a number from {-MOST_PAYOFF} to {MOST_PAYOFF} (got {number:g})")


def _cell(text: str) -> tuple[float, float]:
    numbers = text.split(":")
    if len(numbers) > 2 or not all(map(_NUMBER.fullmatch, numbers)):
        raise ValueError(f"{text[:40]!r} is not a pair of payoffs; write both like 3:0, with at most two decimals")
    first = float(numbers[0])
    return first, float(numbers[1]) if len(numbers) == 2 else 0.0 - first


def format_payoffs(payoffs: Payoffs) -> str:
    """Write payoffs as ``parse_payoffs`` reads them; all cells with one number if the game is zero-sum."""
    if zero_sum(payoffs):
        return "/".join(",".join(f"{first:g}" for first, _ in row) for row in payoffs)
    return "/".join(",".join(f"{first:g}:{second:g}" for first, second in row) for row in payoffs)


def zero_sum(payoffs: Payoffs) -> bool:
    """Return whether the payoffs of both seats add up to 0 in each cell."""
    return all(first == -second for row in payoffs for first, second in row)


def payoffs_of(state: State) -> Payoffs:
    """Return the payoffs of a round."""

    def number(seat: int, row: int, column: int) -> float:
        place = (seat << 2 * CELL_BITS) + (row << CELL_BITS) + column
        word = state[PAYOFFS + place // IN_A_WORD]
        return float((word >> place % IN_A_WORD * PAYOFF_BITS & PAYOFF_MASK) - SHIFT) / UNIT

    return tuple(
        tuple((number(0, row, column), number(1, row, column)) for column in range(state.columns))
        for row in range(state.rows)
    )


# ---------------------------------------------------------------- states


def state_of(
    payoffs: Payoffs,
    rounds: int,
    noise: int = 0,
    played: Sequence[tuple[int, int]] = (),
    pending: Sequence[int] = (),
) -> Repeated:
    """Return a state. ``played``: the actions of the rounds so far; ``pending``: the choices of the present round, and
    the action that noise left to seat 0. Raises ValueError, with a message for people.
    """
    rows, columns = len(payoffs), len(payoffs[0])
    most = most_rounds(rows, columns)
    if not 1 <= rounds <= most:
        raise ValueError(f"a match has 1 to {most} rounds (got {rounds})")
    if len(played) > rounds:
        raise ValueError(f"{len(played)} rounds were played of {rounds}")
    if not 0 <= noise <= MOST_NOISE:
        raise ValueError(f"noise must be 0 to {MOST_NOISE} % (got {noise} %)")
    if noise and min(rows, columns) < 2:
        raise ValueError("with noise both seats need two actions or more")
    bits = choice_bits(max(rows, columns))
    in_a_word = WORD_BITS // (2 * bits)
    words = [0] * (Repeated._fields.index("p0") - HISTORY)
    first = second = 0
    for number, (row, column) in enumerate(played):
        words[number // in_a_word] |= (row | column << bits) << number % in_a_word * 2 * bits
        first += round(payoffs[row][column][0] * UNIT)
        second += round(payoffs[row][column][1] * UNIT)
    cells = [0] * (len(Repeated._fields) - PAYOFFS)
    for seat in (0, 1):
        for row in range(MOST_ACTIONS):
            for column in range(MOST_ACTIONS):
                place = (seat << 2 * CELL_BITS) + (row << CELL_BITS) + column
                value = round(payoffs[row][column][seat] * UNIT) if row < rows and column < columns else 0
                cells[place // IN_A_WORD] |= value + SHIFT << place % IN_A_WORD * PAYOFF_BITS
    packed = sum(choice + 1 << place * CHOICE_BITS for place, choice in enumerate(pending))
    return Repeated(rounds, rows, columns, noise, len(played), packed, first, second, *words, *cells)


def rounds_of(state: State) -> list[tuple[int, int]]:
    """Return the actions of the rounds so far."""
    bits = choice_bits(max(state.rows, state.columns))
    in_a_word, mask = WORD_BITS // (2 * bits), (1 << bits) - 1
    codes = (state[HISTORY + number // in_a_word] >> number % in_a_word * 2 * bits for number in range(state.round))
    return [(code & mask, code >> bits & mask) for code in codes]


def pending_of(state: State) -> list[int]:
    """Return the choices of the present round, and the action that noise left to seat 0."""
    fields = (state.pending >> place * CHOICE_BITS & CHOICE for place in range(3))
    return [field - 1 for field in fields if field]


# ---------------------------------------------------------------- positions


def parse_position(actions: Actions, payoffs: Payoffs, text: str) -> Repeated:
    """Read a position. Raises ValueError, with a message for people."""
    found = _POSITION.fullmatch(" ".join(text.split()))
    if not found:
        some = actions.letters[:2]
        raise ValueError(
            f"{text[:80]!r} is not a position; write the number of rounds, the noise if there is any, and the actions "
            f"of both seats so far, like 200 or 200 5% {some} {some[::-1]}"
        )
    rows, columns = len(payoffs), len(payoffs[0])
    first, second = actions.numbers(found[3] or "-", rows), actions.numbers(found[4] or "-", columns)
    noise, chosen = int(found[2] or 0), found[5] or ""
    pending = [
        number
        for letter, count in zip(chosen, (rows, columns), strict=False)
        for number in actions.numbers(letter, count)
    ]
    if len(first) == len(second) + 1 and noise and len(pending) == 2:
        pending.append(first.pop())
    if len(first) != len(second):
        raise ValueError(f"both seats must have played equally often (got {len(first)} and {len(second)} actions)")
    if len(pending) > 1 and not noise:
        raise ValueError("without noise the round is over as soon as both seats have chosen")
    played = list(zip(first, second, strict=True))
    if pending and len(played) >= int(found[1]):
        raise ValueError("there is no choice after the last round")
    return state_of(payoffs, int(found[1]), noise, played, pending)


def format_position(actions: Actions, state: State) -> str:
    """Write a position as ``parse_position`` reads it."""
    played, pending, letters = rounds_of(state), pending_of(state), actions.letters
    words = [str(state.rounds)]
    if state.noise:
        words.append(f"{state.noise}%")
    if played or len(pending) == 3:
        first = "".join(letters[row] for row, _ in played) + "".join(letters[left] for left in pending[2:])
        second = "".join(letters[column] for _, column in played)
        words += [first, second or "-"]
    if pending:
        words.append("!" + "".join(letters[choice] for choice in pending[:2]))
    return " ".join(words)


# ---------------------------------------------------------------- drawing


def board_of(actions: Actions) -> Board:
    """Return the board: strips of rounds, each a column with the action of seat 0 below that of seat 1."""
    upper, lower = letters_of(len(actions))
    pieces = {
        letter: Piece(word, shape, seat, tone)
        for seat, letters in ((0, lower), (1, upper))
        for letter, word, shape, tone in zip(letters, actions.words, actions.shapes, actions.tones, strict=True)
    }
    labels = tuple(
        str(strip * STRIP + column + 1) if seat == 0 and column in (0, STRIP - 1) else ""
        for strip in range(STRIPS)
        for seat in (1, 0)
        for column in range(STRIP)
    )
    return Board(2 * STRIPS, STRIP, "rounds", pieces, labels, counted="points")


def letters_of(actions: int) -> tuple[str, str]:
    """Return the letters of a diagram: of the actions of seat 1, and of those of seat 0."""
    return "ABCDEFGH"[:actions], "abcdefgh"[:actions]


def diagram(state: State) -> str:
    """Draw the rounds; from the 201st on, the oldest strips make room for new ones."""
    upper, lower = letters_of(MOST_ACTIONS)
    hidden = max(0, -(-state.round // STRIP) - STRIPS) * STRIP
    shown = rounds_of(state)[hidden:]
    rows = []
    for strip in range(STRIPS):
        part = shown[strip * STRIP : (strip + 1) * STRIP]
        for letters, seat in ((upper, 1), (lower, 0)):
            rows.append("".join(letters[each[seat]] for each in part).ljust(STRIP, "."))
    return "".join(rows)


def aside(state: State) -> Aside:
    """Return the payoffs so far."""
    return Aside((state.first / UNIT, state.second / UNIT))
