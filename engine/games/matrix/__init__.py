# SPDX-License-Identifier: GPL-3.0-or-later
"""Repeated matrix games of two seats with up to eight actions each; a position contains the payoffs.

"matrix/NAME" is a game of the textbooks.
"""

from engine.drawing import Shape, Tone
from engine.game import Game, State
from engine.games.matrix import notation
from engine.games.matrix.game import repeated_game
from engine.games.matrix.notation import Actions, parse_payoffs
from engine.games.matrix.rules import Repeated

__all__ = ["ACTIONS", "GAMES", "Repeated", "variant"]

ROUNDS = 100
"""Usual number of rounds."""

_SHAPES: tuple[Shape, ...] = ("one", "two", "three", "four", "five", "six", "tile", "crossed tile")
_TONES: tuple[Tone, ...] = ("light", "red", "yellow", "dark", "light", "red", "yellow", "dark")

ACTIONS = Actions(tuple("abcdefgh"), "abcdefgh", _SHAPES, _TONES)

TEXTBOOK = {
    "matrix": ("Matrix game", "4:4,1:3/3:1,2:2", "Stag hunt: a stag needs both hunters, a hare only one."),
    "matrix/battle-of-the-sexes": (
        "Battle of the sexes",
        "3:2,0:0/0:0,2:3",
        "Both want to meet, but each at another place.",
    ),
    "matrix/chicken": ("Chicken", "3:3,1:4/4:1,0:0", "Each wants the other to swerve; the worst is that neither does."),
    "matrix/matching-pennies": (
        "Matching pennies",
        "1,-1/-1,1",
        "Seat 0 wins if both choose the same side of the coin.",
    ),
}
"""Title, payoffs and description of each game by name."""

RULES = """\
Both players choose an action in each round at the same time, a, b and so on. Seat 0 chooses a row of the matrix, seat \
1 a column. The cell has the payoffs of both.

The payoffs of all rounds add up. The match ends after the last round. The player with more points wins. The \
standings of tournaments count points.

The position contains the payoffs, the number of rounds and the actions so far. With noise, an action other than \
the chosen one is played with a given probability."""


def parse_position(text: str) -> Repeated:
    """Read the payoffs and a position. Raises ValueError, with a message for people."""
    payoffs, _, rest = text.strip().partition(" ")
    if not payoffs:
        raise ValueError("a position has the payoffs first, like 3:3,0:5/5:0,1:1 200")
    return notation.parse_position(ACTIONS, parse_payoffs(payoffs), rest or str(ROUNDS))


def format_position(state: State) -> str:
    """Write a position as ``parse_position`` reads it."""
    return f"{notation.format_payoffs(notation.payoffs_of(state))} {notation.format_position(ACTIONS, state)}"


def _game(name: str) -> Game:
    title, payoffs, description = TEXTBOOK[name]
    return repeated_game(
        name,
        title,
        ACTIONS,
        parse_payoffs(payoffs),
        ROUNDS,
        description=description,
        rules=RULES,
        link="https://en.wikipedia.org/wiki/Normal-form_game",
        texts=(parse_position, format_position),
    )


GAMES = [_game("matrix")]


def variant(suffix: str) -> Game | None:
    """Return a game of the textbooks by its name."""
    name = f"matrix/{suffix}"
    return _game(name) if name in TEXTBOOK else None
