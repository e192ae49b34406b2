# SPDX-License-Identifier: GPL-3.0-or-later
"""Backgammon against PubEval (G. Tesauro, 1993), that of the development package ``gnubg-nn``, in points a game.

``python -m lab.bench.games.backgammon --games 400 --depth 1`` plays other numbers of games, and prints as it goes.
"""

import argparse
import math
import random
import statistics
import time
from collections.abc import Iterator
from typing import NamedTuple

import gnubg_nn

from engine.game import CHANCE, Game, Position
from engine.games import find
from engine.games.backgammon.board import sides
from engine.search.driver import Searcher
from engine.search.limits import Limits
from lab.bench.measurements import Measurement

GAMES = 2000
DEPTH = 3
"""Plies of the search: its own turn, the next roll, and the reply."""
PEER_BAR = 24
"""Index of the bar in the package's moves; point p has the index p - 1."""
NORMAL_95 = 1.96


class Standing(NamedTuple):
    """The result of the games so far."""

    games: int
    points: float
    """Points a game."""
    interval: float
    """Half of the interval of 95 %, from the means of the pairs."""
    won: float
    """Share of the games."""
    milliseconds: float
    """Processor time of a search."""


def pubeval_move(game: Game, position: Position) -> int:
    """Return PubEval's turn."""
    if len(position.moves) == 1:
        return position.moves[0]
    men = sides(position.state)
    seat = position.state.seat
    places = gnubg_nn.pub_best_move([men[1 - seat][1:], men[seat][1:]], *divmod(position.state.roll, 10))
    steps = [
        f"{'bar' if source == PEER_BAR else source + 1}/{target + 1 if target >= 0 else 'off'}"
        for source, target in zip(places[::2], places[1::2], strict=True)
    ]
    return game.parse_move(position, " ".join(steps))


def play(searcher: Searcher, depth: int, seed: int, seat: int) -> tuple[float, int, float]:
    """Play a game, the search in this seat; return its points, and the number and seconds of its searches."""
    game, dice = searcher.game, random.Random(seed)
    position = game.look(game.start())
    searches, seconds = 0, 0.0
    while not position.over:
        if position.to_move == CHANCE:
            move = dice.choices(position.moves, game.odds(position))[0]
        elif position.to_move != seat:
            move = pubeval_move(game, position)
        elif len(position.moves) == 1:
            move = position.moves[0]
        else:
            began = time.process_time()
            found = searcher.search(position.state, Limits(depth=depth)).move
            assert found is not None, "a position with moves has a best one"
            move, searches, seconds = found, searches + 1, seconds + time.process_time() - began
        position = game.play(position, move)
    return position.payoffs[seat], searches, seconds


def against_pubeval(games: int, depth: int, seed: int) -> Iterator[Standing]:
    """Play pairs of games with the same dice and the seats swapped; yield the result after each from the second."""
    searcher = Searcher(find("backgammon"))
    searcher.warm_up()
    pairs, won, searches, seconds = list[float](), 0, 0, 0.0
    for pair in range(games // 2):
        points = 0.0
        for seat in (0, 1):
            payoff, count, spent = play(searcher, depth, seed * 1_000_000 + pair, seat)
            points, won = points + payoff, won + (payoff > 0)
            searches, seconds = searches + count, seconds + spent
        pairs.append(points / 2)
        if pair:
            error = NORMAL_95 * statistics.stdev(pairs) / math.sqrt(len(pairs))
            count = 2 * len(pairs)
            yield Standing(count, statistics.mean(pairs), error, won / count, 1000 * seconds / searches)


def run_pubeval() -> Iterator[Measurement]:
    """Play, and measure the lower end of the interval."""
    *_, last = against_pubeval(GAMES, DEPTH, seed=1)
    yield Measurement(
        what="backgammon against PubEval, 2 plies",
        unit="points a game",
        ours=last.points,
        target=last.interval,
        of="figure",
        note=f"± {last.interval:.3f}, {last.games:,} games, {last.won:.1%} won, {last.milliseconds:.1f} ms a turn",
    )


BENCHMARKS = {"pubeval": run_pubeval}


def main() -> None:
    """Play, and print the result every 20 games."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES, help="number of games, 4 or more")
    parser.add_argument("--depth", type=int, default=DEPTH, help="1: own turn; 2: and the next roll; 3: and the reply")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for standing in against_pubeval(arguments.games, arguments.depth, arguments.seed):
        if standing.games % 20 == 0:
            print(
                f"{standing.games:,} games: {standing.points:+.3f} ± {standing.interval:.3f} points a game, "
                f"{standing.won:.1%} won, {standing.milliseconds:.2f} ms a turn",
                flush=True,
            )


if __name__ == "__main__":
    main()
