# SPDX-License-Identifier: GPL-3.0-or-later
"""FEN (Forsyth-Edwards Notation) of chess positions, with strict checks.

The counters of plies and moves are optional and ignored: a match counts from its start position, and written positions
end with "0 1". The en passant square is kept only if a capture is legal, so equal positions have equal texts.
"""

import re
from collections.abc import Collection, Iterable, Mapping

from engine.bitboards.bits import Bits
from engine.game import State
from engine.games.chess.attacks import exposed
from engine.games.chess.board import BLACK, PASSING, WHITE, Chess
from engine.games.chess.moves import passing
from engine.games.chess.notation import KINDS, NAMES, black_moves, men, seen

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

LIMIT = 120
"""Maximum number of characters of a position."""

MEN, PAWNS = 16, 8
"""Maximum numbers of a side."""

SIDES = {"w": "white", "b": "black"}
RIGHTS = {"K": ("e1", "h1"), "Q": ("e1", "a1"), "k": ("e8", "h8"), "q": ("e8", "a8")}
"""Squares of king and rook for each castling right; a state marks the rook's square."""


# ---------------------------------------------------------------- reading


def parse(text: str) -> Chess:
    """Read a position. Raises ValueError, with a readable message, if it is not a position."""
    fields = text.split() if len(text) <= LIMIT else []
    if not 4 <= len(fields) <= 6:
        raise ValueError(f"{text[:80]!r} is not a position; write FEN such as {START}")
    placement, turn, rights, target, *counters = fields
    found = read_placement(placement)
    check_men(found)
    if turn not in SIDES:
        raise ValueError(f"{turn[:20]!r} is not a side to move; write w or b")
    for counter, name in zip(counters, ("plies without capture", "moves"), strict=False):
        if not re.fullmatch(r"[0-9]{1,5}", counter):
            raise ValueError(f"{counter[:20]!r} is not a number of {name}")
    state = state_of(found, turn == "b", [*read_rights(rights, found), *read_passing(target, turn, found)])
    if exposed(state):
        raise ValueError(f"{SIDES[turn]} is to move and could capture the king")
    if state.marks & PASSING and not passing(state):
        state = state._replace(marks=state.marks & ~PASSING)
    return state


def read_placement(text: str) -> dict[int, str]:
    """Return the letter of the piece on each occupied square."""
    ranks = text.split("/")
    if len(ranks) != 8:
        raise ValueError(f"a board has 8 ranks with / between them, not {len(ranks)}")
    found: dict[int, str] = {}
    for number, rank in zip(range(8, 0, -1), ranks, strict=True):
        file = 0
        for letter in rank:
            if letter in "12345678":
                file += int(letter)
            elif letter.upper() in KINDS:
                found[8 * (number - 1) + file] = letter
                file += 1
            else:
                raise ValueError(f"{letter!r} in rank {number} is neither a piece nor a number of empty squares")
        if file != 8:
            raise ValueError(f"rank {number} has {file} squares, not 8")
    return found


def check_men(found: Mapping[int, str], allowed: Collection[int] = (1,)) -> None:
    """Check the numbers of men, and the squares of pawns; ``allowed``: the possible numbers of kings of a side."""
    for side, letters in (("white", KINDS), ("black", KINDS.lower())):
        own = [letter for letter in found.values() if letter in letters]
        pawns, kings = own.count(letters[0]), own.count(letters[-1])
        if kings not in allowed:
            raise ValueError(f"{side} has {kings} kings" if kings else f"{side} has no king")
        if pawns > PAWNS:
            raise ValueError(f"{side} has {pawns} pawns; there are {PAWNS}")
        if len(own) > MEN:
            raise ValueError(f"{side} has {len(own)} men; there are {MEN}")
    for square, letter in found.items():
        if letter in "Pp" and square // 8 in (0, 7):
            raise ValueError(f"a pawn cannot stand on {NAMES[square]}")


def read_rights(text: str, found: Mapping[int, str]) -> list[int]:
    """Return the squares of rooks with castling rights."""
    if text == "-":
        return []
    if len(set(text)) != len(text) or not set(text) <= set(RIGHTS):
        raise ValueError(f"{text[:20]!r} are not castling rights; write some of KQkq, or -")
    squares = []
    for letter in text:
        side, rook = ("white", "R") if letter.isupper() else ("black", "r")
        for name, piece in zip(RIGHTS[letter], ("K" if letter.isupper() else "k", rook), strict=True):
            if found.get(NAMES.index(name)) != piece:
                kind = "king" if piece in "Kk" else "rook"
                raise ValueError(f"{side} cannot have the right {letter} to castle without a {kind} on {name}")
        squares.append(NAMES.index(RIGHTS[letter][1]))
    return squares


def read_passing(text: str, turn: str, found: Mapping[int, str]) -> list[int]:
    """Return the target of a capture en passant."""
    if text == "-":
        return []
    pawn, rank, step = ("p", "6", 8) if turn == "w" else ("P", "3", -8)
    square = NAMES.index(text) if text in NAMES else -1
    if not text.endswith(rank) or square < 0:
        raise ValueError(f"{text[:20]!r} is not an en passant square; write one of rank {rank}, or -")
    if found.get(square - step) != pawn or square in found or square + step in found:
        raise ValueError(f"no pawn can have passed {text} with the last move")
    return [square]


def state_of(found: Mapping[int, str], black: bool, marked: Iterable[int]) -> Chess:
    """Return the state of the men on their squares; ``marked``: squares of rooks that may castle, and en passant."""

    def board(squares: Iterable[int]) -> Bits:
        return Bits(sum(1 << (square ^ 56 if black else square) for square in set(squares)))

    def pieces(letters: str) -> Bits:
        return board(square for square, letter in found.items() if letter in letters)

    own, enemy = (KINDS.lower(), KINDS) if black else (KINDS, KINDS.lower())
    return Chess(
        own=pieces(own),
        enemy=pieces(enemy),
        pawns=pieces("Pp"),
        knights=pieces("Nn"),
        diagonal=pieces("BbQq"),
        straight=pieces("RrQq"),
        kings=pieces("Kk"),
        marks=board(marked) | (BLACK if black else WHITE),
    )


# ---------------------------------------------------------------- writing


def write(state: State) -> str:
    """Write a state."""
    found = men(state)
    rows = ("".join(found.get(8 * rank + file, ".") for file in range(8)) for rank in range(7, -1, -1))
    placement = "/".join(re.sub(r"\.+", lambda gap: str(len(gap[0])), row) for row in rows)
    marked = {name for square, name in enumerate(NAMES) if int(state.marks) >> seen(state, square) & 1}
    rights = "".join(letter for letter, (_, rook) in RIGHTS.items() if rook in marked) or "-"
    turn, rank = ("b", "3") if black_moves(state) else ("w", "6")
    target = next((name for name in marked if name[1] == rank), "-")
    return f"{placement} {turn} {rights} {target} 0 1"
