# SPDX-License-Identifier: GPL-3.0-or-later
"""Notation of Go: points as "Q16", positions as rows from the top, and the drawing of the board.

The text of a position has the rows from the top: "x" for Black, "o" for White, and numbers of empty points. The side to
move follows, then "ko" with its point if the simple ko forbids one, and "pass" for each pass in a row:
"9/9/2o6/9/4x4/9/9/9/9 b", "... w ko D4", "... w pass".
"""

import re
from typing import Any

from engine.decision import Decision, End, by_points
from engine.drawing import Aside, Board, Piece
from engine.games.go.board import KOMI, OVER, SIDES, every_bit, pack, unpack

COLUMNS = "ABCDEFGHJKLMNOPQRST"
"""Letters of the columns, without I."""

PASS = "pass"

LONGEST = 1000
"""Characters of a position that are read."""

_RUN = re.compile(r"\d+|[xo.+]")
_MOVE = re.compile(r"([A-HJ-T])([1-9]\d?)")


def bit_of(side: int, column: int, row: int) -> int:
    """Return the bit of a point; row 0 is the lowest."""
    return (side + 1) * row + column


def name_of(side: int, bit: int) -> str:
    """Return the name of a point, such as "Q16"."""
    row, column = divmod(bit, side + 1)
    return f"{COLUMNS[column]}{row + 1}"


def bit_named(side: int, text: str) -> int | None:
    """Return the bit of a point's name in any case, None if the board has no such point."""
    found = _MOVE.fullmatch(text.upper())
    if not found:
        return None
    column, row = COLUMNS.index(found[1]), int(found[2]) - 1
    return bit_of(side, column, row) if column < side and row < side else None


# ---------------------------------------------------------------- moves


def format_move(state: Any, move: int) -> str:
    """Write a move as GTP does."""
    side = SIDES[type(state)]
    return PASS if move == side * (side + 1) else name_of(side, move)


def read_move(state: Any, text: str) -> str:
    """Accept any case, and SGF's letters in brackets: "[pd]", "[]"."""
    text = text.strip()
    side = SIDES[type(state)]
    if len(text) in (2, 4) and text[0] == "[" and text[-1] == "]":
        inner = text[1:-1]
        if not inner:
            return PASS
        column, row = ord(inner[0]) - ord("a"), side - 1 - (ord(inner[1]) - ord("a"))
        return name_of(side, bit_of(side, column, row)) if 0 <= column < side and 0 <= row < side else text
    return PASS if text.lower() == PASS else text.upper()


# ---------------------------------------------------------------- positions


def format_position(state: Any) -> str:
    """Write a position; see the module."""
    side = SIDES[type(state)]
    black, white, seat, passes, ko = unpack(state)
    rows = (
        "".join(_letter(black, white, bit_of(side, column, row)) for column in range(side))
        for row in range(side - 1, -1, -1)
    )
    text = "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in rows)
    text += " w" if seat else " b"
    if ko:
        text += f" ko {name_of(side, ko - 1)}"
    return text + f" {PASS}" * passes


def _letter(black: int, white: int, bit: int) -> str:
    return "x" if black >> bit & 1 else "o" if white >> bit & 1 else "."


def parse_position(kind: type, text: str) -> Any:
    """Read a position of this class of states. Raises ValueError."""
    side = SIDES[kind]
    if len(text) > LONGEST:
        raise ValueError(f"a position has at most {LONGEST} characters (got {len(text):,})")
    board, *more = text.lower().split() or [""]
    rows = board.split("/")
    if len(rows) != side:
        raise ValueError(
            f"{text[:60]!r} is not a position; write {side} rows from the top with x for Black, o for White and "
            f"numbers for empty points, then b or w, like {'/'.join([str(side)] * side)} b"
        )
    black = white = 0
    for row, written in zip(range(side - 1, -1, -1), rows, strict=True):
        letters = "".join(_expanded(run) for run in _RUN.findall(written))
        if _RUN.sub("", written) or len(letters) != side:
            raise ValueError(f"the row {written[:40]!r} is not one of {side} points")
        for column, letter in enumerate(letters):
            black |= (letter == "x") << bit_of(side, column, row)
            white |= (letter == "o") << bit_of(side, column, row)
    for name, own, other in (("black", black, white), ("white", white, black)):
        dead = without_liberties(side, own, other)
        if dead:
            point = name_of(side, (dead & -dead).bit_length() - 1)
            raise ValueError(f"the {name} stone on {point} has no liberty")
    return pack(kind, black, white, *_rest(side, black, white, more))


def _expanded(run: str) -> str:
    return "." * min(int(run), 20) if run.isdecimal() else run.replace("+", ".")


def _rest(side: int, black: int, white: int, words: list[str]) -> tuple[int, int, int]:
    """Return the seat to move, passes in a row and the ko of the words after the rows."""
    words = words or ["b"]
    if words[0] not in ("b", "w"):
        raise ValueError(f"the side to move is b or w (got {words[0][:20]!r})")
    seat, ko = int(words[0] == "w"), 0
    words = words[1:]
    if words[:1] == ["ko"]:
        point = bit_named(side, words[1]) if len(words) > 1 else None
        own, other = (white, black) if seat else (black, white)
        if point is None or not is_ko(side, own, other, point):
            raise ValueError(
                "after ko write the point where the side to move could capture one stone back, such as ko D4"
            )
        ko, words = point + 1, words[2:]
    if words == [PASS] * len(words) and len(words) <= 2 and not (ko and words):
        return seat, len(words), ko
    raise ValueError(f"{' '.join(words)[:40]!r} does not end a position; after the side to move, write ko or passes")


# ---------------------------------------------------------------- checks of positions


def near(side: int, bits: int) -> int:
    """Return the neighbours of points."""
    stride = side + 1
    return (bits << 1 | bits >> 1 | bits << stride | bits >> stride) & every_bit(side)


def without_liberties(side: int, own: int, other: int) -> int:
    """Return the stones of ``own`` whose chain has no liberty."""
    living = 0
    grown = near(side, every_bit(side) & ~(own | other)) & own
    while grown != living:
        living = grown
        grown |= near(side, living) & own
    return own & ~living


def area_lead(state: Any) -> int:
    """Return Black's area minus White's, in points."""
    black, white = areas(state)
    return black - white


def areas(state: Any) -> tuple[int, int]:
    """Return the areas of Black and of White, in points."""
    side = SIDES[type(state)]
    black, white, *_ = unpack(state)
    empty = every_bit(side) & ~(black | white)
    found = []
    for bits in (black, white):
        reached = 0
        while bits != reached:
            reached = bits
            bits |= near(side, bits) & empty
        found.append(bits)
    # empty points from which ways lead to both colours belong to nobody
    shared = found[0] & found[1]
    return (found[0] ^ shared).bit_count(), (found[1] ^ shared).bit_count()


def is_ko(side: int, own: int, other: int, point: int) -> bool:
    """Return whether a stone of ``own`` on the point would be alone and capture one stone that is alone, too."""
    bit = 1 << point
    around = near(side, bit)
    if (own | other) & bit or around & ~other:
        return False
    taken = without_liberties(side, other, own | bit)
    return taken.bit_count() == 1 and not near(side, taken) & other and not near(side, taken) & ~(own | bit)


# ---------------------------------------------------------------- drawing


def diagram(state: Any) -> str:
    """Draw the stones."""
    side = SIDES[type(state)]
    black, white, *_ = unpack(state)
    return "".join(
        _letter(black, white, bit_of(side, column, row)) for row in range(side - 1, -1, -1) for column in range(side)
    )


def squares(state: Any, move: int) -> tuple[int, ...]:
    """Return the place of a move in the diagram; none for a pass."""
    side = SIDES[type(state)]
    row, column = divmod(move, side + 1)
    return () if row >= side else ((side - 1 - row) * side + column,)


def aside(state: Any) -> Aside:
    """Return the points of both sides, only if the game is over: before that, the status of stones is unknown."""
    side = SIDES[type(state)]
    if unpack(state)[3] < OVER:
        return Aside()
    black, white = areas(state)
    return Aside(counts=(black, white + KOMI[side] / 2))


def decide(end: End) -> Decision:
    """Return the margin of the area."""
    if end.winner is None:
        return Decision()
    black, white = areas(end.state)
    return by_points(abs(black - white - KOMI[SIDES[type(end.state)]] / 2))


def hoshi(side: int) -> tuple[int, ...]:
    """Return the places of the star points in the diagram."""
    edge, middle = 2 if side < 13 else 3, side // 2
    lines = (edge, middle, side - 1 - edge)
    return tuple(
        row * side + column for row in lines for column in lines if side >= 19 or (row == middle) == (column == middle)
    )


def board(side: int) -> Board:
    """Return the drawing of a board."""
    labels = [""] * side**2
    labels[::side] = map(str, range(side, 0, -1))
    labels[-side:] = COLUMNS[:side]
    labels[-side] = f"{COLUMNS[0]}1"
    return Board(
        side,
        side,
        "lines",
        {"x": Piece("black stone", "stone", 0), "o": Piece("white stone", "stone", 1)},
        labels=tuple(labels),
        dots=hoshi(side),
        counted="points",
    )
