# SPDX-License-Identifier: GPL-3.0-or-later
"""Accuracy of a model of the earlier games of a player, in predictions of the moves of the newest games."""

from collections.abc import Sequence
from typing import Any

from bots.modelling.model import Model
from bots.modelling.replay import Replay
from bots.modelling.sources import PlayerName
from engine.game import Game

LEAST = 10
"""Games from which on the accuracy is measured."""

PART = 5
"""One of this many parts, the newest games, is predicted from the other games."""


def held_out(game: Game, games: Sequence[Replay]) -> dict[str, Any] | None:
    """Return the field ``held_out`` of an opponent model, None for too few games.

    ``games``: those of the player, in the order in which they were played. Forced moves do not count.
    """
    if len(games) < LEAST:
        return None
    cut = len(games) - len(games) // PART
    model = Model(game, PlayerName("*"))
    for one in games[:cut]:
        model.add(one)
    model.calibrate_on(games[:cut])
    turns = [turn for one in games[cut:] for turn in one.turns() if len(turn.position.moves) > 1]
    if not turns:
        return None
    return {
        "games": len(games) - cut,
        "moves": len(turns),
        "hits": sum(model.predict(turn.position, turn.past)[0][0] == turn.move for turn in turns),
        "chance": sum(1 / len(turn.position.moves) for turn in turns) / len(turns),
    }
