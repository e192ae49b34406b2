# SPDX-License-Identifier: GPL-3.0-or-later
"""Players of known strength and the games they played."""

from math import log

import numpy as np

from arena.rating.bradley_terry import DAVIDSON, DrawModel
from arena.rating.difference import POINTS
from arena.rating.results import Results


class World:
    """Players of normally distributed strengths, 0 on the average over all games, and random pairings.

    ``effect``: the standard deviation of what two play better or worse against each other than their strengths say;
    ``nearby``: points of difference that make a pairing rarer by e to 1, 0 where all are as frequent.
    """

    def __init__(
        self,
        players: int,
        games: int,
        *,
        seed: int,
        spread: float = 200.0,
        advantage: float = 35.0,
        draw_rate: float = 0.3,
        model: DrawModel = DAVIDSON,
        effect: float = 0.0,
        nearby: float = 0.0,
    ) -> None:
        chance = np.random.default_rng(seed)
        strengths = chance.normal(0, spread, players)
        self.ranks = np.empty(players, dtype=np.int64)
        self.ranks[np.argsort(-strengths)] = np.arange(1, players + 1)
        self.first = chance.integers(0, players, games)
        self.second = (self.first + chance.integers(1, players, games)) % players
        if nearby:
            one, other = np.triu_indices(players, 1)
            frequency = np.exp(-np.abs(strengths[one] - strengths[other]) / nearby)
            pairs = chance.choice(len(one), games, p=frequency / frequency.sum())
            swapped = chance.random(games) < 0.5
            self.first, self.second = (
                np.where(swapped, other[pairs], one[pairs]),
                np.where(swapped, one[pairs], other[pairs]),
            )
        fits = np.triu(chance.normal(0, effect, (players, players)), 1) if effect else np.zeros((players, players))
        played = np.bincount(self.first, minlength=players) + np.bincount(self.second, minlength=players)
        self.strengths = strengths - played @ strengths / played.sum()
        lead = self.strengths[self.first] - self.strengths[self.second] + (fits - fits.T)[self.first, self.second]
        x = (lead + advantage) / POINTS
        if model is DAVIDSON:
            nu = 2 * draw_rate / (1 - draw_rate)
            total = np.exp(x / 2) + np.exp(-x / 2) + nu
            won, lost = np.exp(x / 2) / total, np.exp(-x / 2) / total
        else:
            c = log((1 + draw_rate) / (1 - draw_rate))
            won, lost = 1 / (1 + np.exp(c - x)), 1 / (1 + np.exp(c + x))
        lot = chance.random(games)
        self.scores = np.where(lot < won, 1.0, np.where(lot < 1 - lost, 0.5, 0.0))
        self.results = Results.of_games(self.first, self.second, self.scores, players)
