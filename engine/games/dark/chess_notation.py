# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions of Dark Chess as texts, what a viewer sees of them, and random positions that fit that.

A position is the first four fields of FEN and the captured men, White's first: "... w KQkq - PPn", "-" for none. What a
viewer sees is the same with "?" for each square that it does not see; a seat reads only its own rights to castle, and
the en passant square only if it can capture there. The public sees no square.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import NamedTuple

from engine.bitboards.bits import Bits
from engine.games.chess import fen
from engine.games.chess.board import PASSING, Chess
from engine.games.chess.notation import KINDS, NAMES, black_moves, men, origin, promotion, seen, target
from engine.games.dark.chess_rules import KIND_COUNTS, DarkChess, sight, takers
from engine.secrets import HIDDEN

START = f"{' '.join(fen.START.split()[:4])} -"

ARMY = {"P": 8, "N": 2, "B": 2, "R": 2, "Q": 1, "K": 1}
HOMES = {"P": range(8, 16), "N": (1, 6), "B": (2, 5), "R": (0, 7), "Q": (3,), "K": (4,)}
"""The squares on which White's men begin; Black's are on the same files."""
TRIES = 300
"""Random positions that are tried before none is said to fit."""


def chess_of(state: DarkChess) -> Chess:
    """Return the position of chess."""
    return Chess(*state[:-1])


# ---------------------------------------------------------------- captured men


def lost_men(state: DarkChess) -> tuple[str, ...]:
    """Return the letters of the captured men, White's first."""
    taken = int(state.taken)
    return tuple(
        letter
        for side, letters in ((0, KINDS), (32, KINDS.lower()))
        for kind, letter in enumerate(letters[:KIND_COUNTS])
        for _ in range(taken >> side + 4 * kind & 15)
    )


def _taken(letters: Iterable[str]) -> Bits:
    return Bits(sum(1 << (32 * letter.islower() + 4 * KINDS.index(letter.upper())) for letter in letters))


def missing_men(found: Mapping[int, str]) -> list[str]:
    """Return the men that are not on the board, if it began with all; men beyond their number were pawns."""
    lost: list[str] = []
    for case in (str.upper, str.lower):
        present = Counter(letter for letter in found.values() if letter == case(letter))
        counts = {kind: ARMY[kind] - present[case(kind)] for kind in KINDS[:KIND_COUNTS]}
        counts["P"] += sum(min(0, count) for kind, count in counts.items() if kind != "P")
        if counts["P"] < 0:
            raise ValueError("a side has more men than its pawns can have become")
        lost += [case(kind) for kind, count in counts.items() for _ in range(count)]
    return lost


# ---------------------------------------------------------------- positions


def parse_position(text: str) -> DarkChess:
    """Read a position, also FEN without captured men. Raises ValueError, with a readable message."""
    fields = text.split() if len(text) <= fen.LIMIT else []
    if not 4 <= len(fields) <= 6:
        raise ValueError(f"{text[:80]!r} is not a position; write FEN and the captured men, such as {START}")
    placement, turn, rights, passing, *more = fields
    found = fen.read_placement(placement)
    fen.check_men(found, (0, 1))
    if "K" not in found.values() and "k" not in found.values():
        raise ValueError("neither side has a king")
    if turn not in fen.SIDES:
        raise ValueError(f"{turn[:20]!r} is not a side to move; write w or b")
    marked = [*fen.read_rights(rights, found), *fen.read_passing(passing, turn, found)]
    board = fen.state_of(found, turn == "b", marked)
    if all(field.isdecimal() for field in more):
        lost = missing_men(found)
    else:
        lost = _read_lost(" ".join(more))
        _check_lost(found, lost)
    if not takers(board):
        board = board._replace(marks=board.marks & ~PASSING)
    return DarkChess(*board, _taken(lost))


def _read_lost(text: str) -> list[str]:
    letters = [] if text == "-" else list(text)
    if not letters and text != "-":
        raise ValueError("write the captured men, or -")
    for letter in letters:
        if letter.upper() not in KINDS[:KIND_COUNTS]:
            raise ValueError(f"{letter!r} is not a captured man; write letters of PNBRQ and pnbrq, or -")
    return letters


def _check_lost(found: Mapping[int, str], lost: Sequence[str]) -> None:
    for side, letters in (("white", KINDS), ("black", KINDS.lower())):
        present = sum(letter in letters[:KIND_COUNTS] for letter in found.values())
        captured = sum(letter in letters for letter in lost)
        if present + captured != fen.MEN - 1:
            raise ValueError(
                f"{side} has {present} men besides the king and has lost {captured}; together they must be 15"
            )


def format_position(state: DarkChess) -> str:
    """Write a position."""
    return " ".join([*fen.write(chess_of(state)).split()[:4], "".join(lost_men(state)) or "-"])


# ---------------------------------------------------------------- what a viewer sees


def seen_squares(state: DarkChess, viewer: int | None) -> frozenset[int]:
    """Return the squares that a viewer sees, numbered from White's side."""
    if viewer is None:
        return frozenset()
    board = int(sight(DarkChess(*map(Bits, state)), viewer)) % 2**64
    return frozenset(seen(state, square) for square in range(64) if board >> square & 1)


def observed_letters(state: DarkChess, viewer: int | None) -> list[str]:
    """Return a letter for each square that a viewer sees, "." for an empty one, and HIDDEN for the others."""
    found, visible = men(chess_of(state)), seen_squares(state, viewer)
    return [found.get(square, ".") if square in visible else HIDDEN for square in range(64)]


def observed_position(state: DarkChess, viewer: int | None) -> str:
    """Write what a viewer sees."""
    letters = observed_letters(state, viewer)
    rows = ("".join(letters[8 * rank : 8 * rank + 8]) for rank in range(7, -1, -1))
    placement = "/".join(re.sub(r"\.+", lambda gap: str(len(gap[0])), row) for row in rows)
    _, turn, rights, passing, lost = format_position(state).split()
    own = "" if viewer is None else "kq" if viewer else "KQ"
    rights = "".join(letter for letter in rights if letter in own) or "-"
    if viewer is None or turn != "wb"[viewer]:
        passing = "-"
    return f"{placement} {turn} {rights} {passing} {lost}"


def captured_on(state: DarkChess, move: int) -> int | None:
    """Return the square of the man that a move captures, from White's side; None if there is none."""
    found, end = men(chess_of(state)), target(state, move)
    if end in found:
        return end
    start = origin(state, move)
    return start // 8 * 8 + end % 8 if found[start] in "Pp" and start % 8 != end % 8 else None


def disclose(state: DarkChess, move: int, viewer: int | None) -> str:
    """Write a move as a viewer sees it: the other seat and the public learn only where a man was captured."""
    start, end = origin(state, move), target(state, move)
    if viewer is not None and viewer == int(black_moves(state)):
        return NAMES[start] + NAMES[end] + promotion(move).lower()
    captured = captured_on(state, move)
    return HIDDEN if captured is None else f"{HIDDEN}x{NAMES[captured]}"


def squares(state: DarkChess, move: int, viewer: int | None) -> tuple[int, ...]:
    """Return the squares of the diagram that a viewer sees a move touch."""
    if viewer is not None and viewer == int(black_moves(state)):
        return origin(state, move) ^ 56, target(state, move) ^ 56
    captured = captured_on(state, move)
    return () if captured is None else (captured ^ 56,)


# ---------------------------------------------------------------- positions that fit


class View(NamedTuple):
    """What a seat sees."""

    found: dict[int, str]
    """The men on squares that it sees."""
    hidden: list[int]
    """The squares that it does not see."""
    turn: str
    rights: str
    passing: str
    lost: list[str]


def read_view(text: str) -> View:
    """Read what a seat sees. Raises ValueError."""
    fields = text.split() if len(text) <= fen.LIMIT + 64 else []
    if len(fields) != 5 or fields[1] not in fen.SIDES:
        raise ValueError(f"{text[:80]!r} is not what a seat sees of Dark Chess")
    rows = fields[0].split("/")
    letters = [re.sub(r"[1-8]", lambda digit: "." * int(digit[0]), row) for row in rows]
    if len(letters) != 8 or not all(re.fullmatch(r"[PNBRQKpnbrqk?.]{8}", row) for row in letters):
        raise ValueError(f"{fields[0][:80]!r} are not the squares of a board of chess")
    found = {8 * (7 - row) + file: letters[row][file] for row in range(8) for file in range(8)}
    _, turn, rights, passing, lost = fields
    if passing != "-" and passing not in NAMES:
        raise ValueError(f"{passing[:20]!r} is not an en passant square")
    return View(
        {square: letter for square, letter in found.items() if letter not in ".?"},
        sorted(square for square, letter in found.items() if letter == HIDDEN),
        turn,
        rights,
        passing,
        _read_lost(lost),
    )


def _constraints(view: View, seat: int) -> tuple[set[int], set[int]]:
    """Return the hidden squares that must have a man, because it blocks a pawn, and those that must be empty."""
    hidden, step, first = set(view.hidden), -8 if seat else 8, 6 if seat else 1
    blocked, empty = set(), set()
    for square, letter in view.found.items():
        if letter != "Pp"[seat]:
            continue
        front = square + step
        if front in hidden:
            blocked.add(front)
        elif front not in view.found and square // 8 == first and front + step in hidden:
            blocked.add(front + step)
        empty |= {front + side for side in (-1, 1) if 0 <= square % 8 + side < 8} & hidden
    if view.passing != "-":
        empty.add(NAMES.index(view.passing) + step)
    return blocked, empty


def determinise(text: str, seat: int, chance: Random) -> DarkChess:
    """Return a random position that fits what a seat sees: see ``Secrets.determinise``.

    Men whose kind was not captured are taken for what they began as, unless more of a kind are known than that. They
    are placed one after the other on hidden squares at random, every second time where they began if that is hidden.
    """
    view = read_view(text)
    hidden = _hidden_men(view, seat)
    for _ in range(TRIES):
        state = _placed(view, seat, hidden, chance)
        if state is not None and observed_position(state, seat) == text:
            return state
    raise ValueError(f"no position of Dark Chess was found that fits {text[:80]!r} for seat {seat}")


def _hidden_men(view: View, seat: int) -> list[str]:
    """Return the kinds of the men that a seat does not see."""
    case = str.upper if seat else str.lower
    known = Counter(letter.upper() for letter in [*view.found.values(), *view.lost] if letter == case(letter))
    counts = {kind: ARMY[kind] - known[kind] for kind in ARMY}
    counts["P"] += sum(min(0, count) for kind, count in counts.items() if kind != "P")
    if counts["P"] < 0 or counts["K"] < 0:
        raise ValueError("more men are seen than the other side can have")
    return [kind for kind, count in counts.items() for _ in range(count)]


def _placed(view: View, seat: int, hidden: Sequence[str], chance: Random) -> DarkChess | None:
    """Place the hidden men; None if they do not fit."""
    blocked, empty = _constraints(view, seat)
    free = set(view.hidden) - empty
    others, found = list(hidden), dict(view.found)
    letter = str.upper if seat else str.lower

    def fits(kind: str, square: int) -> bool:
        return kind != "P" or 0 < square // 8 < 7

    chance.shuffle(others)
    for square in chance.sample(sorted(blocked), len(blocked)):
        kind = next((kind for kind in others if fits(kind, square)), None)
        if kind is None:
            return None
        others.remove(kind)
        found[square] = letter(kind)
        free.discard(square)
    for kind in sorted(others, key="PKQRBN".index):
        homes = [square ^ (0 if seat else 56) for square in HOMES[kind]]
        places = [square for square in homes if square in free] if chance.random() < 0.5 else []
        places = places or [square for square in sorted(free) if fits(kind, square)]
        if not places:
            return None
        square = chance.choice(places)
        found[square] = letter(kind)
        free.discard(square)
    marked = [
        NAMES.index(rook)
        for right, (king, rook) in fen.RIGHTS.items()
        if (right in view.rights or right.isupper() == bool(seat))
        and found.get(NAMES.index(king)) == ("K" if right.isupper() else "k")
        and found.get(NAMES.index(rook)) == ("R" if right.isupper() else "r")
    ]
    if view.passing != "-":
        marked.append(NAMES.index(view.passing))
    board = fen.state_of(found, view.turn == "b", marked)
    return DarkChess(*board, _taken(view.lost))
