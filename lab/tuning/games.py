# SPDX-License-Identifier: GPL-3.0-or-later
"""Games of searches against each other, each from an opening of its own, each a function of its seed.

The referee is ``engine.match``. Games run in threads: searches are compiled and leave the interpreter to the others.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

from bots.series import Played, number_of
from engine.evaluation import Evaluation
from engine.game import Game
from engine.match import Info, Match
from engine.opening import random_opening
from engine.record import Player, Record
from engine.search import Limits, Searcher, Stop

Result = TypeVar("Result")

TABLE_BITS = 16
"""Small searches need no more, and it is emptied before each game."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How games are played: by which search, with how many nodes a move, and when they are given up."""

    algorithm: str = "advanced"
    nodes: int = 3000
    resign: float = 10.0
    """Who is so many men behind by its own search, twice in a row, resigns."""

    def searcher(self, game: Game, evaluation: Evaluation) -> Searcher:
        """Return what looks for moves."""
        return Searcher(game, self.algorithm, evaluation, quiescence=True, repetition=True, table_bits=TABLE_BITS)


def self_play(
    game: Game, evaluation: Evaluation, manner: Manner, *, seed: int, numbers: range, threads: int = 1
) -> Iterator[Record]:
    """Play the games of these numbers, each side by the same search, and yield their records in order."""

    def one(number: int, searchers: Sequence[Searcher], stop: Stop) -> Record | None:
        own = number_of(seed, number)
        match = play(game, (searchers[0], searchers[0]), random_opening(game, own), manner, own, stop)
        player = Player(evaluation.name)
        return None if match.ending is None else Record.from_match(match, (player, player), seed=own)

    yield from _in_threads(lambda: [manner.searcher(game, evaluation)], one, numbers, threads)


def duel(
    game: Game, first: Evaluation, second: Evaluation, manner: Manner, *, seed: int, games: int, threads: int = 1
) -> Iterator[Played]:
    """Play games in pairs with swapped seats, each pair from one opening, and yield them in order."""

    def one(number: int, searchers: Sequence[Searcher], stop: Stop) -> Played | None:
        pair, seat = divmod(number, 2)
        own = number_of(seed, pair)
        seated = searchers[::-1] if seat else searchers
        match = play(game, seated, random_opening(game, own), manner, own, stop)
        if match.ending is None:
            return None
        players = Player(seated[0].evaluation.name), Player(seated[1].evaluation.name)
        return Played(number + 1, seat, Record.from_match(match, players, seed=own))

    def pair() -> list[Searcher]:
        return [manner.searcher(game, evaluation) for evaluation in (first, second)]

    yield from _in_threads(pair, one, range(games), threads)


def play(
    game: Game, searchers: Sequence[Searcher], opening: Sequence[str], manner: Manner, seed: int, stop: Stop
) -> Match:
    """Play a game between the searchers of the two seats; when stopped it is left without an ending."""
    match = Match(game, opening=opening, seed=seed)
    for searcher in set(searchers):
        searcher.clear()
    keys: list[int] = []
    behind = [0, 0]
    while (seat := match.to_move) is not None:
        position, searcher = match.position, searchers[seat]
        found = searcher.search(
            position.state, Limits(nodes=manner.nodes), history=keys, seed=number_of(seed, match.ply), stop=stop
        )
        if stop.is_set() or found.move is None:
            break
        score = searcher.evaluation.in_men(found.value)
        behind[seat] = behind[seat] + 1 if score <= -manner.resign else 0
        if behind[seat] > 1:
            match.resign(seat)
            break
        text = game.format_move(position.state, found.move)
        match.play(seat, text, info=Info(score=round(score, 2), depth=found.depth))
        keys = [] if match.position.irreversible else [*keys, position.key]
    return match


def _in_threads(
    prepare: Callable[[], list[Searcher]],
    one: Callable[[int, Sequence[Searcher], Stop], Result | None],
    numbers: range,
    threads: int,
) -> Iterator[Result]:
    """Yield what ``one`` makes of each number, in order; each thread has searchers of its own.

    Whoever stops listening stops the games that are being played.
    """
    own = threading.local()
    stop = Stop()

    def run(number: int) -> Result | None:
        if not hasattr(own, "searchers"):
            own.searchers = prepare()
        return one(number, own.searchers, stop)

    waiting: deque[Future[Result | None]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for number in numbers:
                waiting.append(pool.submit(run, number))
                if len(waiting) > 2 * threads and (done := waiting.popleft().result()) is not None:
                    yield done
            while waiting:
                if (done := waiting.popleft().result()) is not None:
                    yield done
        finally:
            stop.set()
            for job in waiting:
                job.cancel()
