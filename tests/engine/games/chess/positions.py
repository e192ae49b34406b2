# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions of python-chess for comparison: from random games, and with pieces on random squares."""

import random
from collections.abc import Iterator

import chess

ROOM = 200
"""Plies after which a random game is left."""


def game(seed: int) -> Iterator[chess.Board]:
    """Yield the positions of a random game, always the same board; every second game likes to capture and to push."""
    chance = random.Random(seed)
    board = chess.Board()
    for _ in range(ROOM):
        yield board
        moves = list(board.legal_moves)
        if not moves:
            return
        wild = [move for move in moves if board.is_capture(move) or board.is_castling(move) or move.promotion]
        board.push(chance.choice(wild if wild and seed % 2 and chance.random() < 0.3 else moves))


def thrown(seed: int) -> chess.Board:
    """Return a valid position of men on any squares, with rights to castle and captures en passant where they can be.

    More men can give check at once than in any game.
    """
    chance = random.Random(seed)
    while True:
        board = chess.Board(None)
        board.turn = chance.random() < 0.5
        squares = chance.sample(range(64), 32)
        for color in chess.COLORS:
            board.set_piece_at(squares.pop(), chess.Piece(chess.KING, color))
            for _ in range(chance.randint(0, 15)):
                board.set_piece_at(squares.pop(), chess.Piece(chance.randint(chess.PAWN, chess.QUEEN), color))
        if chance.random() < 0.3:
            _at_home(board, chance)
        board.castling_rights = board.clean_castling_rights() & chance.getrandbits(64)
        passed = [square for square in range(64) if _passed(board, square)]
        board.ep_square = chance.choice(passed) if passed else None
        wrong = board.status() & ~(chess.STATUS_TOO_MANY_CHECKERS | chess.STATUS_IMPOSSIBLE_CHECK)
        if not wrong:
            return board


def _at_home(board: chess.Board, chance: random.Random) -> None:
    """Put kings and rooks where they may castle."""
    for king in [board.king(color) for color in chess.COLORS]:
        assert king is not None
        board.remove_piece_at(king)
    for color, rank in ((chess.WHITE, 0), (chess.BLACK, 7)):
        board.set_piece_at(chess.square(4, rank), chess.Piece(chess.KING, color))
        for file in (0, 7):
            if chance.random() < 0.8:
                board.set_piece_at(chess.square(file, rank), chess.Piece(chess.ROOK, color))
    board.castling_rights = chess.BB_CORNERS


def _passed(board: chess.Board, square: int) -> bool:
    """Tell whether an enemy pawn may just have passed this square."""
    step = 8 if board.turn else -8
    return (
        chess.square_rank(square) == (5 if board.turn else 2)
        and board.piece_at(square - step) == chess.Piece(chess.PAWN, not board.turn)
        and not board.piece_at(square)
        and not board.piece_at(square + step)
    )
