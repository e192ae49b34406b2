# SPDX-License-Identifier: GPL-3.0-or-later
"""Checkers: English draughts, and the optional-capture rules of the lecture "Cognitive Game Theory"."""

from engine.decision import NO_MOVE, Endings
from engine.evaluation import Evaluation, Terms
from engine.game import Game
from engine.games.checkers import notation, rules
from engine.games.checkers.board import Checkers, Lecture
from engine.rules import Draws, OpeningRule
from engine.time_control import TimeControl

__all__ = ["GAMES", "Checkers", "Lecture", "rules"]

TERMS = Terms(names=("men", "kings", "kings in the centre", "advance"))

EVALUATIONS = {
    evaluation.name: evaluation
    for evaluation in (
        Evaluation(
            "material", (100_000, 300_000, 0, 0), "material: 100,000 for a man, 300,000 for a king", terms=TERMS
        ),
        Evaluation(
            "lecture",
            (100_000, 300_000, 5_000, 1_000),
            "material, kings in the centre, and the advance of men; earlier wins score more",
            sooner=50,
            terms=TERMS,
        ),
        Evaluation(
            "second-course",
            (1, 5, 0, 0),
            "number of men plus five times the number of kings, own minus opponent's",
            terms=TERMS,
        ),
    )
}
SIDE = 12
"""Men and kings of a side."""

WHOLE, ALL = 16, 51
"""Maximum number of complete jump sequences of a king, and of sequences including their beginnings."""


RULES = """\
Black moves first, on the dark squares of a board of eight by eight, with twelve men on each side. Men move one square \
diagonally forwards, kings one square in any diagonal direction. A man that reaches the farthest row becomes a king, \
which ends its move.

A piece captures by jumping over a piece of the other side onto the empty square behind it. From there it goes on \
jumping if it can.

A side that cannot move, or has no piece left, loses."""


def _game(
    name: str, title: str, state: type[Checkers | Lecture], width: int, draws: Draws, description: str, captures: str
) -> Game:
    game = Game(
        name=name,
        title=title,
        state=state,
        start=lambda: state(*notation.start()),
        parse_position=lambda text: state(*notation.parse_position(text)),
        format_position=notation.format_position,
        format_move=notation.format_move,
        diagram=notation.diagram,
        squares=notation.squares,
        board=notation.BOARD,
        width=width,
        evaluations=EVALUATIONS,
        time_control=TimeControl(60_000, 500),
        seats=("Black", "White"),
        draws=draws,
        opening=OpeningRule(plies=4, depth=6, margin=50_000),
        description=description,
        rules=f"{RULES}\n\n{captures}",
        link="https://en.wikipedia.org/wiki/English_draughts",
        read_move=notation.reader(lambda state: game.look(state).moves),
        endings=Endings(notation.decide, (NO_MOVE, notation.CAPTURES), "no legal move", "no legal move"),
    )
    return game


GAMES = [
    _game(
        "checkers",
        "Checkers",
        Checkers,
        SIDE * WHOLE,
        Draws(repetition=3, no_progress_plies=80),
        "English draughts: captures are compulsory and must be completed. A player who cannot move loses.",
        "Captures are compulsory, and a capture must be completed; among several captures the player chooses. "
        "The game is drawn when a position stands for the third time with the same side to move, and after 80 plies "
        "without a capture or a man's move.",
    ),
    _game(
        "checkers/lecture",
        "Checkers (lecture)",
        Lecture,
        SIDE * (ALL + 4),
        Draws(plies=200),
        "Checkers with optional captures, which may end after any jump. A player who cannot move loses.",
        "Captures are optional, and a series of jumps may end after any of them. The game is drawn after 200 plies.",
    ),
]
