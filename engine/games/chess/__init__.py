# SPDX-License-Identifier: GPL-3.0-or-later
"""Chess."""

from engine.drawing import Board, Piece, Shape
from engine.game import Draws, Game, OpeningRule, Position, State
from engine.games.chess import exchange, fen, rules, san, squares, tactics, uci
from engine.games.chess.board import Chess
from engine.games.chess.evaluation import EVALUATIONS
from engine.games.chess.moves import SCRATCH
from engine.time_control import TimeControl

__all__ = ["GAMES", "Chess", "exchange", "fen", "rules", "san", "squares", "tactics", "uci"]

SHAPES: dict[str, Shape] = {"P": "pawn", "N": "knight", "B": "bishop", "R": "rook", "Q": "queen", "K": "king"}

WIDTH = 15 * 27 + 8 + SCRATCH
"""A king among fifteen queens, each of which could move as on an empty board, and room to list them; 218 moves are the
most in any real game."""


def _read_move(state: State, text: str) -> str:
    move = san.read(state, CHESS.look(state).moves, text)
    return text if move is None else uci.write(state, move)


def _spell(before: Position, move: int, after: Position) -> str:
    return san.bare(before, move) + san.sign(after)


def _label(place: int) -> str:
    """Return the rank at the left edge of the diagram, the file at its lower one."""
    name = squares.NAMES[place ^ 56]
    if place == 56:
        return name
    return name[0] if place > 56 else name[1] if place % 8 == 0 else ""


CHESS = Game(
    name="chess",
    title="Chess",
    state=Chess,
    start=lambda: fen.parse(fen.START),
    parse_position=fen.parse,
    format_position=fen.write,
    format_move=uci.write,
    diagram=squares.diagram,
    squares=squares.touched,
    board=Board(
        rows=8,
        columns=8,
        style="checkered",
        pieces={
            **{letter: Piece(f"white {shape}", shape, 0, "light") for letter, shape in SHAPES.items()},
            **{letter.lower(): Piece(f"black {shape}", shape, 1, "dark") for letter, shape in SHAPES.items()},
        },
        labels=tuple(map(_label, range(64))),
    ),
    width=WIDTH,
    evaluations=EVALUATIONS,
    time_control=TimeControl(180_000, 2_000),
    seats=("White", "Black"),
    draws=Draws(repetition=3, quiet_plies=100),
    opening=OpeningRule(plies=8, depth=3, margin=60),
    description="The rules of FIDE: drawn at the third repetition, after fifty moves by each side without a capture or "
    "a pawn's move, and when nobody has the material to mate.",
    read_move=_read_move,
    spell=_spell,
)

GAMES = [CHESS]
