# SPDX-License-Identifier: GPL-3.0-or-later
"""How a match ended, in words, for the first paint of its page; the same as ``static/match/ending.js``."""

import re

from web import wording
from web.api.games import BoardAnswer


def how(game: str, board: BoardAnswer, result: str, termination: str, diagram: str) -> str:
    """Return how a match ended, as text after "won" or "Draw"; ``diagram``: the last position."""
    if termination != "decided":
        return wording.reason(termination)
    winner = {"1-0": 0, "0-1": 1}.get(result)
    seats = {board.pieces[letter].seat for letter in diagram if letter in board.pieces}
    left = winner is not None and 1 - winner in seats
    match game.partition("/")[0]:
        case "chess" if winner is not None:
            return "by checkmate"
        case "chess":
            return "by stalemate" if re.search("[pqr]", diagram, re.IGNORECASE) else _NO_WIN
        case "tictactoe":
            return "on a full board" if winner is None else "with three in a row"
        case "checkers" if winner is not None:
            return _NO_MOVE if left else "by capturing every piece"
        case "einstein" if winner is not None:
            return "by reaching the opposite corner" if left else "by capturing every stone"
        case "nim":
            return _NO_MOVE
    return ""


_NO_MOVE = "because the opponent has no legal move"
_NO_WIN = "by stalemate or insufficient material"
