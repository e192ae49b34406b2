# SPDX-License-Identifier: GPL-3.0-or-later
"""Games of whole searches against each other, refereed by ``engine.match``.

Each game is a function of its players, its opening and its seat. ``SearchGames`` plays searches with a node limit for
each move; evolved searches have tables of their own (``evochess.searches``).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from bots.series import number_of
from engine.evaluation import Evaluation
from engine.game import Game, Position
from engine.match.ending import Adjudication, ResignRule
from engine.match.events import Info
from engine.match.machine import Match
from engine.opening import random_opening
from engine.search import Limits, Searcher, SearchResult
from engine.search.margins import MARGINS, Margins

PLIES = 200
"""Number of plies after which a game is drawn."""
TABLE_BITS = 16
"""Size of the table, enough for small searches; it is empty before each game."""

AGREED = Adjudication(resign=ResignRule(score=8.0, moves=3))
"""Breeding ends games whose result both players agree on."""
RESIGNS = Adjudication(resign=ResignRule(score=10.0, moves=2, both=False))
"""A side resigns if its own search finds it this many pawn units behind on two moves in a row."""
NONE = Adjudication()

Opening = Sequence[str]


class Contestant(Protocol):
    """Plays one game after the other; ``begin`` each."""

    game: Game
    evaluation: Evaluation
    moves: int
    """Number of its moves in the game."""
    nodes: int
    """Number of nodes of these moves."""

    def begin(self) -> None: ...
    def choose(self, position: Position, history: Sequence[int] = ...) -> SearchResult: ...


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game: the first player's score, the number of moves of each player, and their nodes."""

    score: float
    moves: tuple[int, int]
    nodes: tuple[int, int]
    match: Match

    @property
    def counts(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The moves and the nodes of both players."""
        return self.moves, self.nodes


def play(
    first: Contestant,
    second: Contestant,
    opening: Opening,
    seat: int = 0,
    *,
    plies: int = PLIES,
    ends: Adjudication = NONE,
    seen: Callable[[Position, SearchResult], object] | None = None,
) -> PlayedGame:
    """Play a game from an opening, the first player on a seat; a function of the arguments.

    ``seen`` gets each position after the opening and what its player found.
    """
    game = first.game
    players = (first, second) if seat == 0 else (second, first)
    for player in players:
        player.begin()
    match = Match(game, opening=opening, adjudication=ends)
    history = _keys(game, opening)
    while match.ending is None and match.ply < plies:
        turn = match.to_move
        assert turn is not None, "games with dice have no such players"
        position, player = match.position, players[turn]
        found = player.choose(position, history)
        assert found.move is not None, "the game is not over"
        if seen is not None:
            seen(position, found)
        score = player.evaluation.pawn_units(found.value)
        match.play(
            turn,
            game.format_move(position.state, found.move),
            info=Info(max(-100.0, min(100.0, score)), depth=found.depth),
        )
        if match.position.irreversible:
            history.clear()
        else:
            history.append(position.repetition_key)
    scores = match.ending.scores if match.ending else None
    return PlayedGame(
        0.5 if scores is None else scores[seat],
        (first.moves, second.moves),
        (first.nodes, second.nodes),
        match,
    )


def pair(
    first: Contestant, second: Contestant, opening: Opening, *, plies: int = PLIES, ends: Adjudication = NONE
) -> tuple[PlayedGame, PlayedGame]:
    """Play two games from an opening, with exchanged seats."""
    one, other = (play(first, second, opening, seat, plies=plies, ends=ends) for seat in (0, 1))
    return one, other


def _keys(game: Game, opening: Sequence[str]) -> list[int]:
    """Return the keys of an opening's positions that can repeat."""
    position = game.look(game.start())
    keys: list[int] = []
    for text in opening:
        following = game.play(position, game.parse_move(position, text))
        if following.irreversible:
            keys.clear()
        else:
            keys.append(position.repetition_key)
        position = following
    return keys


# ---------------------------------------------------------------- searches with a node limit


@dataclass(frozen=True, slots=True)
class Search:
    """The settings of a search, with quiescence search and draws by repetition."""

    evaluation: Evaluation
    algorithm: str = "play"
    nodes: int = 3_000
    """Nodes per move."""
    margins: Margins = MARGINS


class LimitedPlayer:
    """Plays by a search with a node limit; the seed orders equal moves. Not thread-safe."""

    def __init__(self, game: Game, search: Search, seed: int) -> None:
        self.game = game
        self.evaluation = search.evaluation
        self.moves = self.nodes = 0
        self._seed = seed
        self._limits = Limits(nodes=search.nodes)
        self._searcher = Searcher(
            game,
            search.algorithm,
            search.evaluation,
            quiescence=True,
            repetition=True,
            table_bits=TABLE_BITS,
            margins=search.margins,
        )

    def begin(self) -> None:
        """Begin a game: forget those before."""
        if self.moves:
            self._searcher.clear()
        self.moves = self.nodes = 0

    def choose(self, position: Position, history: Sequence[int] = ()) -> SearchResult:
        """Search a position that is not over. ``history``: keys of those before it that can come again."""
        seed = number_of(self._seed, self.moves)
        found = self._searcher.search(position.state, self._limits, history=history, seed=seed)
        self.moves += 1
        self.nodes += found.nodes
        return found


class SearchGames:
    """Plays games of searches, each from the random opening of its seed."""

    def __init__(self, game: Game, plies: int = PLIES, ends: Adjudication = RESIGNS) -> None:
        self._game = game
        self._plies = plies
        self._ends = ends

    def play(self, first: Search, second: Search, seed: int, seat: int = 0) -> PlayedGame:
        """Play a game, the first search on a seat; one object in both places plays with one table."""
        one = LimitedPlayer(self._game, first, seed)
        other = one if first is second else LimitedPlayer(self._game, second, seed)
        return play(one, other, random_opening(self._game, seed), seat, plies=self._plies, ends=self._ends)
