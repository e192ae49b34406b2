# SPDX-License-Identifier: GPL-3.0-or-later
"""Grundy's game, a variant of Nim: split a heap into two unequal heaps; a player who cannot move loses.

A state is a row of tokens with bars between the heaps, the largest heap first, so equal multisets of heaps are equal
states. Each move adds a heap, so the number of heaps determines the seat to move. "nim/N" starts from a heap of N.
"""

import re
from typing import NamedTuple

import numpy as np

from engine.bitboards.bits import lowest, popcount
from engine.decision import NO_MOVE, Decision, Endings
from engine.drawing import Board, Piece
from engine.evaluation import Evaluation
from engine.game import Game, Moves, State, features, irreversible, legal_moves, outcome, step, to_move
from engine.hints.alphabeta import slot
from engine.kernel import implements, inlined
from engine.rules import OpeningRule
from engine.time_control import TimeControl

LARGEST = 63
"""Maximum number of tokens of a state."""

WHOLE_AT, SMALLER = 6, 63
"""A move is the heap to split, shifted, and its smaller part."""


class Nim(NamedTuple):
    """Bit i of ``bars`` is set if a heap ends with token i and another heap follows."""

    tokens: int
    bars: int


@inlined
def first_heap(bars: int, tokens: int) -> int:
    """Return the size of the first heap of a row of tokens, 0 without tokens."""
    return np.int64(lowest(np.uint64(bars))) + 1 if bars else tokens  # type: ignore[return-value]  # an int64, compiled


@implements(to_move, Nim)
def _to_move(state: State) -> int:
    return popcount(np.uint64(state.bars)) & 1


@implements(outcome, Nim)
def _outcome(state: State) -> tuple[bool, float, float]:
    """The side to move loses if no heap has more than two tokens."""
    loss = 1.0 if popcount(np.uint64(state.bars)) & 1 else -1.0
    return first_heap(state.bars, state.tokens) <= 2, loss, -loss


@implements(legal_moves, Nim)
def _legal_moves(state: State, out: Moves) -> int:
    tokens, bars = state
    count, before = 0, 0
    while tokens:
        heap = first_heap(bars, tokens)
        if heap != before:
            for smaller in range(1, (heap + 1) // 2):
                out[count] = heap << WHOLE_AT | smaller
                count += 1
        before = heap
        bars >>= heap
        tokens -= heap
    return count


@implements(step, Nim)
def _step(state: State, move: int) -> Nim:
    """Replace a heap by its two parts; the row stays sorted from large to small."""
    whole, smaller = move >> WHOLE_AT, move & SMALLER
    larger = whole - smaller
    tokens, bars = state
    part, replaced, merged, end = larger, False, 0, 0
    while tokens or part:
        heap = first_heap(bars, tokens)
        if heap >= part:
            bars >>= heap
            tokens -= heap
            if heap == whole and not replaced:
                replaced = True
                continue
        else:
            heap = part
            part = smaller if part == larger else 0
        end += heap
        merged |= 1 << end - 1
    return Nim(state.tokens, merged ^ 1 << end - 1)


@implements(irreversible, Nim)
def _irreversible(state: State, move: int) -> bool:
    return True


@implements(slot, Nim)
def _slot(state: State, move: int) -> int:
    return move


@implements(features, Nim)
def _features(state: State) -> tuple[int]:
    """1 if an odd number of heaps can be split, else -1: correct if each can be split once."""
    tokens, bars = state
    heap, sign = first_heap(bars, tokens), -1
    while heap > 2:
        sign = -sign
        bars >>= heap
        tokens -= heap
        heap = first_heap(bars, tokens)
    return (sign,)


# ---------------------------------------------------------------- notation

_POSITION = re.compile(r"[1-9]\d?(\+[1-9]\d?)*")
_MOVE = re.compile(r"\s*(\d+)\s*=\s*(\d+)\s*\+\s*(\d+)\s*")


def _heaps(state: State) -> list[int]:
    """Return the heaps of a state, the largest first."""
    ends = [token + 1 for token in range(state.tokens) if state.bars >> token & 1 or token == state.tokens - 1]
    return [end - begin for begin, end in zip([0, *ends], ends, strict=False)]


def _parse_position(text: str) -> Nim:
    text = text.replace(" ", "")
    heaps = sorted(map(int, text.split("+")), reverse=True) if _POSITION.fullmatch(text) else []
    if not heaps:
        raise ValueError(f"{text[:80]!r} is not a position; write the heaps like 5+7+8")
    if sum(heaps) > LARGEST:
        raise ValueError(f"a position has at most {LARGEST} tokens (got {sum(heaps)})")
    bars = 0
    for index in range(1, len(heaps)):
        bars |= 1 << sum(heaps[:index]) - 1
    return Nim(sum(heaps), bars)


def _format_position(state: State) -> str:
    return "+".join(map(str, reversed(_heaps(state))))


def _format_move(state: State, move: int) -> str:
    whole, smaller = move >> WHOLE_AT, move & SMALLER
    return f"{whole}={smaller}+{whole - smaller}"


def _read_move(state: State, text: str) -> str:
    """Accept spaces, and the parts in either order."""
    found = _MOVE.fullmatch(text)
    if not found:
        return text
    whole, *parts = map(int, found.groups())
    return f"{whole}={min(parts)}+{max(parts)}"


def _game(name: str, tokens: int) -> Game:
    columns, rows = tokens, max(tokens - 1, 1)

    def diagram(state: State) -> str:
        """Draw each heap as a row; a position with more tokens than the game's start may not fit and is cut off."""
        heaps = (_heaps(state) + [0] * rows)[:rows]
        return "".join("o" * min(heap, columns) + "." * (columns - heap) for heap in heaps)

    def squares(state: State, move: int) -> tuple[int, ...]:
        """Return the tokens of the two new heaps after the move."""
        whole, smaller = move >> WHOLE_AT, move & SMALLER
        parts = (whole - smaller, smaller)
        heaps = _heaps(state)
        heaps.remove(whole)
        heaps = sorted((*heaps, *parts), reverse=True)
        lying = [(heaps.index(part), min(part, columns)) for part in parts]
        return tuple(row * columns + token for row, tokens in lying if row < rows for token in range(tokens))

    return Game(
        name=name,
        title="Nim (Grundy's game)" if name == "nim" else f"Nim from {tokens}",
        state=Nim,
        start=lambda: Nim(tokens, 0),
        parse_position=_parse_position,
        format_position=_format_position,
        format_move=_format_move,
        diagram=diagram,
        squares=squares,
        board=Board(rows, columns, "heaps", {"o": Piece("token", "token", None)}),
        width=LARGEST // 2,
        evaluations={
            "live-heaps": Evaluation("live-heaps", (1,), "1 if an odd number of heaps can be split, otherwise -1")
        },
        time_control=TimeControl(10_000, 100),
        opening=OpeningRule(plies=1),
        description=f"The game begins with one heap of {tokens} tokens. A move splits a heap into two unequal heaps. A "
        "player who cannot move loses.",
        rules=f"The game begins with one heap of {tokens} tokens. Both players move in turn.\n\nA move splits one "
        "heap into two heaps of different sizes. A heap of one or two tokens cannot be split.\n\nThe player who "
        "cannot move loses. There are no draws. Patrick Michael Grundy published the game in 1939.",
        link="https://en.wikipedia.org/wiki/Grundy%27s_game",
        read_move=_read_move,
        endings=Endings(lambda end: Decision(NO_MOVE), (NO_MOVE,), "no legal move"),
        scale=0.4,
    )


GAMES = [_game("nim", 20)]


def variant(suffix: str) -> Game | None:
    """Return the variant with another initial heap, named by its size."""
    if suffix in map(str, range(1, LARGEST + 1)):
        return _game(f"nim/{suffix}", int(suffix))
    return None
