# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions of Phantom Go as texts, what a viewer sees of them, and random positions that fit that.

A position has eight words: the rows from the top as in Go ("x" for Black, "o" for White, numbers of empty points), the
side to move, the point of the ko, passes in a row, the white stones that Black knows of, the black stones that White
knows of, the empty points that were refused since the last move, and the number of plies: "9/9/9/9/9/9/9/9/9 b - 0 - -
- 0". Points are names with commas, "-" for none.

What a viewer sees has six words: the rows with "?" for each point of which it knows nothing (a number stands for points
that were refused and are empty), the side to move, passes in a row, the numbers of black and of white stones, and the
number of plies: "?????????/.../??x?????? w 0 1 0 1". The public sees no point.
"""

import re
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from engine.bitboards.bits import Bits
from engine.decision import Decision, End
from engine.drawing import Aside, Board, Piece
from engine.games.dark.go_rules import LIMIT, PASS, PLY, SIDE, PhantomGo9
from engine.games.go import notation as go
from engine.games.go.board import KO, OVER, PASSES, Go9, every_bit, unpack
from engine.secrets import HIDDEN, Observation

REFUSED = "refused"
"""A refused try, as the other seat and the public see it."""

ALL = every_bit(SIDE)
TRIES, MOVES = 30, 400
"""Random positions that are tried, and stones that are moved in each of them."""

NUMBER = re.compile(r"\d{1,3}")


class Parts(NamedTuple):
    """A state in Python: sets of points are integers."""

    black: int
    white: int
    known: tuple[int, int]
    """The other's stones that each seat knows of."""
    refused: int
    seat: int
    passes: int
    ko: int
    """One more than the bit of the ko's point; 0: none."""
    plies: int

    @property
    def stones(self) -> tuple[int, int]:
        """The stones of each seat."""
        return self.black, self.white


def parts_of(state: PhantomGo9) -> Parts:
    """Return the parts of a state."""
    sets = [int(state[index]) % 2**64 | int(state[index + 1]) % 2**64 << 64 for index in range(0, 10, 2)]
    info = int(state.info)
    ko = info >> KO & (1 << PLY - KO) - 1
    return Parts(sets[0], sets[1], (sets[2], sets[3]), sets[4], info & 1, info >> PASSES & 3, ko, info >> PLY)


def state_of(parts: Parts) -> PhantomGo9:
    """Return the state of these parts."""
    info = parts.seat | parts.passes << PASSES | parts.ko << KO | parts.plies << PLY
    sets = (parts.black, parts.white, *parts.known, parts.refused)
    words = [Bits(each >> 64 * word & 2**64 - 1) for each in sets for word in (0, 1)]
    return PhantomGo9(*[*words, Bits(info)])


def go_state(state: PhantomGo9) -> Go9:
    """Return the position of Go."""
    return Go9(*state[:4], Bits(int(state.info) & (1 << PLY) - 1))


# ---------------------------------------------------------------- positions


def _names(points: int) -> str:
    return ",".join(go.name_of(SIDE, bit) for bit in range(PASS) if points >> bit & 1) or "-"


def _points(text: str) -> int:
    """Read names of points."""
    found = 0
    for name in text.split(",") if text != "-" else ():
        bit = go.bit_named(SIDE, name)
        if bit is None:
            raise ValueError(f"{name[:20]!r} is not a point of the board")
        found |= 1 << bit
    return found


def _number(text: str, most: int, meaning: str) -> int:
    if not NUMBER.fullmatch(text) or int(text) > most:
        raise ValueError(f"{text[:20]!r} is not a number of {meaning}; write one from 0 to {most}")
    return int(text)


def format_position(state: PhantomGo9) -> str:
    """Write a position."""
    parts = parts_of(state)
    rows, turn, *_ = go.format_position(go_state(state)).split()
    ko = go.name_of(SIDE, parts.ko - 1) if parts.ko else "-"
    told = (_names(parts.known[0]), _names(parts.known[1]), _names(parts.refused))
    return " ".join([rows, turn, ko, str(parts.passes), *told, str(parts.plies)])


def parse_position(text: str) -> PhantomGo9:
    """Read a position, also one of Go, without what the seats know. Raises ValueError, with a readable message."""
    words = text.split() if len(text) <= go.LONGEST else []
    if len(words) < 8 or not NUMBER.fullmatch(words[3]):
        black, white, seat, passes, ko = unpack(go.parse_position(Go9, text))
        return state_of(Parts(black, white, (0, 0), 0, seat, passes, ko, 0))
    rows, turn, ko_point, passed, known_black, known_white, refused, plies = words[:8]
    if words[8:]:
        raise ValueError(f"{words[8][:20]!r} does not belong to a position, which has eight words")
    passes = _number(passed, OVER, "passes")
    ending = f" ko {ko_point}" if ko_point != "-" else " pass" * passes
    black, white, seat, _, ko = unpack(go.parse_position(Go9, f"{rows} {turn}{ending}"))
    if ko and passes:
        raise ValueError("after a pass there is no ko")
    known = _points(known_black), _points(known_white)
    if known[0] & ~white or known[1] & ~black:
        raise ValueError("a player can know of a stone only where the other has one")
    parts = Parts(black, white, known, _points(refused), seat, passes, ko, _number(plies, LIMIT, "plies"))
    if parts.refused & (black | white):
        raise ValueError("the refused points must be empty; where a stone is, the player knows of it")
    return state_of(parts)


# ---------------------------------------------------------------- what a viewer sees


def _seen(parts: Parts, viewer: int | None) -> list[str]:
    """Return a letter for each bit of the board: "x", "o", "." for a refused point, HIDDEN."""
    if viewer is None:
        return [HIDDEN] * PASS
    own, known = parts.stones[viewer], parts.known[viewer]
    refused = parts.refused if viewer == parts.seat else 0
    mine, other = "xo" if viewer == 0 else "ox"
    return [
        mine if own >> bit & 1 else other if known >> bit & 1 else "." if refused >> bit & 1 else HIDDEN
        for bit in range(PASS)
    ]


def _rows(letters: Sequence[str]) -> list[str]:
    return ["".join(letters[10 * row : 10 * row + SIDE]) for row in range(SIDE - 1, -1, -1)]


def observe(state: PhantomGo9, viewer: int | None) -> Observation:
    """Return what a viewer sees."""
    parts = parts_of(state)
    rows = _rows(_seen(parts, viewer))
    written = "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in rows)
    counts = [each.bit_count() for each in parts.stones]
    text = f"{written} {'bw'[parts.seat]} {parts.passes} {counts[0]} {counts[1]} {parts.plies}"
    drawn = "".join(rows).replace(".", "!").replace(HIDDEN, ".")
    return Observation(text, drawn, aside(state))


def captured_by(state: PhantomGo9, move: int) -> int:
    """Return the stones that a move captures; 0 for a refused try."""
    parts = parts_of(state)
    own, other = parts.stones[parts.seat], parts.stones[1 - parts.seat]
    if move == PASS or (own | other) >> move & 1 or parts.ko == move + 1:
        return 0
    return go.without_liberties(SIDE, other, own | 1 << move)


def is_refused(state: PhantomGo9, move: int) -> bool:
    """Return whether a move is a refused try."""
    parts = parts_of(state)
    own, other = parts.stones[parts.seat], parts.stones[1 - parts.seat]
    if move == PASS:
        return False
    if (own | other) >> move & 1 or parts.ko == move + 1:
        return True
    taken = captured_by(state, move)
    return not taken and bool(go.without_liberties(SIDE, own | 1 << move, other))


def format_move(state: PhantomGo9, move: int) -> str:
    """Write a move, or a try."""
    return go.PASS if move == PASS else go.name_of(SIDE, move)


def read_move(state: PhantomGo9, text: str) -> str:
    """Accept the spellings of Go."""
    return go.read_move(go_state(state), text)


def disclose(state: PhantomGo9, move: int, viewer: int | None) -> str:
    """Write a move as a viewer sees it: all learn of passes, of refused tries and of the captured stones."""
    if viewer == parts_of(state).seat or move == PASS:
        return format_move(state, move)
    if is_refused(state, move):
        return REFUSED
    taken = captured_by(state, move)
    return f"{HIDDEN}x{_names(taken)}" if taken else HIDDEN


def _places(points: int) -> tuple[int, ...]:
    return tuple((SIDE - 1 - bit // 10) * SIDE + bit % 10 for bit in range(PASS) if points >> bit & 1)


def squares(state: PhantomGo9, move: int) -> tuple[int, ...]:
    """Return the place of a move in the diagram; none for a pass."""
    return () if move == PASS else _places(1 << move)


def seen_squares(state: PhantomGo9, move: int, viewer: int | None) -> tuple[int, ...]:
    """Return the places that a viewer sees a move touch: the mover its own point, the others the captured stones."""
    if viewer == parts_of(state).seat:
        return squares(state, move)
    return _places(captured_by(state, move))


# ---------------------------------------------------------------- positions that fit


def determinise(text: str, seat: int, chance: Random) -> PhantomGo9:
    """Return a random position that fits what a seat sees: see ``Secrets.determinise``.

    The other's unknown stones are on unknown points at random; while a chain has no liberty, stones are moved. If
    possible, refused points are suicide, or one of them is a ko.
    """
    words = text.split()
    rows = words[0].split("/") if len(words) == 6 else []
    letters = [re.sub(r"[1-9]", lambda run: "." * int(run[0]), row) for row in rows]
    if len(letters) != SIDE or not all(re.fullmatch(r"[xo?.]{9}", row) for row in letters) or words[1] not in "bw":
        raise ValueError(f"{text[:80]!r} is not what a seat sees of Phantom Go")

    def where(letter: str) -> int:
        return sum(
            1 << go.bit_of(SIDE, column, SIDE - 1 - row)
            for row in range(SIDE)
            for column in range(SIDE)
            if letters[row][column] == letter
        )

    own, known, refused, hidden = where("xo"[seat]), where("ox"[seat]), where("."), where(HIDDEN)
    passes, count, other_count = (
        _number(words[2], OVER, "passes"),
        *(_number(each, 81, "stones") for each in words[3:5]),
    )
    counts = count, other_count
    unknown = counts[1 - seat] - known.bit_count()
    if own.bit_count() != counts[seat] or not 0 <= unknown <= hidden.bit_count():
        raise ValueError("the numbers of stones do not fit the points")
    mover = "bw".index(words[1])
    best, misfits = known, 1000
    beside = go.near(SIDE, refused) & hidden
    for attempt in range(TRIES):
        # what forbids a point is beside it
        found = _stones(own, known, hidden, unknown, beside if attempt % 2 == 0 else 0, chance)
        missed = _misfits(own, found, refused)
        if missed < misfits:
            best, misfits = found, missed
        if misfits == 0:
            break
    ko = _ko(own, best, refused) if mover == seat else 0
    pair = (own, best) if seat == 0 else (best, own)
    knowing = (known, 0) if seat == 0 else (0, known)
    return state_of(Parts(*pair, knowing, refused, mover, passes, ko, _number(words[5], LIMIT, "plies")))


def _bits(points: int) -> list[int]:
    return [bit for bit in range(PASS) if points >> bit & 1]


def _stones(own: int, known: int, hidden: int, count: int, first: int, chance: Random) -> int:
    """Return the stones of the other side: the known ones, and others on hidden points, moved until all have liberties.

    The points ``first`` get stones before others. A stone is moved at random if that leaves no more stones without
    liberties.
    """
    early, late = _bits(hidden & first), _bits(hidden & ~first)
    placed = chance.sample(early, min(count, len(early)))
    placed += chance.sample(late, count - len(placed))
    free = [bit for bit in _bits(hidden) if bit not in placed]

    def dead(other: int) -> int:
        return (go.without_liberties(SIDE, own, other) | go.without_liberties(SIDE, other, own)).bit_count()

    other = known | sum(1 << bit for bit in placed)
    without = dead(other)
    for _ in range(MOVES):
        if not without or not placed or not free:
            break
        one, two = chance.randrange(len(placed)), chance.randrange(len(free))
        moved = other ^ 1 << placed[one] ^ 1 << free[two]
        after = dead(moved)
        if after <= without:
            other, without = moved, after
            placed[one], free[two] = free[two], placed[one]
    return other


def _misfits(own: int, other: int, refused: int) -> int:
    """Return how far a position is from one in which all have liberties and refused points are forbidden."""
    without = (go.without_liberties(SIDE, own, other) | go.without_liberties(SIDE, other, own)).bit_count()
    legal = len([bit for bit in _bits(refused) if not _suicide(own, other, bit)])
    return 10 * without + max(0, legal - bool(_ko(own, other, refused)))


def _suicide(own: int, other: int, bit: int) -> bool:
    stone = own | 1 << bit
    return not go.without_liberties(SIDE, other, stone) and bool(go.without_liberties(SIDE, stone, other))


def _ko(own: int, other: int, refused: int) -> int:
    """Return one more than the bit of a refused point that may be a ko; 0: there is none."""
    return next((bit + 1 for bit in _bits(refused) if go.is_ko(SIDE, own, other, bit)), 0)


# ---------------------------------------------------------------- drawing and the end


def board() -> Board:
    """Return the drawing of the board: that of Go, with crosses on refused points."""
    plain = go.board(SIDE)
    pieces = {**plain.pieces, "!": Piece("refused point", "cross", None, "light")}
    return Board(SIDE, SIDE, plain.style, pieces, labels=plain.labels, dots=plain.dots, counted="stones")


def diagram(state: PhantomGo9) -> str:
    """Draw all stones."""
    return go.diagram(go_state(state))


def aside(state: PhantomGo9) -> Aside:
    """Return the numbers of stones, which both seats know."""
    black, white = (float(each.bit_count()) for each in parts_of(state).stones)
    return Aside(counts=(black, white))


def decide(end: End) -> Decision:
    """Return the margin of the area."""
    return go.decide(end._replace(state=go_state(end.state)))
