# SPDX-License-Identifier: GPL-3.0-or-later
"""Payoff matrices of symmetric games of two players, and the files that hold them.

A file is CSV (a row of names, then a row for each strategy: its name and its payoffs), JSON with ``names`` and
``payoffs``, or what ``arena tournament show ID --json`` and ``arena match BOT1 BOT2 --json`` print.
"""

import csv
import io
from collections.abc import Iterable, Sequence
from math import isfinite
from pathlib import Path

import msgspec
from msgspec import UNSET, UnsetType

from arena.rating.population_dynamics import mean_payoffs, mean_results

MOST_STRATEGIES = 200
MOST_BYTES = 32 * 2**20
MOST_NAME = 80
MOST_PAYOFF = 1e9
"""The largest absolute payoff: sums and differences stay exact enough to compare."""
EVEN_SCORE = 0.5
"""The score of a player against itself, in each two games with swapped seats."""


class Matrix(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The payoffs of strategies against each other, and what a run of pure strategies begins with."""

    names: tuple[str, ...]
    """Names of the strategies."""
    payoffs: tuple[tuple[float, ...], ...]
    """A row for each strategy: its payoff against the strategy of each column."""
    start: dict[str, int] = {}
    """Number of members of the first generation that play a strategy; the others are drawn at random."""
    mutation: float = 0.0
    """Probability that a child plays a strategy drawn at random instead of its parent's."""

    def __post_init__(self) -> None:
        """Check the fields. Raises ValueError, with a message for people."""
        names, count = self.names, len(self.names)
        if not 2 <= count <= MOST_STRATEGIES:
            raise ValueError(f"a matrix has 2 to {MOST_STRATEGIES} strategies (got {count})")
        for name in names:
            if not 1 <= len(name) <= MOST_NAME or not name.isprintable() or name != name.strip():
                raise ValueError(f"a strategy has a name of 1 to {MOST_NAME} printable characters (got {name[:80]!r})")
        if twice := sorted(name for name in set(names) if names.count(name) > 1):
            raise ValueError(f"two strategies are called {twice[0]!r}")
        if len(self.payoffs) != count:
            raise ValueError(f"a matrix is square: {count} strategies need {count} rows (got {len(self.payoffs)})")
        for name, row in zip(names, self.payoffs, strict=True):
            if len(row) != count:
                raise ValueError(f"a matrix is square: the row of {name!r} has {len(row)} payoffs, not {count}")
            for other, payoff in zip(names, row, strict=True):
                if not isfinite(payoff) or abs(payoff) > MOST_PAYOFF:
                    raise ValueError(
                        f"the payoff of {name!r} against {other!r} must be a number "
                        f"from {-MOST_PAYOFF:g} to {MOST_PAYOFF:g} (got {payoff:g})"
                    )
        for name, members in self.start.items():
            if name not in names:
                raise ValueError(f"no strategy of the matrix is called {name[:MOST_NAME]!r}; there are {self.listed}")
            if members < 0:
                raise ValueError(f"a number of members must be 0 or more (got {members} of {name!r})")
        if not 0 <= self.mutation <= 1:
            raise ValueError(f"a probability of mutation must be from 0 to 1 (got {self.mutation:g})")

    @property
    def listed(self) -> str:
        """The names, for a sentence."""
        return ", ".join(self.names[:10]) + (", ..." if len(self.names) > 10 else "")

    def against(self, shares: Sequence[float]) -> list[float]:
        """Return the mean payoff of each strategy against a population with these shares of strategies."""
        return mean_payoffs(self.payoffs, shares)


# ---------------------------------------------------------------- files


class _Game(msgspec.Struct):
    """A game of a pairing, as a tournament prints it."""

    status: str
    score: float | None = None
    score_second: float | None = None
    payoff: float | None = None
    payoff_second: float | None = None


class _Pairing(msgspec.Struct):
    first: int
    games: list[_Game]
    second: int | None = None


class MatrixFile(msgspec.Struct):
    """A matrix as JSON; other fields are ignored."""

    names: tuple[str, ...]
    """Names of the strategies."""
    payoffs: tuple[tuple[float, ...], ...]
    """A row for each strategy: its payoff against the strategy of each column."""


class _Results(msgspec.Struct):
    """The fields of what the commands print after games."""

    entries: tuple[str, ...] | UnsetType = UNSET
    rounds: list[list[_Pairing]] | UnsetType = UNSET
    bots: tuple[str, str] | UnsetType = UNSET
    score: float | UnsetType | None = UNSET
    payoff: float | UnsetType | None = UNSET
    payoff_second: float | UnsetType | None = UNSET


def read(path: Path) -> Matrix:
    """Return the matrix of a file. Raises ValueError, with a message for people, and OSError."""
    if path.exists() and not path.is_file():
        raise ValueError(f"{path} is not a file")
    with path.open("rb") as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise ValueError(f"{path}: a file of a matrix has at most {MOST_BYTES // 2**20} MiB")
    try:
        return parse(content)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def parse(content: bytes) -> Matrix:
    """Return the matrix of a file's content. Raises ValueError, with a message for people."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("the file is not text in UTF-8") from None
    if not text.strip():
        raise ValueError("the file is empty")
    return _from_json(text) if text.lstrip()[0] in "{[" else _from_csv(text)


def _from_json(text: str) -> Matrix:
    try:
        results = msgspec.json.decode(text, type=_Results)
        if results.entries is not UNSET and results.rounds is not UNSET:
            return from_games(results.entries, _played(results.rounds, len(results.entries)))
        if results.bots is not UNSET and isinstance(results.payoff, float):
            other = results.payoff_second if isinstance(results.payoff_second, float) else -results.payoff
            return from_games(results.bots, [(0, 1, results.payoff, other, True)])
        if results.bots is not UNSET and isinstance(results.score, float):
            return from_games(results.bots, [(0, 1, results.score, 1 - results.score, False)])
        file = msgspec.json.decode(text, type=MatrixFile)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ValueError(
            f'no matrix in JSON: {error}; it needs "names" and "payoffs", or what `arena tournament show ID --json` or '
            "`arena match --json` prints after games"
        ) from None
    return Matrix(file.names, file.payoffs)


def _played(rounds: Iterable[Iterable[_Pairing]], players: int) -> Iterable[tuple[int, int, float, float, bool]]:
    """Yield the players of each played game, what each of them got, and whether that is a payoff or a score.

    Raises ValueError for a player that has no entry.
    """
    for pairing in (pairing for one in rounds for pairing in one):
        if pairing.second is None:
            continue
        if not (0 <= pairing.first < players and 0 <= pairing.second < players):
            raise ValueError(f"a pairing names player {max(pairing.first, pairing.second)} of {players}")
        for game in pairing.games:
            if game.status != "played":
                continue
            if game.payoff is not None:
                other = -game.payoff if game.payoff_second is None else game.payoff_second
                yield pairing.first, pairing.second, game.payoff, other, True
            elif game.score is not None and game.score_second is not None:
                yield pairing.first, pairing.second, game.score, game.score_second, False


def from_games(names: Sequence[str], games: Iterable[tuple[int, int, float, float, bool]]) -> Matrix:
    """Return the matrix of the mean results of games: both players, what each got, whether those are payoffs.

    Players that do not meet themselves get the mean of both seats there: 1/2 in scores, 0 in payoffs of games that
    both cannot win. Raises ValueError when two players did not meet, or one did not meet itself in a game that is not
    zero-sum, or the games are counted in both ways.
    """
    counted: set[bool] = set()
    zero_sum = True
    results = []
    for first, second, one, other, payoff in games:
        zero_sum &= not payoff or one == -other
        results.append((first, second, one, other))
        counted.add(payoff)
    cells = mean_results(len(names), results)
    if len(counted) > 1:
        raise ValueError("some games have payoffs and others only scores")
    own = 0.0 if counted == {True} else EVEN_SCORE
    for place, name in enumerate(names):
        for other_place, other_name in enumerate(names[:place]):
            if cells[place][other_place] is None:
                raise ValueError(f"{other_name!r} and {name!r} played no game; a matrix needs all pairs")
        if not zero_sum and cells[place][place] is None:
            raise ValueError(
                f"{name!r} played no game against itself; a matrix of a game that is not zero-sum needs them"
            )
    rows = [tuple(own if cell is None else cell for cell in row) for row in cells]
    return Matrix(tuple(names), tuple(rows))


def _from_csv(text: str) -> Matrix:
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), strict=True) if any(map(str.strip, row))]
    except csv.Error as error:
        raise ValueError(f"no matrix in CSV: {error}") from None
    names = tuple(name.strip() for name in rows[0][1:])
    if len(names) > MOST_STRATEGIES or len(rows) - 1 > MOST_STRATEGIES:
        raise ValueError(f"a matrix has 2 to {MOST_STRATEGIES} strategies (got {max(len(names), len(rows) - 1)})")
    payoffs = []
    for number, row in enumerate(rows[1:]):
        name = row[0].strip()
        if number >= len(names) or name != names[number]:
            expected = repr(names[number]) if number < len(names) else "no row"
            raise ValueError(
                f"the rows have the names of the columns, in their order: expected {expected}, got {name!r}"
            )
        payoffs.append(tuple(_number(text, name, names, column) for column, text in enumerate(row[1:])))
    return Matrix(names, tuple(payoffs))


def _number(text: str, name: str, names: Sequence[str], column: int) -> float:
    try:
        return float(text)
    except ValueError:
        other = repr(names[column]) if column < len(names) else f"column {column + 1}"
        raise ValueError(f"the payoff of {name!r} against {other} is not a number: {text[:40]!r}") from None
