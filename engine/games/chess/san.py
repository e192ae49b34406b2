# SPDX-License-Identifier: GPL-3.0-or-later
"""Moves as people write them: standard algebraic notation, "Nf3", "exd6", "O-O", "e8=Q+"."""

import re
from collections.abc import Callable, Sequence

from engine.game import Position, State
from engine.games.chess.board import CASTLE, KIND_AT, SQUARE, TARGET_AT
from engine.games.chess.sight import in_check
from engine.games.chess.squares import NAMES, men, origin, promotion, target

_MOVE = re.compile(r"([KQRBN])?([a-h])?([1-8])?[x:-]?([a-h][1-8])(?:\(?=?/?([QRBNqrbn])\)?)?")
_CASTLE = re.compile(r"[O0o](-?[O0o]){1,2}")
_MARKS = re.compile(r"\s*(?:e\.?p\.?)?\s*(?:\+\+|[+#])?\s*[!?]*\s*$")


def write(position: Position, move: int, play: Callable[[Position, int], Position]) -> str:
    """Write a legal move of a position; ``play`` makes it, to tell check and mate."""
    return bare(position, move) + sign(play(position, move))


def sign(after: Position) -> str:
    """Return the sign of a move that led to a position: "+" for check, "#" for mate, else nothing."""
    return "#" if any(after.payoffs) else "+" if in_check(after.state) else ""


def bare(position: Position, move: int) -> str:
    """Write a legal move of a position, without the signs of check and mate."""
    state = position.state
    start, end, reached = origin(state, move), target(state, move), move >> int(TARGET_AT) & int(SQUARE)
    if move >> int(KIND_AT) == CASTLE:
        return "O-O" if end % 8 == 6 else "O-O-O"
    found = men(state)
    letter = found[start].upper()
    captures = end in found or (letter == "P" and start % 8 != end % 8)
    if letter == "P":
        name = NAMES[start][0] if captures else ""
    else:
        rivals = [
            place
            for other in position.moves
            if other >> int(TARGET_AT) & int(SQUARE) == reached
            for place in [origin(state, other)]
            if place != start and found[place].upper() == letter
        ]
        name = letter + _told_apart(start, rivals)
    became = promotion(move)
    return name + ("x" if captures else "") + NAMES[end] + (f"={became}" if became else "")


def _told_apart(square: int, rivals: Sequence[int]) -> str:
    """Return the least that tells a square from others: its file, its rank, or both."""
    if not rivals:
        return ""
    if all(rival % 8 != square % 8 for rival in rivals):
        return NAMES[square][0]
    if all(rival // 8 != square // 8 for rival in rivals):
        return NAMES[square][1]
    return NAMES[square]


def read(state: State, moves: Sequence[int], text: str) -> int | None:
    """Return the legal move that a text names, also one that says more or less than it must ("Ng1f3", "e8Q", "0-0").

    None when it names none. Raises ValueError when it may be several.
    """
    text = _MARKS.sub("", text.strip()[:20])
    if _CASTLE.fullmatch(text):
        column = 6 if len(re.findall("[O0o]", text)) == 2 else 2
        castling = [move for move in moves if move >> int(KIND_AT) == CASTLE]
        return next((move for move in castling if target(state, move) % 8 == column), None)
    parts = _MOVE.fullmatch(text)
    if not parts:
        return None
    letter, file, rank, end, became = parts.groups()
    plain = not letter and file and rank
    found = men(state)
    named = [
        move
        for move in moves
        if NAMES[target(state, move)] == end and promotion(move) == (became or "").upper()
        for start in [origin(state, move)]
        if (plain or found[start].upper() == (letter or "P"))
        and file in (None, NAMES[start][0])
        and rank in (None, NAMES[start][1])
    ]
    if len(named) > 1:
        origins = ", ".join(NAMES[origin(state, move)] for move in named)
        raise ValueError(f"{text} may come from {origins}: write the square")
    return named[0] if named else None
