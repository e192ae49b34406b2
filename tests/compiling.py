# SPDX-License-Identifier: GPL-3.0-or-later
"""Which tests compile the frame of play (selective search): that takes half a minute for each game.

The suite compiles it for a few games. Tests with other games are marked ``long``: `make prove` runs them.
"""

import pytest

from engine.game import Game
from engine.games import catalogue

FRAME_OF_PLAY = "play"
"""The algorithm that searches in it."""

COMPILED = ("checkers", "chess", "tictactoe", "einstein", "backgammon")
"""The games for which the suite compiles it, and those with dice, where another search takes its place."""


def searched_games() -> dict[str, Game]:
    """Return the listed games that searches play, by name: those of perfect information."""
    return {name: game for name, game in catalogue().items() if game.perfect_information}


def marks(game: str, algorithm: str = FRAME_OF_PLAY) -> list[pytest.MarkDecorator]:
    """Return the marks of a test that searches in a game by an algorithm."""
    return [pytest.mark.long] if algorithm == FRAME_OF_PLAY and game not in COMPILED else []
