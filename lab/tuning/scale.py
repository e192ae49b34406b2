# SPDX-License-Identifier: GPL-3.0-or-later
"""Fit the scale of a game's scores, ``Game.scale``, to quick games of its evaluation against itself.

``python -m lab.tuning.scale othello --games 200`` prints the scale. The first plies of each game are random, and the
scores of decided positions do not count. With weaker play, scores are less predictive: in chess at three plies, the
score with which a side wins three games in four is nearly three times ``Game.scale``, which is fitted to stronger play.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from math import exp, log

from engine.game import CHANCE, Game
from engine.games import find
from engine.search import Limits, Searcher

OPENING = 8
"""The first plies, which are random."""
TAKEN = 0.3
"""Share of positions that are taken."""
LONGEST = 200
"""Plies after which a game is given up."""
STEPS = 100


def samples(game: Game, games: int, depth: int, seed: int) -> Iterator[tuple[float, float]]:
    """Yield scores of seat 0 in pawn units, each with the result of its game: 1, 1/2 or 0."""
    searcher, chance = Searcher(game), random.Random(seed)
    evaluation = searcher.evaluation
    for _ in range(games):
        position, ply, scores = game.look(game.start()), 0, list[float]()
        while not position.over and ply < LONGEST:
            if position.to_move == CHANCE:
                position = game.play(position, chance.choices(position.moves, game.odds(position))[0])
                continue
            found = searcher.search(position.state, Limits(depth=depth))
            if ply >= OPENING and abs(found.value) < evaluation.win / 2 and chance.random() < TAKEN:
                score = evaluation.pawn_units(found.value)
                scores.append(-score if position.to_move else score)
            move = chance.choice(position.moves) if ply < OPENING or found.move is None else found.move
            position, ply = game.play(position, move), ply + 1
        if position.over:
            payoff = position.payoffs[0]
            yield from ((score, 0.5 + 0.5 * ((payoff > 0) - (payoff < 0))) for score in scores)


def fitted(found: Sequence[tuple[float, float]]) -> float:
    """Return the score at which a side wins three games in four, by logistic regression through the origin.

    Raises ValueError if the scores do not tell who wins.
    """
    rate = 1.0
    for _ in range(STEPS):
        slope = curvature = 0.0
        for score, result in found:
            chance = 1 / (1 + exp(-max(-50.0, min(50.0, rate * score))))
            slope += (result - chance) * score
            curvature += chance * (1 - chance) * score * score
        if curvature:
            rate += max(-rate / 2, min(rate / 2, slope / curvature))
    if not found or rate < 1e-6:
        raise ValueError("the scores do not tell who wins")
    return log(3) / rate


def main() -> None:
    """Fit and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--games", type=int, default=100, help="number of games (default: %(default)s)")
    parser.add_argument("--depth", type=int, default=3, help="depth of the searches (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the games (default: %(default)s)")
    arguments = parser.parse_args()
    found = list(samples(find(arguments.game), arguments.games, arguments.depth, arguments.seed))
    print(f"{arguments.game}: a score of {fitted(found):.2f} wins three games in four ({len(found):,} positions)")


if __name__ == "__main__":
    main()
