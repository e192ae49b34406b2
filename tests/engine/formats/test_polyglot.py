# SPDX-License-Identifier: GPL-3.0-or-later
"""Polyglot books: random moves by weight, from a real file."""

import random
import struct
from pathlib import Path

import chess
import chess.polyglot
import pytest

from engine.formats.polyglot import Book, Choice
from engine.games.chess import fen

CASTLING = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"


def bound(path: Path, entries: list[tuple[str, str, int]]) -> Path:
    """Write a book of (position, move as the book writes it, weight)."""
    rows = []
    for position, uci, weight in entries:
        move = chess.Move.from_uci(uci)
        rows.append(
            (chess.polyglot.zobrist_hash(chess.Board(position)), move.to_square | move.from_square << 6, weight)
        )
    path.write_bytes(b"".join(struct.pack(">QHHI", *row, 0) for row in sorted(rows)))
    return path


def test_moves_are_drawn_by_weight(tmp_path: Path) -> None:
    path = bound(
        tmp_path / "book.bin",
        [(fen.START, "d2d4", 1), (fen.START, "e2e4", 3), (fen.START, "e2e5", 9), (CASTLING, "e1h1", 1)],
    )
    with Book(path) as book:
        assert book.choices(fen.START) == [Choice("e2e4", 3), Choice("d2d4", 1)]
        assert book.choices(CASTLING) == [Choice("e1g1", 1)]
        assert book.choices(CASTLING.replace("K -", "- -")) == []
        drawn = [book.draw(fen.START, random.Random(seed)) for seed in range(400)]
        assert 60 < drawn.count("d2d4") < 140
        assert set(drawn) == {"d2d4", "e2e4"}
        assert book.draw(CASTLING.replace("K -", "- -"), random.Random(0)) is None


def test_a_book_may_be_empty(tmp_path: Path) -> None:
    with Book(bound(tmp_path / "book.bin", [])) as book:
        assert book.choices(fen.START) == []


def test_an_invalid_book_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "book.bin"
    with pytest.raises(OSError, match=r"book\.bin"):
        Book(path)
    path.write_bytes(b"no book")
    with pytest.raises(ValueError, match=r"book\.bin is not a Polyglot book"):
        Book(path)
