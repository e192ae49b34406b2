# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares positions with python-chess: moves, results and texts."""

from typing import Any

import chess
import numpy as np

from engine.game import Position, count_moves
from engine.games import find
from engine.games.chess import notation
from engine.games.chess.attacks import in_check
from engine.kernel import compiled

CHESS = find("chess")


@compiled
def counted(state: Any, out: Any) -> int:
    return count_moves(state, out)


def look(fen: str) -> Position:
    """Return the position of a FEN."""
    return CHESS.look(CHESS.parse_position(fen))


def written(position: Position) -> dict[str, str]:
    """Return the legal moves in standard algebraic notation, by their texts in the protocol."""
    return {text: CHESS.write_move(position, move) for text, move in CHESS.move_texts(position).items()}


def on_rules(board: chess.Board) -> None:
    """Compare a position's legal moves and result with python-chess."""
    position = look(board.fen())
    assert position.to_move == (0 if board.turn else 1)
    legal = {move.uci() for move in board.legal_moves}
    assert bool(in_check(position.state)) == board.is_check()
    dull = board.is_insufficient_material()
    assert position.over == (not legal or dull)
    loss = (-1.0 if board.turn else 1.0) if board.is_checkmate() else 0.0
    assert position.payoffs == (loss, -loss)
    if not position.over:
        assert set(CHESS.move_texts(position)) == legal
        assert counted(position.state, np.empty(CHESS.width, np.int64)) == len(legal)


def on_position(board: chess.Board) -> None:
    """Compare a position's texts with python-chess, and read them back."""
    state = CHESS.parse_position(board.fen())
    text = CHESS.format_position(state)
    assert text.split()[:4] == board.fen(en_passant="legal").split()[:4]
    assert CHESS.look(CHESS.parse_position(text)).state == CHESS.look(state).state
    assert CHESS.diagram(state) == str(board).replace("\n", "").replace(" ", "")


def on_moves(board: chess.Board) -> None:
    """Compare the texts of all moves of a position with python-chess, and read them back."""
    position = look(board.fen())
    if position.over:
        return
    texts, moves = written(position), CHESS.move_texts(position)
    assert texts == {move.uci(): board.san(move) for move in board.legal_moves}
    for uci, text in texts.items():
        assert notation.read_san(position.state, position.moves, text) == moves[uci]
    uci, text = next(iter(texts.items()))
    assert CHESS.parse_move(position, text) == CHESS.parse_move(position, uci) == moves[uci]


def follow(board: chess.Board, position: Position, uci: str) -> Position:
    """Make a move on both boards; they must remain equal."""
    move = chess.Move.from_uci(uci)
    final = board.is_zeroing(move)
    board.push(move)
    after = CHESS.play(position, CHESS.parse_move(position, uci))
    assert after.irreversible == final
    assert after == look(board.fen())._replace(irreversible=final)
    return after
