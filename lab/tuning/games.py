# SPDX-License-Identifier: GPL-3.0-or-later
"""Games of searches with a node limit, each from its own opening, each a function of its seed; and files of them.

They are games of breeding, played in a pool (``bots.evolution.refereed``).
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from msgspec.structs import replace

from bots.evolution.breeding import Arenas, Job
from bots.evolution.refereed import RESIGNS, PlayedGame, Search, SearchGames
from bots.pools.pool import Pool
from bots.series import Played, number_of
from engine.formats import json_lines
from engine.game import Game
from engine.games import find
from engine.match.ending import Adjudication
from engine.match.record import Player, Record

UNLIMITED = 10**9
"""Plies: games end by their own rules."""


def self_play(
    game: Game, search: Search, *, seed: int, numbers: range, pool: Pool | None = None, ends: Adjudication = RESIGNS
) -> Iterator[Record]:
    """Play the games of these numbers, both sides with the same search and table; yield their records in order."""
    jobs = ((search, search, number_of(seed, number), 0) for number in numbers)
    with _arenas(game, pool, ends) as arenas:
        yield from arenas.games(jobs)


def duel(
    game: Game, first: Search, second: Search, *, seed: int, games: int, pool: Pool | None = None
) -> Iterator[Played]:
    """Play games in pairs with swapped seats, each pair from one opening, and yield them in order."""
    jobs = ((first, second, number_of(seed, number // 2), number % 2) for number in range(games))
    with _arenas(game, pool, RESIGNS) as arenas:
        for number, record in enumerate(arenas.games(jobs)):
            yield Played(number + 1, number % 2, record)


def _arenas(game: Game, pool: Pool | None, ends: Adjudication) -> Arenas:
    return Arenas(game.name, table=partial(_table, game.name, ends), keep=_record, pool=pool)


def _table(game: str, ends: Adjudication) -> SearchGames:
    return SearchGames(find(game), UNLIMITED, ends)


def _record(played: PlayedGame, job: Job) -> Record:
    first, second, seed, seat = job
    one, other = (Player(search.evaluation.name) for search in ((second, first) if seat else (first, second)))
    return Record.from_match(played.match, (one, other), seed=seed)


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
