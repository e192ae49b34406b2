# SPDX-License-Identifier: GPL-3.0-or-later
"""Tuning a search's parameters by games: simultaneous perturbation stochastic approximation (J. Spall, 1992).

Each round moves all parameters at once, each up or down at random. A search with these parameters plays two games from
one opening against a search with the opposite moves, and the parameters go a step towards the winner. Trials and steps
become smaller.
"""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from bots.series import number_of
from engine.evaluation import Evaluation
from engine.game import Game
from engine.opening import random_opening
from engine.search import Searcher, Stop
from engine.search.margins import Margins
from lab.tuning.games import TABLE_BITS, Manner, play


class Span(NamedTuple):
    """How far a margin is moved for a trial at first, and between which bounds."""

    trial: int
    least: int
    most: int


SPANS = {
    "reverse_margin": Span(20, 20, 250),
    "razor_base": Span(60, 0, 600),
    "razor_margin": Span(60, 20, 600),
    "null_less": Span(60, 200, 700),
    "null_slope": Span(8, 5, 60),
    "null_ahead": Span(50, 50, 500),
    "late_base": Span(100, 100, 1200),
    "late_slope": Span(25, 20, 300),
    "futile_base": Span(40, 0, 400),
    "futile_margin": Span(30, 10, 300),
    "losing_margin": Span(40, 20, 500),
    "threat_margin": Span(80, 20, 1000),
    "risky_margin": Span(10, 1, 120),
    "reduced_base": Span(30, -60, 250),
    "reduced_slope": Span(6, 15, 80),
    "reduced_open": Span(40, -250, 50),
    "reduced_root": Span(60, -600, 100),
    "reduced_cut": Span(40, -50, 300),
    "reduced_worse": Span(40, -50, 300),
    "reduced_check": Span(40, -300, 100),
    "reduced_killer": Span(40, -300, 100),
    "reduced_history": Span(60, -600, 0),
    "delta_margin": Span(50, 0, 500),
    "singular_margin": Span(60, 30, 600),
    "double_margin": Span(12, 0, 120),
    "credit": Span(40, 40, 500),
    "most_credit": Span(300, 400, 4000),
    "window": Span(6, 6, 80),
}
"""The margins that games can settle; depths are too coarse for it."""

STEP, LAST_STEP = 0.12, 0.024
"""How much of its trial a margin moves for each point that a round was won by, in the first round and the last."""
LAST_TRIAL = 0.5
"""How much of the first round's trial is left in the last."""


def settle(
    game: Game, evaluation: Evaluation, manner: Manner, start: Margins, *, seed: int, rounds: int
) -> Iterator[Margins]:
    """Yield the margins after each round, a function of the seed."""
    sides = [searcher(game, evaluation, manner, start) for _ in range(2)]
    lots = Random(seed)
    values = {name: float(getattr(start, name)) for name in SPANS}
    for number in range(rounds):
        done = number / rounds
        moves = {name: lots.choice((-1, 1)) * span.trial for name, span in SPANS.items()}
        width = 1 - (1 - LAST_TRIAL) * done
        for side, sign in zip(sides, (width, -width), strict=True):
            side.margins = start._replace(**_rounded({name: values[name] + sign * moves[name] for name in SPANS}))
        lead = sum(2 * score - 1 for score in meet(game, sides[0], sides[1], manner, seed, number))
        step = STEP + (LAST_STEP - STEP) * done
        for name, span in SPANS.items():
            values[name] = min(max(values[name] + step * lead * moves[name], span.least), span.most)
        yield start._replace(**_rounded(values))


def searcher(game: Game, evaluation: Evaluation, manner: Manner, margins: Margins) -> Searcher:
    """Return what plays by these margins."""
    return Searcher(
        game, manner.algorithm, evaluation, quiescence=True, repetition=True, table_bits=TABLE_BITS, margins=margins
    )


def meet(game: Game, first: Searcher, second: Searcher, manner: Manner, seed: int, number: int) -> tuple[float, float]:
    """Play the pair of games of this number; return what the first searcher scored in each."""
    own = number_of(seed, number)
    opening = random_opening(game, own)
    scores = []
    for seat, sides in enumerate(((first, second), (second, first))):
        ending = play(game, sides, opening, manner, own, Stop()).ending
        assert ending is not None, "nobody stops these games"
        scores.append((ending.scores or (0.5, 0.5))[seat])
    return scores[0], scores[1]


def _rounded(values: dict[str, float]) -> dict[str, int]:
    return {name: round(min(max(value, SPANS[name].least), SPANS[name].most)) for name, value in values.items()}
