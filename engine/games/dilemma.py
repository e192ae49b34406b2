# SPDX-License-Identifier: GPL-3.0-or-later
"""The iterated Prisoner's Dilemma (M. Flood and M. Dresher, 1950; R. Axelrod's tournaments, 1980).

"dilemma/noise-N" plays another choice than the one made with a probability of N %.
"""

import re

from engine.game import Game
from engine.games.matrix.game import repeated_game
from engine.games.matrix.notation import Actions
from engine.games.matrix.rules import MOST_NOISE

REWARD, TEMPTATION, SUCKER, PUNISHMENT = 3.0, 5.0, 0.0, 1.0
"""Payoffs of a round: both cooperate, one defects alone, one cooperates alone, both defect."""
ROUNDS = 200
"""Usual number of rounds, as in Axelrod's first tournament."""

PAYOFFS = (
    ((REWARD, REWARD), (SUCKER, TEMPTATION)),
    ((TEMPTATION, SUCKER), (PUNISHMENT, PUNISHMENT)),
)
ACTIONS = Actions(("C", "D"), "CD", ("tile", "crossed tile"), ("light", "red"))

RULES = f"""\
Both players choose in each of {ROUNDS} rounds at the same time: to cooperate (C) or to defect (D). If both cooperate, \
each gets 3 points; if both defect, each gets 1 point. A player who defects while the other cooperates gets 5 points, \
and the other none.

The points of all rounds add up. The player with more points wins the match. The standings of tournaments \
count points, so both players can do well.

With noise, the opposite of a choice is played with a given probability. The choices before noise are in the record \
of the match; the position has the actions that were played."""


def _game(name: str, noise: int = 0) -> Game:
    return repeated_game(
        name,
        "Prisoner's Dilemma" + (f" with {noise} % noise" if noise else ""),
        ACTIONS,
        PAYOFFS,
        ROUNDS,
        most=TEMPTATION,
        noise=noise,
        description="Cooperate or defect, 200 times: the iterated Prisoner's Dilemma.",
        rules=RULES,
        link="https://en.wikipedia.org/wiki/Prisoner%27s_dilemma",
    )


GAMES = [_game("dilemma")]

_NOISE = re.compile(r"noise-([1-9]\d?)")


def variant(suffix: str) -> Game | None:
    """Return the variant with noise, "noise-N" with N percent."""
    found = _NOISE.fullmatch(suffix)
    if not found or int(found[1]) > MOST_NOISE:
        return None
    return _game(f"dilemma/{suffix}", int(found[1]))
