# SPDX-License-Identifier: GPL-3.0-or-later
"""Chess notation: squares and diagrams, moves in coordinate notation (UCI) and standard algebraic notation (SAN).

Squares of texts and diagrams are seen by white; a state numbers them as the mover sees them.
"""

import re
from collections.abc import Sequence

from engine.decision import Decision, End
from engine.game import Position, State
from engine.games.chess.attacks import in_check
from engine.games.chess.board import BLACK, CASTLE, KIND_AT, SQUARE, TARGET_AT, TO_KNIGHT, TO_QUEEN
from engine.games.chess.rules import dead

FILES, RANKS = "abcdefgh", "12345678"
NAMES = tuple(file + rank for rank in RANKS for file in FILES)
"""Names of the squares a1, b1, ... h8."""

KINDS = "PNBRQK"
PROMOTED = "NBRQ"
"""Letters of promotions, in the order of the kinds of moves."""

_MOVE = re.compile(r"([KQRBN])?([a-h])?([1-8])?[x:-]?([a-h][1-8])(?:\(?=?/?([QRBNqrbn])\)?)?")
_CASTLE = re.compile(r"[O0o](-?[O0o]){1,2}")
_MARKS = re.compile(r"\s*(?:e\.?p\.?)?\s*(?:\+\+|[+#])?\s*[!?]*\s*$")


# ---------------------------------------------------------------- squares


def black_moves(state: State) -> bool:
    """Return whether black is to move."""
    return bool(int(state.marks) & int(BLACK))


def seen(state: State, square: int) -> int:
    """Convert a square between the mover's and white's point of view."""
    return square ^ 56 if black_moves(state) else square


def origin(state: State, move: int) -> int:
    """Return the origin of a move."""
    return seen(state, move & int(SQUARE))


def target(state: State, move: int) -> int:
    """Return the target of a move."""
    return seen(state, move >> int(TARGET_AT) & int(SQUARE))


def promotion(move: int) -> str:
    """Return the letter of a promotion, "" for other moves."""
    kind = move >> 12
    return PROMOTED[kind - int(TO_KNIGHT)] if TO_KNIGHT <= kind <= TO_QUEEN else ""


def men(state: State) -> dict[int, str]:
    """Return the letter of the piece on each occupied square."""
    own, enemy, pawns, knights, diagonal, straight, kings, _ = (int(board) for board in state)
    turn = 56 if black_moves(state) else 0
    white = enemy if turn else own
    boards = (pawns, knights, diagonal & ~straight, straight & ~diagonal, diagonal & straight, kings)
    found: dict[int, str] = {}
    for letter, board in zip(KINDS, boards, strict=True):
        left = board & (own | enemy)
        while left:
            bit = left & -left
            found[(bit.bit_length() - 1) ^ turn] = letter if white & bit else letter.lower()
            left ^= bit
    return found


def diagram(state: State) -> str:
    """Draw a state, a8 first."""
    found = men(state)
    return "".join(found.get(square ^ 56, ".") for square in range(64))


def squares(state: State, move: int) -> tuple[int, int]:
    """Return origin and target of a move as places in the diagram."""
    return origin(state, move) ^ 56, target(state, move) ^ 56


# ---------------------------------------------------------------- the end

MATE, STALEMATE, MATERIAL = "by checkmate", "by stalemate", "by insufficient material"


def decide(end: End) -> Decision:
    """Return how the game ended, with the king of the side that has no legal move."""
    if end.winner is None and dead(end.state):
        return Decision(MATERIAL)
    king = diagram(end.state).index("Kk"[end.to_move])
    return Decision(STALEMATE if end.winner is None else MATE, lost=(king,))


# ---------------------------------------------------------------- moves


def format_move(state: State, move: int) -> str:
    """Write a move in coordinate notation: origin, target and promotion, such as "e2e4" or "e7e8q"."""
    return NAMES[origin(state, move)] + NAMES[target(state, move)] + promotion(move).lower()


def check_mark(after: Position) -> str:
    """Return the mark of a move that led to a position: "+" for check, "#" for mate, else ""."""
    return "#" if any(after.payoffs) else "+" if in_check(after.state) else ""


def san(position: Position, move: int) -> str:
    """Write a legal move in standard algebraic notation, without the marks of check and mate."""
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
        name = letter + _distinction(start, rivals)
    became = promotion(move)
    return name + ("x" if captures else "") + NAMES[end] + (f"={became}" if became else "")


def _distinction(square: int, rivals: Sequence[int]) -> str:
    """Return the shortest distinction of a square from others: file, rank, or both."""
    if not rivals:
        return ""
    if all(rival % 8 != square % 8 for rival in rivals):
        return NAMES[square][0]
    if all(rival // 8 != square // 8 for rival in rivals):
        return NAMES[square][1]
    return NAMES[square]


def read_san(state: State, moves: Sequence[int], text: str) -> int | None:
    """Return the legal move of a text in algebraic notation, also in long or short forms ("Ng1f3", "e8Q", "0-0").

    None if there is none. Raises ValueError if the text is ambiguous.
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
