# SPDX-License-Identifier: GPL-3.0-or-later
"""How a match ended: in words, and marked on the board; the same as ``static/endings.js``."""

from collections.abc import Sequence
from typing import NamedTuple

from arena.protocol.watching import Aside
from web import wording
from web.api.games import BoardAnswer
from web.language import t


def how(
    game: str,
    board: BoardAnswer,
    result: str,
    termination: str,
    diagram: str,
    aside: Aside | None = None,
    payoff: float | None = None,
) -> str:
    """Return how a match ended, as text after "won" or "Draw".

    ``diagram`` and ``aside``: of the last position; ``payoff``: the points of the winner, told if there are more than
    one.
    """
    points = "" if payoff is None or payoff == 1 else t("{0} points", f"{payoff:g}")
    return ", ".join(filter(None, (_way(game, board, result, termination, diagram, aside), points)))


def _way(game: str, board: BoardAnswer, result: str, termination: str, diagram: str, aside: Aside | None) -> str:
    if termination != "decided":
        return wording.reason(termination)
    winner = _WINNERS.get(result)
    seats = {board.pieces[letter].seat for letter in diagram if letter in board.pieces}
    left = winner is not None and 1 - winner in seats
    if board.line:
        return t("on a full board") if winner is None else t("with {0} in a row", board.line)
    match game.partition("/")[0]:
        case "chess" if winner is not None:
            return t("by checkmate")
        case "chess":
            return t("by insufficient material") if _dead(board, diagram) else t("by stalemate")
        case "checkers" if winner is not None:
            return _no_move() if left else t("by capturing every piece")
        case "einstein" if winner is not None:
            return t("by reaching the opposite corner") if left else t("by capturing every stone")
        case "nim":
            return _no_move()
        case "othello":
            return _discs(board, diagram)
        case "go" if aside is not None and aside.counts is not None and winner is not None:
            one, other = aside.counts
            return t("by {0} points", wording.half(abs(one - other)))
    return ""


class Decided(NamedTuple):
    """Marks on a board at the end of a match."""

    won: Sequence[int] = ()
    """The squares that won the match."""
    lost: Sequence[int] = ()
    """The squares of pieces that are captured or cannot move."""
    ghosts: Sequence[tuple[int, str]] = ()
    """Squares and letters of the pieces that the last move captured."""


UNDECIDED = Decided()


def deciding(
    game: str, board: BoardAnswer, result: str, termination: str, diagram: str,
    squares: Sequence[int] = (), before: str | None = None,
) -> Decided:  # fmt: skip
    """Return what decided a match: lines that win, the king without a legal move, the pieces captured by the last move
    or without a legal move, the last square. ``squares``: of the last move; ``before``: the diagram before it.
    """
    if termination != "decided":
        return UNDECIDED
    winner = _WINNERS.get(result)
    seats = [board.pieces[letter].seat if letter in board.pieces else None for letter in diagram]
    if board.line:
        return UNDECIDED if winner is None else Decided(_lines(board, [seat == winner for seat in seats]))
    match game.partition("/")[0]:
        case "chess" if squares and (winner is not None or not _dead(board, diagram)):
            # the king of the side that did not make the last move
            mover = seats[squares[-1]]
            kings = [square for square, letter in enumerate(diagram) if letter in "Kk"]
            return Decided(lost=[square for square in kings if seats[square] != mover])
        case "checkers" if winner is not None:
            loser = 1 - winner
            left = [square for square, seat in enumerate(seats) if seat == loser]
            taken = [
                (square, letter)
                for square, letter in enumerate(before or "")
                if letter in board.pieces and board.pieces[letter].seat == loser and seats[square] is None
            ]
            return Decided(lost=[*(square for square, _ in taken), *left], ghosts=taken)
        case "einstein" if winner is not None:
            return Decided(squares[-1:])
    return UNDECIDED


def _lines(board: BoardAnswer, owned: Sequence[bool]) -> tuple[int, ...]:
    """Return the squares of all lines that win, in the order of the diagram."""
    found = set[int]()
    for square in range(len(owned)):
        row, column = divmod(square, board.columns)
        for down, right in _WAYS:
            last, end = row + (board.line - 1) * down, column + (board.line - 1) * right
            line = [square + step * (down * board.columns + right) for step in range(board.line)]
            if last < board.rows and 0 <= end < board.columns and all(owned[each] for each in line):
                found.update(line)
    return tuple(sorted(found))


def _dead(board: BoardAnswer, diagram: str) -> bool:
    """Return whether chess is drawn by insufficient material: kings with at most one minor piece, or with bishops on
    squares of one colour.
    """
    pieces = [(letter.lower(), sum(divmod(square, board.columns)) % 2) for square, letter in enumerate(diagram)]
    minor = [(kind, colour) for kind, colour in pieces if kind in {"b", "n"}]
    if any(kind in {"p", "q", "r"} for kind, _ in pieces):
        return False
    return len(minor) < 2 or (len(set(minor)) == 1 and minor[0][0] == "b")


def _discs(board: BoardAnswer, diagram: str) -> str:
    """Return the number of discs of both sides, with the empty squares if there are some: tournaments give them to the
    winner.
    """
    sides = [sum(letter in board.pieces and board.pieces[letter].seat == seat for letter in diagram) for seat in (0, 1)]
    fewer, more = sorted(sides)
    if fewer == more or sum(sides) == len(diagram):
        return t("with {0} discs to {1}", more, fewer)
    return t("with {0} discs to {1} ({2} to {3} with the empty squares)", more, fewer, len(diagram) - fewer, fewer)


def _no_move() -> str:
    return t("because the opponent has no legal move")


_WINNERS = {"1-0": 0, "0-1": 1}
_WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))
"""The directions of lines, as rows down and columns to the right."""
