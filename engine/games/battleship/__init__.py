# SPDX-License-Identifier: GPL-3.0-or-later
"""Battleship: both seats place five ships at the same time, ship by ship, and then shoot in turn.

"battleship/silent" does not announce sunk ships; in "battleship/no-touching" ships do not touch, not even at corners.
"""

from functools import partial

from engine.bitboards.bits import Bits
from engine.evaluation import Evaluation
from engine.game import Game
from engine.games.battleship import drawing, notation, rules
from engine.games.battleship.board import APART, SILENT, Battleship
from engine.games.battleship.secrets import secrets_of
from engine.time_control import TimeControl

__all__ = ["GAMES", "Battleship", "variant"]

RULES = """\
Each player has a sea of 10 × 10 squares, which the other one does not see: the columns A to J, and the rows 1 to 10 \
from the top. Both place five ships in it, in rows or columns: the carrier (5 squares), the battleship (4), the \
cruiser (3), the submarine (3) and the destroyer (2). They place each ship at the same time. {0}

Then the players shoot in turn, at one square of the other sea at a time, and not twice at the same one. Both learn \
whether a shot hits. {1} A player who hits does not shoot again. A placement is written with the ends of the ship, as \
A1-A5, and a shot as C7.

The player who first hits all 17 squares of the other fleet wins. Before the end nobody sees a fleet but its owner."""
TOUCH, NO_TOUCH = "Ships may touch each other.", "Ships do not touch each other, not even at corners."
TOLD, UNTOLD = (
    "The hit on the last square of a ship sinks it, and both learn which ship that was.",
    "A hit does not show whether it sank the ship.",
)


def _game(name: str, title: str, bits: int, difference: str = "") -> Game:
    return Game(
        name=name,
        title=title,
        state=Battleship,
        start=lambda: Battleship(Bits(bits), *[Bits(0)] * 10),
        parse_position=partial(notation.parse_position, rules=bits),
        format_position=notation.format_position,
        format_move=notation.format_move,
        diagram=drawing.diagram,
        squares=drawing.squares,
        board=drawing.BOARD,
        width=rules.WIDTH,
        evaluations={"hits": Evaluation("hits", (100,), "hits of a side minus the opponent's")},
        time_control=TimeControl(60_000, 500),
        description=f"Find and sink the five hidden ships of the other player{difference}.",
        rules=RULES.format(NO_TOUCH if bits & APART else TOUCH, UNTOLD if bits & SILENT else TOLD),
        link="https://en.wikipedia.org/wiki/Battleship_(game)",
        simultaneous=True,
        secrets=secrets_of(bits),
        read_move=notation.read_move,
        aside=drawing.aside,
        endings=drawing.ENDINGS,
    )


GAMES = [_game("battleship", "Battleship", 0)]

_VARIANTS = {
    "silent": (SILENT, "Silent Battleship", "; sunk ships are not announced"),
    "no-touching": (APART, "Battleship without touching ships", "; ships do not touch"),
    "silent-no-touching": (
        SILENT | APART,
        "Silent Battleship without touching ships",
        "; sunk ships are not announced, and ships do not touch",
    ),
}


def variant(suffix: str) -> Game | None:
    """Return a variant; None if there is none of this name."""
    if suffix not in _VARIANTS:
        return None
    bits, title, difference = _VARIANTS[suffix]
    return _game(f"battleship/{suffix}", title, bits, difference)
