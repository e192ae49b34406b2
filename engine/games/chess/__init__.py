# SPDX-License-Identifier: GPL-3.0-or-later
"""Chess by the laws of FIDE."""

from engine.decision import Endings
from engine.drawing import Board, Piece, Shape
from engine.game import Game, Position, State
from engine.games.chess import fen, notation, rules, tactics
from engine.games.chess.board import Chess
from engine.games.chess.evaluation import EVALUATIONS
from engine.games.chess.moves import SCRATCH
from engine.rules import Draws, OpeningRule
from engine.time_control import TimeControl

__all__ = ["GAMES", "Chess", "fen", "notation", "rules", "tactics"]

SHAPES: dict[str, Shape] = {"P": "pawn", "N": "knight", "B": "bishop", "R": "rook", "Q": "queen", "K": "king"}

WIDTH = 15 * 27 + 8 + SCRATCH
"""Bound of the number of moves: a king and fifteen queens with free lines, and room for listing. In legal positions the
maximum is 218."""


def _read_move(state: State, text: str) -> str:
    move = notation.read_san(state, CHESS.look(state).moves, text)
    return text if move is None else notation.format_move(state, move)


def _spell(before: Position, move: int, after: Position) -> str:
    return notation.san(before, move) + notation.check_mark(after)


CHESS = Game(
    name="chess",
    title="Chess",
    state=Chess,
    start=lambda: fen.parse(fen.START),
    parse_position=fen.parse,
    format_position=fen.write,
    format_move=notation.format_move,
    diagram=notation.diagram,
    squares=notation.squares,
    board=Board(
        rows=8,
        columns=8,
        style="checkered",
        pieces={
            **{letter: Piece(f"white {shape}", shape, 0, "light") for letter, shape in SHAPES.items()},
            **{letter.lower(): Piece(f"black {shape}", shape, 1, "dark") for letter, shape in SHAPES.items()},
        },
    ),
    width=WIDTH,
    evaluations=EVALUATIONS,
    time_control=TimeControl(180_000, 2_000),
    seats=("White", "Black"),
    draws=Draws(repetition=3, no_progress_plies=100),
    opening=OpeningRule(plies=8, depth=3, margin=60),
    description="The laws of FIDE. A game is drawn by threefold repetition, by the fifty-move rule, and if neither "
    "side has the material to mate.",
    rules="White moves first. Each side has a king, a queen, two rooks, two bishops, two knights and eight pawns, "
    "which move and capture as in the laws of chess of FIDE, with castling, capture en passant and promotion.\n\nA "
    "king that is attacked is in check, which the next move must end. A side that is in check and has no legal move "
    "is mated and loses. A side that is not in check and has no legal move draws: stalemate.\n\nThe game is also "
    "drawn when a position stands for the third time with the same side to move, after 100 plies without a capture "
    "or a pawn's move, and when neither side has the material to mate. No player needs to claim these draws.",
    link="https://handbook.fide.com/chapter/E012023",
    read_move=_read_move,
    spell=_spell,
    endings=Endings(
        notation.decide,
        (notation.MATE, notation.STALEMATE, notation.MATERIAL),
        "checkmate",
        "stalemate or insufficient material",
    ),
    scale=1.9,
)

GAMES = [CHESS]
