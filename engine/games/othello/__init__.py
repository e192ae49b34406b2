# SPDX-License-Identifier: GPL-3.0-or-later
"""Othello on 8 × 8 squares; on 6 × 6 on demand."""

from functools import partial

from engine.decision import Endings
from engine.game import Game
from engine.games.othello import notation, rules
from engine.games.othello.board import Othello, SmallOthello
from engine.games.othello.evaluation import DISC, EVALUATIONS
from engine.rules import OpeningRule
from engine.time_control import TimeControl

__all__ = ["GAMES", "Othello", "SmallOthello", "rules"]

RULES = """\
Black moves first. A move places a disc on an empty square so that it flips at least one disc of the opponent: all \
discs of the opponent in a straight line between the new disc and another disc of the same colour, in all eight \
directions.

A player who can flip no disc passes; a player who can must move. The game ends when neither player can move.

The player with more discs wins. In tournaments the winner also counts the empty squares."""


def _game(name: str, title: str, state: type[Othello | SmallOthello], size: int, description: str) -> Game:
    return Game(
        name=name,
        title=title,
        state=state,
        start=lambda: state(*notation.start()),
        parse_position=lambda text: state(*notation.parse_position(size, text)),
        format_position=partial(notation.format_position, size),
        format_move=lambda state, move: notation.name_of(size, move),
        diagram=partial(notation.diagram, size),
        squares=notation.touched(size),
        board=notation.board_of(size),
        width=size**2,
        evaluations=EVALUATIONS,
        time_control=TimeControl(60_000, 500),
        seats=("Black", "White"),
        opening=OpeningRule(plies=6, depth=4, margin=4 * DISC),
        description=description,
        rules=RULES,
        ended_leaves=True,
        link="https://en.wikipedia.org/wiki/Reversi",
        read_move=notation.read_move,
        aside=notation.aside,
        scale=9.5,
        endings=Endings(
            partial(notation.decide, size),
            (notation.NUMBERS, notation.WITH_EMPTY),
            "number of discs",
            "number of discs",
        ),
    )


GAMES = [
    _game(
        "othello",
        "Othello",
        Othello,
        8,
        "Place discs that flip the opponent's discs in between; the player with more discs at the end wins.",
    )
]

_SMALL = _game("othello/6x6", "Othello 6×6", SmallOthello, 6, "Othello on a board of 6 × 6 squares.")


def variant(suffix: str) -> Game | None:
    """Return the game on 6 × 6 squares; None for other sizes."""
    return _SMALL if suffix == "6x6" else None
