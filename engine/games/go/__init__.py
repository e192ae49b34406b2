# SPDX-License-Identifier: GPL-3.0-or-later
"""Go by the rules of Tromp and Taylor, on 9×9; on 13×13 and 19×19 on demand."""

from engine.decision import MARGIN, Endings
from engine.evaluation import Evaluation, Terms
from engine.game import Game, TreeDefaults
from engine.games.go import answers, notation, picking, priors, rules
from engine.games.go.board import KOMI, SIDES, Go9, Go13, Go19, pack
from engine.rules import FORBIDDEN, Draws, OpeningRule
from engine.time_control import TimeControl

__all__ = ["GAMES", "Go9", "Go13", "Go19", "answers", "picking", "priors", "rules"]

EVALUATIONS = {
    evaluation.name: evaluation
    for evaluation in (
        Evaluation(
            "influence",
            (2 * rules.STONE, 30, rules.STONE),
            "area with influence, liberties, and komi",
            terms=Terms(names=("area", "liberties", "komi")),
            man=2 * rules.STONE,
        ),
    )
}

RULES = """\
Black moves first, on an empty board of {side} by {side} lines. A move places a stone on an empty point, or passes.

Stones of a colour that are connected along the lines form a chain. Empty points beside a chain are its liberties. A \
move captures the chains of the other colour that have no liberty left; they are removed. A move may not leave its own \
chain without a liberty (suicide). It may not repeat an earlier position of the board; the side to move does not \
matter (positional superko).

Two passes in a row end the game. All stones on the board count as alive. A player's area is the stones of its colour, \
and the empty regions that touch only stones of this colour. White gets {komi} points of compensation (komi). \
The larger area wins."""


def _game(kind: type) -> Game:
    side = SIDES[kind]
    komi = f"{KOMI[side] / 2:g}"
    return Game(
        name=f"go/{side}x{side}",
        title=f"Go {side}×{side}",
        state=kind,
        start=lambda: pack(kind, 0, 0, 0),
        parse_position=lambda text: notation.parse_position(kind, text),
        format_position=notation.format_position,
        format_move=notation.format_move,
        diagram=notation.diagram,
        squares=notation.squares,
        board=notation.board(side),
        width=side * side + 1,
        evaluations=EVALUATIONS,
        time_control=TimeControl({9: 60_000, 13: 120_000, 19: 300_000}[side], {9: 500, 13: 1_000, 19: 2_000}[side]),
        seats=("Black", "White"),
        draws=Draws(repetition=FORBIDDEN),
        tree_search=TreeDefaults("rave", {"exploration": 0.0, "equivalence": 3000.0, "heuristic": 0.3}),
        opening=OpeningRule(plies=2),
        description=f"Surround more than half of the board of {side} by {side}. White gets {komi} points of komi.",
        rules=RULES.format(side=side, komi=komi),
        link="https://tromp.github.io/go.html",
        read_move=notation.read_move,
        aside=notation.aside,
        scale=7.6,
        endings=Endings(notation.decide, MARGIN, "area", "area"),
    )


GAMES = [_game(Go9)]

_VARIANTS = {game.name.partition("/")[2]: game for game in map(_game, (Go13, Go19))}


def variant(suffix: str) -> Game | None:
    """Return the game on a larger board; None for other sizes."""
    return _VARIANTS.get(suffix)
