# SPDX-License-Identifier: GPL-3.0-or-later
"""Connect Four on 7 columns by 6 rows, and on 4 to 9 columns and rows as "connect-four/COLUMNSxROWS".

A column takes one bit more than the board has rows, the lowest square first. The additional bit is always empty, so no
line runs from one column into the next: four in a row are four bits at equal distances of 1 (a column), the height of a
column (a row), and one more or less (the diagonals). The size is part of the state, so one compiled code plays all
sizes. A move is the number of the bit where the disc lands.
"""

import re
from typing import NamedTuple

import numpy as np

from engine.bitboards.bits import Bits, lowest, popcount
from engine.decision import endings_by_lines
from engine.drawing import Board, Piece
from engine.evaluation import Evaluation
from engine.game import (
    Game,
    Moves,
    State,
    count_moves,
    ended,
    features,
    irreversible,
    key,
    legal_moves,
    outcome,
    pick,
    step,
    to_move,
)
from engine.hints.alphabeta import aim, gain, slot, threatened
from engine.hints.solver import plies_left, prospects, symmetric_key, value_bounds
from engine.kernel import implements, inlined
from engine.rules import OpeningRule
from engine.splitmix import scramble
from engine.time_control import TimeControl

BITS = 63
"""Most bits of a board."""

ONE, TWO, THREE = Bits(1), Bits(2), Bits(3)
ODD_ROWS = Bits(0x5555555555555555)
"""The first, third, fifth ... bit."""

WINS, BLOCKS = 10_000_000, 100
"""Gain of a move that wins (more than any evaluation), and of a move that prevents a win (above 0)."""


class ConnectFour(NamedTuple):
    """Seat 0 is to move if the number of discs is even."""

    own: Bits
    """The discs of the seat to move."""
    taken: Bits
    """All discs."""
    floor: Bits
    """The lowest square of each column."""


# ---------------------------------------------------------------- lines of four


@inlined
def height_of(floor: Bits) -> Bits:
    """Return the number of bits of a column: the rows and the bit above them."""
    return lowest(floor & (floor - ONE))


@inlined
def board_of(floor: Bits) -> Bits:
    """Return all squares."""
    return (floor << (height_of(floor) - ONE)) - floor


@inlined
def landing(state: State) -> Bits:
    """Return the squares where a disc can land: the lowest empty one of each column."""
    return (state.taken + state.floor) & board_of(state.floor)


@inlined
def pairs_of_pairs(discs: Bits, way: Bits) -> Bits:
    """Return the lowest squares of the lines of four in one direction."""
    pairs = discs & (discs >> way)
    return pairs & (pairs >> (way + way))


@inlined
def has_four(discs: Bits, height: Bits) -> bool:
    """Return whether there are four in a row."""
    found = pairs_of_pairs(discs, ONE) | pairs_of_pairs(discs, height - ONE)
    found |= pairs_of_pairs(discs, height) | pairs_of_pairs(discs, height + ONE)
    return found != Bits(0)


@inlined
def count_fours(discs: Bits, height: Bits) -> int:
    """Return the number of lines of four."""
    count = popcount(pairs_of_pairs(discs, ONE)) + popcount(pairs_of_pairs(discs, height - ONE))
    return count + popcount(pairs_of_pairs(discs, height)) + popcount(pairs_of_pairs(discs, height + ONE))


@inlined
def completing(discs: Bits, way: Bits) -> Bits:
    """Return the places that would complete four in a row in one direction: before, between or after three discs."""
    up, down = discs << way, discs >> way
    far_up, far_down = up & (up << way), down & (down >> way)
    return (far_up & (up << (way + way))) | (far_up & down) | (up & far_down) | (far_down & (down >> (way + way)))


@inlined
def threats(discs: Bits, state: State) -> Bits:
    """Return the empty squares that would complete four in a row of a side's discs."""
    height = height_of(state.floor)
    found = completing(discs, height - ONE) | completing(discs, height) | completing(discs, height + ONE)
    found |= (discs << ONE) & (discs << TWO) & (discs << THREE)
    return found & (board_of(state.floor) ^ state.taken)


# ---------------------------------------------------------------- rules


@implements(to_move, ConnectFour)
def _to_move(state: State) -> int:
    return popcount(state.taken) & 1


@implements(legal_moves, ConnectFour)
def _legal_moves(state: State, out: Moves) -> int:
    left = landing(state)
    count = 0
    while left:
        out[count] = np.int64(lowest(left))
        left &= left - ONE
        count += 1
    return count


@implements(count_moves, ConnectFour)
def _count_moves(state: State, out: Moves) -> int:
    return popcount(landing(state))


@implements(step, ConnectFour)
def _step(state: State, move: int) -> ConnectFour:
    return ConnectFour(state.own ^ state.taken, state.taken | ONE << Bits(move), state.floor)


@implements(outcome, ConnectFour)
def _outcome(state: State) -> tuple[bool, float, float]:
    if has_four(state.own ^ state.taken, height_of(state.floor)):
        winner = 1.0 if popcount(state.taken) & 1 else -1.0
        return True, winner, -winner
    return state.taken == board_of(state.floor), 0.0, 0.0


@implements(ended, ConnectFour)
def _ended(state: State) -> bool:
    """A full board has no legal move, so only four in a row matter."""
    return has_four(state.own ^ state.taken, height_of(state.floor))


@implements(pick, ConnectFour)
def _pick(state: State, chance: int, out: Moves) -> int:
    if has_four(state.own ^ state.taken, height_of(state.floor)):
        return -1
    left = landing(state)
    if not left:
        return -1
    for _ in range(np.int64(chance * np.uint64(popcount(left)) >> np.uint64(32))):
        left &= left - ONE
    return np.int64(lowest(left))  # type: ignore[return-value]  # an int64, compiled


@implements(irreversible, ConnectFour)
def _irreversible(state: State, move: int) -> bool:
    return True


@implements(key, ConnectFour)
def _key(state: State) -> int:
    """Own discs and all discs in one number (J. Tromp's coding): each column's highest bit is above its discs."""
    return scramble(state.own + state.taken + state.floor)


# ---------------------------------------------------------------- search and evaluation


@implements(slot, ConnectFour)
def _slot(state: State, move: int) -> int:
    return move


@implements(aim, ConnectFour)
def _aim(state: State, move: int) -> int:
    return move + 1 + ((popcount(state.taken) & 1) << 6)


@implements(threatened, ConnectFour)
def _threatened(state: State) -> bool:
    """Return whether the opponent would win with the next disc."""
    return threats(state.own ^ state.taken, state) & landing(state) != Bits(0)


@implements(gain, ConnectFour)
def _gain(state: State, move: int) -> int:
    place = ONE << Bits(move)
    if threats(state.own, state) & place:
        return WINS
    return BLOCKS if threats(state.own ^ state.taken, state) & place else 0


@inlined
def above(squares: Bits, floor: Bits) -> Bits:
    """Return all places above some squares, up to the highest of nine rows."""
    rest = ~floor
    squares = squares << ONE & rest
    squares |= squares << ONE & rest
    rest &= rest << ONE
    squares |= squares << TWO & rest
    rest &= rest << TWO
    return squares | squares << Bits(4) & rest


@implements(features, ConnectFour)
def _features(state: State) -> tuple[int, int, int, int, int]:
    """Open lines, central discs, threats, threats one above the other, and threats on the rows of a side's parity.

    Zugzwang (V. Allis, A Knowledge-Based Approach of Connect-Four, 1988): if both avoid the squares below threats until
    the other columns are full, the first side plays on odd rows and the second side on even rows. So a threat there
    counts, unless a threat of the opponent on its own rows is below it.
    """
    own, other = state.own, state.own ^ state.taken
    board, height, floor = board_of(state.floor), height_of(state.floor), state.floor
    lines = count_fours(board ^ other, height) - count_fours(board ^ own, height)
    columns = np.uint64(popcount(floor))
    first, last = (columns - ONE) >> ONE, columns >> ONE
    column = (ONE << (height - ONE)) - ONE
    centre = column << (height * first) | column << (height * last)
    ours, theirs = threats(own, state), threats(other, state)
    stacked = popcount(ours & ours << ONE) - popcount(theirs & theirs << ONE)
    odd = floor * (ODD_ROWS & column)
    if popcount(state.taken) & 1:
        mine, yours = ours & ~odd, theirs & odd
    else:
        mine, yours = ours & odd, theirs & ~odd
    parity = popcount(mine & ~above(yours, floor)) - popcount(yours & ~above(mine, floor))
    return lines, popcount(own & centre) - popcount(other & centre), popcount(ours) - popcount(theirs), stacked, parity


EVALUATION = Evaluation(
    "threats",
    (4, 6, 20, 60, 60),
    "open lines, central discs, threats, threats above each other, and threats on rows of the right parity; own "
    "minus opponent's",
    man=100,
)


# ---------------------------------------------------------------- solver


@implements(plies_left, ConnectFour)
def _plies_left(state: State) -> int:
    return popcount(board_of(state.floor) ^ state.taken)


@inlined
def safe_landing(state: State) -> Bits:
    """Return the squares where a disc does not lose at once: the opponent could not win with the next disc."""
    dangers = threats(state.own ^ state.taken, state)
    squares = landing(state)
    forced = squares & dangers
    if forced:
        squares = forced if forced & (forced - ONE) == Bits(0) else Bits(0)
    return squares & ~(dangers >> ONE)


@implements(value_bounds, ConnectFour)
def _value_bounds(state: State) -> tuple[int, int]:
    left = popcount(board_of(state.floor) ^ state.taken)
    if threats(state.own, state) & landing(state):
        return left, left
    if not safe_landing(state):
        return 1 - left, 1 - left
    return (0, 0) if left <= 2 else (3 - left, left - 2)


@implements(prospects, ConnectFour)
def _prospects(state: State, out: Moves) -> int:
    """The safe moves, those with the most threats first, then those near the centre."""
    squares, height, columns = safe_landing(state), height_of(state.floor), popcount(state.floor)
    column = (ONE << (height - ONE)) - ONE
    count = 0
    merits = np.uint64(0)
    for index in range(columns):
        # from the centre outwards: 3, 2, 4, 1, 5, ... of 7 columns
        away = (index + 1) >> 1
        at = (columns - 1) // 2 - away if index & 1 == columns & 1 else (columns - 1) // 2 + away
        place = squares & column << height * np.uint64(at)
        if place:
            merit = np.uint64(popcount(threats(state.own | place, state)))
            to = count
            while to > 0 and (merits >> np.uint64(6 * (to - 1)) & Bits(63)) < merit:
                out[to] = out[to - 1]
                to -= 1
            shift = np.uint64(6 * to)
            below = (ONE << shift) - ONE
            merits = merits & below | merit << shift | (merits & ~below) << Bits(6)
            out[to] = np.int64(lowest(place))
            count += 1
    return count


@implements(symmetric_key, ConnectFour)
def _symmetric_key(state: State) -> int:
    code, height = state.own + state.taken + state.floor, height_of(state.floor)
    column = (ONE << height) - ONE
    mirrored, rest = Bits(0), code
    for _ in range(popcount(state.floor)):
        mirrored = mirrored << height | rest & column
        rest >>= height
    return scramble(min(code, mirrored))


# ---------------------------------------------------------------- notation

DISCS = ("rx", "yo")
"""The letters of both seats' discs in a text, the one that is written first."""
EMPTY = "._-"
_COLUMNS = re.compile(r"[1-9a-i]+")
_LANDING = re.compile(r"([a-i])([0-9]{1,2})")


class Size(NamedTuple):
    """The size of a board."""

    columns: int
    rows: int

    @property
    def height(self) -> int:
        """The number of bits of a column."""
        return self.rows + 1

    @property
    def floor(self) -> int:
        """The lowest square of each column."""
        return sum(1 << self.height * column for column in range(self.columns))

    def bit(self, square: int) -> int:
        """Return the bit of a square of the diagram, whose top row comes first."""
        row, column = divmod(square, self.columns)
        return self.height * column + self.rows - 1 - row

    def square(self, bit: int) -> int:
        """Return the square of the diagram of a bit."""
        column, row = divmod(bit, self.height)
        return (self.rows - 1 - row) * self.columns + column

    def column(self, discs: int, column: int) -> int:
        """Return the discs of a column, the lowest square first."""
        return discs >> self.height * column & (1 << self.rows) - 1

    def won(self, discs: int) -> bool:
        """Return whether there are four in a row."""
        ways = (1, self.height - 1, self.height, self.height + 1)
        return any(discs & discs >> way & discs >> 2 * way & discs >> 3 * way for way in ways)


def _size(state: State) -> Size:
    floor = int(state.floor)
    return Size(floor.bit_count(), (floor & (floor - 1) & -(floor & (floor - 1))).bit_length() - 2)


def _seats(state: State) -> tuple[int, int]:
    """Return the discs of both seats."""
    own, other = int(state.own), int(state.own) ^ int(state.taken)
    return (own, other) if int(state.taken).bit_count() % 2 == 0 else (other, own)


def _placed(size: Size, first: int, second: int) -> ConnectFour:
    own = second if (first | second).bit_count() % 2 else first
    return ConnectFour(Bits(own), Bits(first | second), Bits(size.floor))


def _played(size: Size, text: str) -> ConnectFour:
    """Play a string of columns from the empty board."""
    seats = [0, 0]
    for ply, letter in enumerate(text, 1):
        column = int(letter) - 1 if letter.isdigit() else ord(letter) - ord("a")
        if size.won(seats[ply % 2]):
            raise ValueError(f"the game is over after {ply - 1} moves, but the columns name {len(text)}")
        if column >= size.columns:
            raise ValueError(f"the column of move {ply} must be 1 to {size.columns} (got {letter!r})")
        used = size.column(seats[0] | seats[1], column).bit_count()
        if used == size.rows:
            raise ValueError(f"column {column + 1} is full before move {ply}")
        seats[1 - ply % 2] |= 1 << size.height * column + used
    return _placed(size, *seats)


def _drawn(size: Size, text: str) -> ConnectFour:
    """Read a diagram: the rows from the top, a digit for several empty squares."""
    rows = [re.sub(r"[1-9]", lambda found: "." * int(found[0]), row) for row in re.split(r"[/\s]+", text)]
    cells = "".join(rows)
    if [*map(len, rows)] != [size.columns] * size.rows or set(cells) - set("".join(DISCS) + EMPTY):
        raise ValueError(
            f"{text[:80]!r} is not a position; write the columns of the moves so far, like 4453, or {size.rows} rows "
            f"of {size.columns} squares from the top, r for the first player, y for the second, like {_example(size)}"
        )
    first, second = (sum(1 << size.bit(at) for at, cell in enumerate(cells) if cell in discs) for discs in DISCS)
    taken = first | second
    if taken & ~(taken << 1 | size.floor):
        raise ValueError("there is an empty square below a disc")
    if not 0 <= first.bit_count() - second.bit_count() <= 1:
        raise ValueError("there must be as many discs of the first player (r) as of the second (y), or one more")
    state = _placed(size, first, second)
    own, other = int(state.own), int(state.own) ^ taken
    if size.won(own):
        raise ValueError("the side to move has four in a row, so the game ended before its opponent's last move")
    tops = (1 << size.height * at + size.column(taken, at).bit_count() >> 1 for at in range(size.columns))
    if size.won(other) and all(size.won(other & ~top) for top in tops if top & other):
        raise ValueError("no last move completes all fours in a row at once, so the game ended before")
    return state


def _example(size: Size) -> str:
    return "/".join(["." * size.columns] * (size.rows - 1) + ["..yr".ljust(size.columns, ".")])


def _diagram(state: State) -> str:
    size, (first, second) = _size(state), _seats(state)
    bits = map(size.bit, range(size.rows * size.columns))
    return "".join("r" if first >> bit & 1 else "y" if second >> bit & 1 else "." for bit in bits)


def _format_position(state: State) -> str:
    cells, columns = _diagram(state), _size(state).columns
    return "/".join(cells[begin : begin + columns] for begin in range(0, len(cells), columns))


def _format_move(state: State, move: int) -> str:
    return str(move // _size(state).height + 1)


def _read_move(state: State, text: str) -> str:
    """Accept the letter of a column, alone or with the row where the disc lands."""
    text = text.strip().lower()
    found = _LANDING.fullmatch(text)
    if found:
        size, column = _size(state), ord(found[1]) - ord("a")
        used = size.column(int(state.taken), column).bit_count()
        return str(column + 1) if int(found[2]) == used + 1 else text
    return str(ord(text) - ord("a") + 1) if len(text) == 1 and "a" <= text <= "i" else text


# ---------------------------------------------------------------- the game and its sizes


def _game(name: str, size: Size) -> Game:
    columns, rows = size
    where = f"{columns} columns and {rows} rows"

    def parse_position(text: str) -> ConnectFour:
        text = text.strip().lower()
        return _played(size, text) if _COLUMNS.fullmatch(text) else _drawn(size, text)

    board = Board(
        rows,
        columns,
        "holes",
        {"r": Piece("red disc", "counter", 0, "red"), "y": Piece("yellow disc", "counter", 1, "yellow")},
        ("",) * columns * (rows - 1) + tuple(map(str, range(1, columns + 1))),
    )
    return Game(
        name=name,
        title="Connect Four" if name == "connect-four" else f"Connect Four {columns}×{rows}",
        state=ConnectFour,
        start=lambda: _placed(size, 0, 0),
        parse_position=parse_position,
        format_position=_format_position,
        format_move=_format_move,
        diagram=_diagram,
        squares=lambda state, move: (size.square(move),),
        board=board,
        width=columns,
        evaluations={EVALUATION.name: EVALUATION},
        time_control=TimeControl(30_000, 300),
        seats=("Red", "Yellow"),
        opening=OpeningRule(plies=4, depth=6, margin=100),
        description=f"Drop discs into {where}; four in a row win.",
        rules=f"The board stands upright and has {where}. Red and Yellow take turns, Red first. A move drops a disc of "
        "the player's colour into a column that is not full; it falls to the lowest empty square.\n\nThe first player "
        "with four discs in a row, horizontally, vertically or diagonally, wins. If the board is full and nobody has "
        "won, the game is a draw.\n\nWith best play the first player wins on 7 columns and 6 rows, as James D. Allen "
        "and Victor Allis found independently in 1988.",
        link="https://en.wikipedia.org/wiki/Connect_Four",
        read_move=_read_move,
        scale=0.6,
        endings=endings_by_lines(board, _diagram, 4, "four in a row"),
    )


GAMES = [_game("connect-four", Size(7, 6))]


def variant(suffix: str) -> Game | None:
    """Return the variant of a size, such as "5x4" for 5 columns and 4 rows; None for a size that is not possible."""
    found = re.fullmatch(r"([4-9])x([4-9])", suffix)
    if not found or suffix == "7x6":
        return None
    size = Size(int(found[1]), int(found[2]))
    return _game(f"connect-four/{suffix}", size) if size.columns * size.height <= BITS else None
