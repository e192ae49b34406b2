# SPDX-License-Identifier: GPL-3.0-or-later
"""Games of searches against each other, each from its own opening, each a function of its seed; and files of them.

The referee is ``engine.match``. Games run in threads: compiled searches release the interpreter's lock.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Self, TypeVar

from msgspec.structs import replace

from bots.series import Played, number_of
from engine.evaluation import Evaluation
from engine.events import Info
from engine.formats import json_lines
from engine.game import Game
from engine.match import Match
from engine.opening import random_opening
from engine.record import Player, Record
from engine.search import Limits, Searcher, Stop

Result = TypeVar("Result")

TABLE_BITS = 16
"""Size of the table, enough for small searches; it is emptied before each game."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How games are played: the search, its nodes per move, and when a side resigns."""

    algorithm: str = "advanced"
    nodes: int = 3000
    resign: float = 10.0
    """A side resigns that is so many pawn units behind by its own search twice in a row."""

    def searcher(self, game: Game, evaluation: Evaluation) -> Searcher:
        """Return the searcher."""
        return Searcher(game, self.algorithm, evaluation, quiescence=True, repetition=True, table_bits=TABLE_BITS)


def self_play(
    game: Game, evaluation: Evaluation, manner: Manner, *, seed: int, numbers: range, threads: int = 1
) -> Iterator[Record]:
    """Play the games of these numbers, both sides with the same search; yield their records in order."""

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
        score = searcher.evaluation.pawn_units(found.value)
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
    """Yield the result of ``one`` for each number, in order; each thread has its own searchers.

    The running games stop when the iterator is closed.
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


class Archive:
    """A file of self-played games, JSON lines in the order of their numbers; without a path nothing is saved.

    ``what`` describes how the games are played; a file of other games is refused. Close it, or use it
    as a context manager.
    """

    def __init__(self, path: Path | None, what: str) -> None:
        """Open or create the file; drop a last line that was cut off. Raises OSError."""
        self.count = 0
        """Number of games in the file."""
        self._path, self._what = path, what
        self._file: IO[bytes] | None = None if path is None else path.open("ab+")
        if self._file is not None:
            self._file.seek(0)
            whole = sum(len(line) for line in self._file if line.endswith(b"\n"))
            self._file.truncate(whole)

    def records(self) -> Iterator[Record]:
        """Yield and count the games in the file. Raises ValueError for games of another kind."""
        if self._file is None:
            return
        self._file.seek(0)
        for record in json_lines.read(line.decode() for line in self._file):
            if record.event != self._what:
                raise ValueError(f"{self._path} holds {record.event[:80]!r}, not {self._what!r}")
            self.count += 1
            yield record

    def keep(self, record: Record) -> Record:
        """Append a game with its description and return it."""
        self.count += 1
        record = replace(record, event=self._what)
        if self._file is not None:
            self._file.write("".join(json_lines.write([record])).encode())
            self._file.flush()
        return record

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()
