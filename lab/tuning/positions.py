# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions of self-play by the hundred thousand: search scores and results, and samples made of them by compiled code.

The positions are in a folder, a fixed number of games in each file; each game is a function of the seed and its number.
A later run extends the folder, and the same seed gives the same positions for any number of processes.
"""

import io
import random
from collections.abc import Callable, Iterator, Set
from concurrent.futures import as_completed
from dataclasses import asdict, dataclass, fields, replace
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, Self

import msgspec
import numpy as np
from numba import njit
from numba.np.unsafe.ndarray import to_fixed_tuple
from numpy.typing import NDArray

from bots.evolution.refereed import TABLE_BITS, LimitedPlayer, Search, play
from bots.pools.pool import Pool
from bots.series import number_of
from engine.evaluation import Evaluation
from engine.game import Game, Position, key
from engine.games import find
from engine.match.ending import Adjudication, DrawRule, ResignRule
from engine.native.runtime import write_whole
from engine.opening import drawn_openings
from engine.search import Limits, Searcher, SearchResult
from lab.tuning.fit import best_scale, fit_scale
from lab.tuning.samples import Samples, features_of, sharp

GAMES = 100
"""In a file."""


@dataclass(frozen=True, slots=True)
class QuickPlay:
    """How the games are played, and when they are held to be over."""

    game: str
    evaluation: str
    weights: str
    """Identifier of the evaluation's weights."""
    algorithm: str
    nodes: int
    """A move."""
    seed: int
    plies: tuple[int, int] = (6, 11)
    """Of the openings, which are drawn at random and kept where nobody is far ahead."""
    balanced: float = 2.5
    """Maximum advantage of a side after the opening, in pawn units."""
    won: float = 12.0
    """Score, in pawn units, at which the game is won if the search reports it on SURE moves of each side in a row."""
    drawn: float = 0.08
    """Score, in pawn units, within which the game is drawn if the search reports it on AGREED moves of each side in a
    row.
    """
    version: int = 2
    """Grows when the same settings lead to other games."""

    @classmethod
    def of(cls, game: Game, evaluation: Evaluation, algorithm: str, nodes: int, seed: int) -> Self:
        """Return the usual way. Raises ValueError for an evaluation that is none of the game's own."""
        if game.evaluations.get(evaluation.name) != evaluation:
            raise ValueError(f"quick games are played by evaluations of {game.name} as they are")
        return cls(game.name, evaluation.name, _print(evaluation), algorithm, nodes, seed)

    @property
    def search(self) -> Search:
        """The search of both sides."""
        return Search(find(self.game).evaluations[self.evaluation], self.algorithm, self.nodes)

    @property
    def ends(self) -> Adjudication:
        """When a game is held to be over."""
        return Adjudication(DrawRule(self.drawn, AGREED, EARLIEST), ResignRule(self.won, SURE))


def _print(evaluation: Evaluation) -> str:
    return sha256(repr(evaluation.weights).encode()).hexdigest()[:16]


AGREED, SURE = 5, 2
"""Moves of each side in a row."""
EARLIEST = 40
"""Moves of each side before which no game is drawn because nothing happens."""
LATEST = 360
"""Plies after which each game is drawn."""


@dataclass(frozen=True, slots=True)
class Positions:
    """Positions as arrays, a row for each."""

    states: NDArray[np.uint64]
    """(rows, fields of the game's state)"""
    searched: NDArray[np.int32]
    """Score of the search, in the evaluation's points for the seat to move."""
    results: NDArray[np.float32]
    """Score of the seat to move at the end of the game: 1, 0.5 or 0."""
    quiet: NDArray[np.bool_]
    """Whether nobody was threatened and the move that was made won nothing at once."""
    games: NDArray[np.int32]
    """The number of the game each row is of."""

    def __len__(self) -> int:
        return len(self.results)

    def only(self, chosen: NDArray[np.bool_]) -> Self:
        """Return the rows that are chosen."""
        return type(self)(*(getattr(self, name)[chosen] for name in NAMES))

    @classmethod
    def joined(cls, parts: list[Self]) -> Self:
        """Return all rows of some parts, of which there is one at least."""
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in NAMES))


NAMES = [each.name for each in fields(Positions)]


class Folder:
    """Files of positions, all of games played in one manner."""

    def __init__(self, path: Path, manner: QuickPlay) -> None:
        """Open the folder, or make it. Raises OSError, and ValueError when its games were played otherwise."""
        path.mkdir(parents=True, exist_ok=True)
        self._path = path
        told = path / "manner.json"
        written = msgspec.json.encode(asdict(manner))
        if told.exists() and told.read_bytes() != written:
            raise ValueError(f"{path} holds games that were played otherwise: {told.read_text()[:400]}")
        told.write_bytes(written)
        self.manner = manner

    def fill(self, games: int, pool: Pool) -> Iterator[int]:
        """Play until the folder has this many games, rounded up to whole files; yield their number repeatedly."""
        missing = [part for part in range(-(-games // GAMES)) if not self._file(part).exists()]
        done = -(-games // GAMES) - len(missing)
        if not missing:
            return
        pool.prepare(course, self.manner, 0)
        jobs = {pool.submit(file_of, self.manner, part): part for part in missing}
        for job in as_completed(jobs):
            write_whole(self._file(jobs[job]), job.result())
            done += 1
            yield done * GAMES

    def parts(self, games: int) -> Iterator[Positions]:
        """Yield the positions of the first ``games`` games, rounded up to whole files, a file at a time."""
        for part in range(-(-games // GAMES)):
            yield _read(self._file(part))

    def _file(self, part: int) -> Path:
        return self._path / f"{part:06}.npz"


def file_of(manner: QuickPlay, part: int) -> bytes:
    """Play the games of a file; return its contents."""
    positions = Positions.joined([course(manner, number) for number in range(part * GAMES, (part + 1) * GAMES)])
    file = io.BytesIO()
    np.savez_compressed(file, **{name: getattr(positions, name) for name in NAMES})
    return file.getvalue()


def _read(path: Path) -> Positions:
    with np.load(path) as file:
        return Positions(*(file[name] for name in NAMES))


def course(manner: QuickPlay, number: int) -> Positions:
    """Play the game of a number and return its positions."""
    game, own = find(manner.game), number_of(manner.seed, number)
    player = LimitedPlayer(game, manner.search, own)
    rows: list[tuple[Position, SearchResult]] = []
    opening = _opening(manner, game, own)
    game_of = play(player, player, opening, plies=LATEST, ends=manner.ends, seen=lambda *row: rows.append(row))
    states, found = [position.state for position, _ in rows], [each for _, each in rows]
    scores = np.array([game_of.score, 1 - game_of.score], np.float32)
    return Positions(
        np.array(states, np.uint64).reshape(len(rows), -1),
        np.array([max(min(each.value, WORST), -WORST) for each in found], np.int32),
        scores[[position.to_move for position, _ in rows]],
        np.array([not sharp(state, each.move) for state, each in zip(states, found, strict=True)], np.bool_),
        np.full(len(rows), number, np.int32),
    )


WORST = 2**30
"""Points: no score that is kept is larger."""


def _opening(manner: QuickPlay, game: Game, own: int) -> tuple[str, ...]:
    """Return an opening after which nobody is far ahead; none where there is no such opening."""
    search = manner.search
    judge = Searcher(game, search.algorithm, search.evaluation, quiescence=True, repetition=True, table_bits=TABLE_BITS)
    drawn = drawn_openings(
        game,
        own,
        plies=random.Random(own).randint(*manner.plies),
        judge=judge,
        limits=Limits(nodes=manner.nodes),
        margin=round(search.evaluation.points(manner.balanced)),
    )
    return next(islice(drawn, 1), ())


LOST = 30.0
"""In pawn units: positions with larger scores are left out, because they contain little information about features."""


def samples(
    game: Game,
    evaluation: Evaluation,
    parts: Iterator[Positions],
    excluded: Set[int] = frozenset(),
    player: Evaluation | None = None,
) -> Samples:
    """Return the quiet positions of some parts as samples; none of those with ``excluded`` keys.

    Scores of the search of another ``player`` are converted to scores of the evaluation with the same expected result.
    Raises ValueError when there are none, or the game's states are not made of boards alone.
    """
    keys_of, find = _compiled(game)
    banned = np.array([mark % 2**64 for mark in excluded], np.uint64)
    far = (player or evaluation).points(LOST)
    number = evaluation.terms.number
    out, found = np.zeros((2, len(evaluation.weights)), np.int64)
    chosen: list[Samples] = []
    for part in parts:
        part = part.only(part.quiet & (np.abs(part.searched) < far))
        if len(banned):
            part = part.only(~np.isin(keys_of(part.states), banned))
        starts = np.zeros(len(part) + 1, np.int64)
        nothing = np.empty(0, np.int32), np.empty(0, np.float32)
        size = find(part.states, number, out, found, starts, *nothing)
        columns, values = np.empty(size, np.int32), np.empty(size, np.float32)
        find(part.states, number, out, found, starts, columns, values)
        values /= evaluation.terms.unit
        results, searched = part.results.astype(np.float64), part.searched.astype(np.float64)
        chosen.append(Samples(starts, columns, values, results, searched, part.games.astype(np.int64)))
    if not sum(map(len, chosen)):
        raise ValueError(f"no quiet position of {game.name} was found in the games")
    found_all = _joined(chosen)
    return found_all if player in (None, evaluation) else _translated(found_all, evaluation)


def _translated(samples: Samples, evaluation: Evaluation) -> Samples:
    own = fit_scale(samples, np.array(evaluation.weights, np.float64))
    return replace(samples, searched=samples.searched * (own / best_scale(samples.searched, samples.results)))


def _joined(parts: list[Samples]) -> Samples:
    sizes = np.concatenate([np.diff(part.starts) for part in parts])
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
    rest = ("columns", "values", "results", "searched", "games")
    return Samples(starts, *(np.concatenate([getattr(part, name) for part in parts]) for name in rest))


def _compiled(game: Game) -> tuple[Callable[[NDArray[np.uint64]], NDArray[np.uint64]], Callable[..., int]]:
    """Return the compiled functions that compute the keys and the features of states."""
    kind: Any = game.state
    start: tuple[Any, ...] = game.pack(game.start())
    fields = len(start)
    if any(type(value) is not np.uint64 for value in start):
        raise ValueError(f"states of {game.name} are not made of boards alone")

    @njit(error_model="numpy")
    def keys_of(states: Any) -> Any:
        keys = np.empty(len(states), np.uint64)
        for row in range(len(states)):
            keys[row] = np.uint64(key(kind(*to_fixed_tuple(states[row], fields))))
        return keys

    @njit(error_model="numpy")
    def find(states: Any, terms: int, out: Any, found: Any, starts: Any, columns: Any, values: Any) -> int:
        """Write where each row's features begin; and the features, where there is room for them."""
        size = 0
        for row in range(len(states)):
            count = features_of(kind(*to_fixed_tuple(states[row], fields)), terms, out, found)
            if size + count <= len(columns):
                for i in range(count):
                    columns[size + i] = found[i]
                    values[size + i] = out[found[i]]
            size += count
            starts[row + 1] = size
        return size

    return keys_of, find
