# SPDX-License-Identifier: GPL-3.0-or-later
"""PGN (Portable Game Notation) for chess: reader and writer, with python-chess.

The reader accepts the usual content of collections: long and short moves, annotation marks, comments, and variations,
which it skips. Each move is checked, so records have legal moves in the game's notation.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import chess
import chess.pgn
from msgspec import structs

from engine import games
from engine.formats import Format, Unreadable, movetext, refuse, tags
from engine.game import Game
from engine.match.record import Record

NAME = "chess"

VARIANTS = frozenset({"", "chess", "standard", "normal", "from position"})
"""Accepted values of the tag Variant, in lower case."""


# ---------------------------------------------------------------- reading


def read(lines: Iterable[str], unreadable: Callable[[Unreadable], None] = refuse) -> Iterator[Record]:
    """Read the games of a PGN file from its lines."""
    game = games.find(NAME)
    for source in movetext.split(lines):
        try:
            yield _record(game, source.tags, source.checked())
        except ValueError as error:
            unreadable(Unreadable(source.line, str(error.args[0])))


def _record(game: Game, found: tags.Tags, text: str) -> Record:
    if found.take("Variant").lower() not in VARIANTS:
        raise ValueError("the game is of a variant of chess")
    start = found.start()
    if start is not None:
        start = game.format_position(game.parse_position(start))
    moves = _Moves()
    handle: Any = _Lines(start, text)
    chess.pgn.read_game(handle, Visitor=lambda: moves)
    return movetext.to_record(game, found, start, moves.played, moves.ending)


class _Lines:
    """A file object for python-chess: the lines of one game, the initial position first."""

    def __init__(self, start: str | None, text: str) -> None:
        # python-chess does not look for tags after a comment
        head = [f'[FEN "{start or chess.STARTING_FEN}"]', "{}"]
        self._lines = iter([*head, *text.split("\n")])

    def readline(self) -> str:
        """Return the next line, "" after the last."""
        return next((line + "\n" for line in self._lines), "")


class _Moves(chess.pgn.BaseVisitor[None]):
    """Collects the main line: each move with its first comment, and the result."""

    def __init__(self) -> None:
        self.played: list[tuple[str, str]] = []
        self.ending: str | None = None

    def begin_variation(self) -> chess.pgn.SkipType:
        """Skip variations."""
        return chess.pgn.SKIP

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        """Collect a legal move."""
        if self.ending:
            raise ValueError("a move follows the result")
        if not move or board.is_insufficient_material():
            reason = "neither side has the material to mate" if move else "the move is missing"
            raise ValueError(f"move {len(self.played) + 1}: {reason}")
        self.played.append((move.uci(), ""))

    def visit_comment(self, comment: str) -> None:
        """Keep the first comment on the last move."""
        if self.played and not self.played[-1][1]:
            self.played[-1] = self.played[-1][0], comment.strip()

    def visit_result(self, result: str) -> None:
        """Keep the result."""
        self.ending = result

    def handle_error(self, error: Exception) -> None:
        """Refuse a game with an illegal move."""
        raise ValueError(f"move {len(self.played) + 1}: {error}") from None

    def result(self) -> None:
        """Return nothing: the moves are attributes."""


# ---------------------------------------------------------------- writing


def covers(game: str) -> bool:
    """Return whether this is chess."""
    return game == NAME


def write(records: Iterable[Record]) -> Iterator[str]:
    """Write each record, followed by a blank line. Raises ValueError for another game."""
    game = games.find(NAME)
    for record in records:
        if not covers(record.game):
            raise ValueError(f"PGN has no notation for {record.game}")
        if record.start == game.format_position(game.start()):
            record = structs.replace(record, start=None)
        board = chess.Board(record.start or chess.STARTING_FEN)
        section = "".join(tags.write(record, game.seats))
        yield f"{section}\n{movetext.write(record, _spelled(record, board), int(not board.turn))}\n\n"


def _spelled(record: Record, board: chess.Board) -> Iterator[str]:
    """Yield the moves in standard algebraic notation."""
    for played in movetext.moves(record):
        yield board.san_and_push(board.parse_uci(played.move))


FORMAT = Format("pgn", "PGN, chess", covers, read, write)
