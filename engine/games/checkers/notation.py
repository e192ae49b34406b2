# SPDX-License-Identifier: GPL-3.0-or-later
"""Checkers notation: PDN positions ("B:W18,24,K10:B12,16,K22"), moves ("11-15", "11x18x25") and diagrams."""

import re
from collections.abc import Callable

from engine.bitboards.bits import Bits
from engine.decision import NO_MOVE, Decision, End, seat_of
from engine.drawing import Board, Piece
from engine.game import State
from engine.games.checkers.board import (
    BOTTOM,
    CAPTURED_MASK,
    CAPTURED_SHIFT,
    FAR,
    NEAR,
    PATH_AT,
    TARGET_AT,
    TOP,
    Checkers,
    bit,
    board,
    square,
)

LETTERS = ("B", "W")
_POSITION = re.compile(r"([BW]):([BW])((?:K?\d+(?:,K?\d+)*)?):([BW])((?:K?\d+(?:,K?\d+)*)?)\.?")
_MOVE = re.compile(r"\d+(?:[-x]\d+)+")


def start() -> tuple[Bits, Bits, Bits, Bits]:
    """Return the fields of the initial state: twelve men a side, black to move."""
    return board(*range(1, 13)), board(*range(21, 33)), Bits(0), Bits(0)


def cell(number: int) -> int:
    """Return the place of a square 1 to 32 in the diagram."""
    row, column = divmod(number - 1, 4)
    return 8 * row + 2 * column + (row % 2 == 0)


BOARD = Board(
    rows=8,
    columns=8,
    style="checkered",
    pieces={
        "b": Piece("black man", "disc", 0),
        "B": Piece("black king", "crowned disc", 0),
        "w": Piece("white man", "disc", 1),
        "W": Piece("white king", "crowned disc", 1),
    },
    labels=tuple({cell(number): str(number) for number in range(1, 33)}.get(place, "") for place in range(64)),
    bottom=1,
)


# ---------------------------------------------------------------- the end

CAPTURES = "by capturing every piece"


def decide(end: End) -> Decision:
    """Return the pieces of the loser: those that the last move captured, and those without a legal move."""
    shown, before = diagram(end.state), "" if end.before is None else diagram(end.before)
    loser = end.to_move
    left = [place for place, letter in enumerate(shown) if seat_of(BOARD, letter) == loser]
    taken = [
        (place, letter)
        for place, letter in enumerate(before)
        if seat_of(BOARD, letter) == loser and seat_of(BOARD, shown[place]) is None
    ]
    lost = (*(place for place, _ in taken), *left)
    return Decision(NO_MOVE if left else CAPTURES, lost=lost, ghosts=tuple(taken))


# ---------------------------------------------------------------- positions


def _side(text: str) -> tuple[list[int], list[int]]:
    """Return the squares of a side's men and kings. Raises ValueError for too many or invalid ones."""
    items = [item for item in text.split(",") if item]
    men = [int(item) for item in items if not item.startswith("K")]
    kings = [int(item[1:]) for item in items if item.startswith("K")]
    for number in men + kings:
        if not 1 <= number <= 32:
            raise ValueError(f"there is no square {number}; squares are 1 to 32")
    if len(items) > 12:
        raise ValueError(f"a side has at most 12 men and kings (got {len(items)})")
    return men, kings


def parse_position(text: str) -> tuple[Bits, Bits, Bits, Bits]:
    """Read a PDN position as fields of a state. Raises ValueError, with a readable message, if it is not a position."""
    found = _POSITION.fullmatch(text.strip())
    if not found or found[2] == found[4]:
        raise ValueError(
            f"{text[:80]!r} is not a position; write one like B:W18,24,K10:B12,16,K22, the side to move first"
        )
    men: dict[str, list[int]] = {}
    kings: dict[str, list[int]] = {}
    for letter, squares in ((found[2], found[3]), (found[4], found[5])):
        men[letter], kings[letter] = _side(squares)
    taken = [number for side in (men, kings) for letter in LETTERS for number in side[letter]]
    for number in taken:
        if taken.count(number) > 1:
            raise ValueError(f"square {number} is occupied twice")
    for letter, row, name in (("B", BOTTOM, "black"), ("W", TOP, "white")):
        if board(*men[letter]) & row:
            raise ValueError(f"a {name} man on the last row would be a king")
    black, white = (board(*men[letter], *kings[letter]) for letter in LETTERS)
    turn = LETTERS.index(found[1])
    own, enemy = (white, black) if turn else (black, white)
    return own, enemy, board(*kings["B"], *kings["W"]), Bits(turn)


_PLACES = tuple((number, 1 << bit(number)) for number in range(1, 33))


def _pieces(state: State) -> dict[int, str]:
    """Return the letter of the piece on each occupied square."""
    own, enemy, kings, turn = map(int, state)
    black, taken = (enemy if turn else own), own | enemy
    found = {}
    for number, one in _PLACES:
        if taken & one:
            letter = "b" if black & one else "w"
            found[number] = letter.upper() if kings & one else letter
    return found


def format_position(state: State) -> str:
    """Write a state in PDN: men first, then kings, each by number."""
    own, enemy, kings, turn = map(int, state)
    black, white = (enemy, own) if turn else (own, enemy)

    def side(board: int) -> str:
        men = [str(number) for number, one in _PLACES if board & one and not kings & one]
        return ",".join(men + [f"K{number}" for number, one in _PLACES if board & kings & one])

    return f"{LETTERS[turn]}:W{side(white)}:B{side(black)}"


def diagram(state: State) -> str:
    """Draw a state, square 1 at the top."""
    letters = ["."] * 64
    for number, letter in _pieces(state).items():
        letters[cell(number)] = letter
    return "".join(letters)


# ---------------------------------------------------------------- moves


def way(state: State, move: int) -> list[int]:
    """Return the squares 1 to 32 of a move, in order."""
    origin, target = move & 63, move >> int(TARGET_AT) & 63
    jumps = (move >> int(CAPTURED_SHIFT) & int(CAPTURED_MASK)).bit_count()
    if not jumps:
        return [square(origin), square(target)]
    forward = -1 if int(state.turn) else 1
    steps = [forward * int(NEAR), forward * int(FAR), -forward * int(NEAR), -forward * int(FAR)]
    bits = [origin]
    for jump in range(jumps):
        bits.append(bits[-1] + 2 * steps[move >> int(PATH_AT) + 2 * jump & 3])
    return [square(bit) for bit in bits]


_STEPS = {
    origin | target << int(TARGET_AT): f"{square(origin)}-{square(target)}"
    for origin in map(bit, range(1, 33))
    for target in map(bit, range(1, 33))
}
"""Texts of moves without capture: a cache, because legal moves are written thousands of times per second."""


def format_move(state: State, move: int) -> str:
    """Write a move: "11-15", or a capture with all its squares, "11x18x25"."""
    return _STEPS.get(move) or "x".join(map(str, way(state, move)))


def squares(state: State, move: int) -> tuple[int, ...]:
    """Return the squares of a move as places in the diagram."""
    return tuple(cell(number) for number in way(state, move))


def reader(moves_of: Callable[[Checkers], tuple[int, ...]]) -> Callable[[State, str], str]:
    """Return a ``read_move`` over the legal moves that ``moves_of`` lists.

    It accepts "-" for "x" and reversed, and captures without the squares between, if that is unambiguous.
    """

    def read_move(state: State, text: str) -> str:
        if not _MOVE.fullmatch(text.strip()):
            return text
        numbers = [int(number) for number in re.findall(r"\d+", text)]
        ways = {move: way(state, move) for move in moves_of(state)}
        found = [move for move, squares in ways.items() if squares == numbers]
        found = found or [move for move, squares in ways.items() if [squares[0], squares[-1]] == numbers]
        if len(found) > 1:
            texts = ", ".join(format_move(state, move) for move in found)
            raise ValueError(f"{text.strip()} may be {texts}: write every square")
        return format_move(state, found[0]) if found else text

    return read_move
