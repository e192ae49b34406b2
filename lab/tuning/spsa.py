# SPDX-License-Identifier: GPL-3.0-or-later
"""Tuning a search's parameters by games: simultaneous perturbation stochastic approximation (J. Spall, 1992).

Each round moves all parameters at once, each up or down at random. A search with these parameters plays two games from
one opening against a search with the opposite moves, and the parameters go a step towards the winner. Trials and steps
become smaller.
"""

from collections.abc import Iterator
from random import Random

from bots.series import number_of
from engine.evaluation import Evaluation
from engine.game import Game
from engine.opening import random_opening
from engine.search import Searcher, Stop
from engine.search.margins import PARAMETERS, Margins
from lab.tuning.games import TABLE_BITS, Manner, play

TUNED = {name: row for name, row in PARAMETERS.items() if row.step}
"""The parameters that games can tune; depths are too coarse for it."""

STEP, LAST_STEP = 0.12, 0.024
"""How much of its step a margin moves for each point that a round was won by, in the first round and the last."""
LAST_TRIAL = 0.5
"""How much of the first round's trial is left in the last."""


def settle(
    game: Game, evaluation: Evaluation, manner: Manner, start: Margins, *, seed: int, rounds: int
) -> Iterator[Margins]:
    """Yield the margins after each round, a function of the seed."""
    sides = [searcher(game, evaluation, manner, start) for _ in range(2)]
    lots = Random(seed)
    values = {name: float(getattr(start, name)) for name in TUNED}
    for number in range(rounds):
        done = number / rounds
        moves = {name: lots.choice((-1, 1)) * row.step for name, row in TUNED.items()}
        width = 1 - (1 - LAST_TRIAL) * done
        for side, sign in zip(sides, (width, -width), strict=True):
            side.margins = start._replace(**_rounded({name: values[name] + sign * moves[name] for name in TUNED}))
        lead = sum(2 * score - 1 for score in meet(game, sides[0], sides[1], manner, seed, number))
        step = STEP + (LAST_STEP - STEP) * done
        for name, row in TUNED.items():
            values[name] = min(max(values[name] + step * lead * moves[name], row.least), row.most)
        yield start._replace(**_rounded(values))


def searcher(game: Game, evaluation: Evaluation, manner: Manner, margins: Margins) -> Searcher:
    """Return what plays by these margins."""
    return Searcher(
        game, manner.algorithm, evaluation, quiescence=True, repetition=True, table_bits=TABLE_BITS, margins=margins
    )


def meet(game: Game, first: Searcher, second: Searcher, manner: Manner, seed: int, number: int) -> tuple[float, float]:
    """Play the pair of games of this number; return the first searcher's score in each."""
    own = number_of(seed, number)
    opening = random_opening(game, own)
    scores = []
    for seat, sides in enumerate(((first, second), (second, first))):
        ending = play(game, sides, opening, manner, own, Stop()).ending
        assert ending is not None, "nobody stops these games"
        scores.append((ending.scores or (0.5, 0.5))[seat])
    return scores[0], scores[1]


def _rounded(values: dict[str, float]) -> dict[str, int]:
    return {name: round(min(max(value, TUNED[name].least), TUNED[name].most)) for name, value in values.items()}
