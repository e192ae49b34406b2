# SPDX-License-Identifier: GPL-3.0-or-later
"""Backgammon: money games in points, without a cube; with the doubling cube on demand."""

from functools import partial

from engine.decision import Endings
from engine.evaluation import Evaluation, Terms
from engine.game import Game, TreeDefaults
from engine.games.backgammon import drawing, evaluation, notation, positions, rules, weights
from engine.games.backgammon.board import LARGEST, NO_CUBE, ROLLING, Backgammon, cube_value, make_cube, start
from engine.games.backgammon.worth import POINT
from engine.time_control import TimeControl

__all__ = ["GAMES", "Backgammon", "rules"]

WIDTH = 3060
"""Four steps of a double by 15 men: at most C(15 + 4 - 1, 4) ways to share them out. Two different dice: at most
15 * 15 pairs of men, and one man of 15 twice with the lower die first."""

BACKGAMMON = 3
"""Points of a backgammon."""

EVALUATIONS = {
    found.name: found
    for found in (
        Evaluation(
            "points",
            weights.WEIGHTS,
            "expected points, from estimated probabilities of winning and of gammons; terms: made points, shots, "
            "primes, race",
            win=POINT,
            sooner=0,
            terms=Terms(names=evaluation.NAMES, ranges=evaluation.RANGES, value=evaluation.points_of),
            man=POINT,
        ),
    )
}

RULES = """\
Each player has 15 men on the 24 points and moves them from its own 24 point to its own 1 point, against the direction \
of the other player. At first each rolls one die: the higher one begins, with both dice. From then on the players roll \
two dice in turn.

Each die moves one man by the number of points that it shows, both dice may move the same man, and a double counts \
four times. A man may not move to a point with two or more men of the other player. A man that is alone on a point is \
a blot: if a man of the other player reaches the point, it is hit and goes to the bar. Men on the bar must enter \
first, in the other player's home board (points 24 to 19, counted by the entering player).

A player must use as many dice as possible; if either die can be used, but not both, then the higher one. A player who \
cannot move passes. When all 15 men are in the home board (points 1 to 6), they are borne off: from the point of the \
die, or from the highest point with men if that is lower.

The player who has borne off all men first wins 1 point; 2 points (a gammon) if the other player has borne off none; 3 \
points (a backgammon) if that player also has a man on the bar or in the winner's home board."""

CUBE = """\
The doubling cube stands in the middle at first. Before a roll a player may double the stakes, if the cube is in the \
middle or its own. The other player drops and loses the stakes before the double, or takes: the game goes on for twice \
the stakes, and the cube belongs to the player who took. The cube goes up to 64. Gammons and backgammons count without \
a double (there is no Jacoby rule), and there are no beavers."""


def _game(name: str, title: str, cube: int, description: str, rules_text: str) -> Game:
    stakes = float(BACKGAMMON << (LARGEST if cube else 0))
    game = Game(
        name=name,
        title=title,
        state=Backgammon,
        start=lambda: start(cube),
        parse_position=partial(positions.parse_position, cube=cube),
        format_position=positions.format_position,
        format_move=notation.format_move,
        diagram=drawing.diagram,
        squares=drawing.squares,
        aside=drawing.aside,
        board=drawing.BOARD,
        width=WIDTH,
        evaluations=EVALUATIONS,
        time_control=TimeControl(120_000, 1_000),
        seats=("Dark", "Light"),
        description=description,
        rules=rules_text,
        link="https://en.wikipedia.org/wiki/Backgammon",
        chance=True,
        stakes=stakes,
        loss=rules.lost,
        # the tree's values are shares of the stakes; turns differ by tenths of the cube's value
        tree_search=TreeDefaults(
            parameters={"scale": stakes / 2, "temperature": 0.1 * stakes / BACKGAMMON},
            at_stake=(lambda state: cube_value(state.cube) * BACKGAMMON / stakes) if cube else None,
        ),
        payoff_of_score=lambda score: score / POINT,
        read_move=notation.reader(lambda state: game.look(state).moves),
        endings=Endings(
            drawing.decide,
            (drawing.SINGLE, drawing.GAMMON, drawing.BACKGAMMON, drawing.DROP),
            "bearing off",
        ),
    )
    return game


GAMES = [
    _game(
        "backgammon",
        "Backgammon",
        NO_CUBE,
        "Race 15 men home by dice, and hit those that stand alone; a gammon counts twice, a backgammon three times.",
        RULES,
    )
]

_WITH_CUBE = _game(
    "backgammon/cube",
    "Backgammon with the cube",
    make_cube(1, None, ROLLING),
    "Backgammon with a doubling cube, up to 64.",
    f"{RULES}\n\n{CUBE}",
)


def variant(suffix: str) -> Game | None:
    """Return the game with the doubling cube, "cube"; None for others."""
    return _WITH_CUBE if suffix == "cube" else None
