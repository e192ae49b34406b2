# SPDX-License-Identifier: GPL-3.0-or-later
"""Which tests compile the frame of play (selective search): that takes half a minute for each game.

The suite compiles it for three games. Tests with other games are marked ``long``: `make prove` runs them.
"""

from collections.abc import Iterable
from typing import Any

import pytest

FRAME_OF_PLAY = "play"
"""The algorithm that searches in it."""

COMPILED = ("checkers", "chess", "tictactoe", "einstein")
"""The games for which the suite compiles it, and one with dice, where another search takes its place."""


LARGER = ("go/13x13", "go/19x19")
"""Games that differ from another one by the size of the board only: slow tests of them are marked ``long``."""


def each_game(names: Iterable[str]) -> list[Any]:
    """Return the parameters of a slow test of these games."""
    return [pytest.param(name, marks=[pytest.mark.long] if name in LARGER else []) for name in names]


def marks(game: str, algorithm: str = FRAME_OF_PLAY) -> list[pytest.MarkDecorator]:
    """Return the marks of a test that searches in a game by an algorithm."""
    return [pytest.mark.long] if game in LARGER or (algorithm == FRAME_OF_PLAY and game not in COMPILED) else []
