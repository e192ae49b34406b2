# SPDX-License-Identifier: GPL-3.0-or-later
"""Games of evolved players from a suite of openings, in colour-swapped pairs, refereed by ``engine.match``.

The suite of a game is drawn once. Breeding uses one part of it and measurements the other, so no measured game begins
from a position of breeding.
"""

import functools
import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from bots.evolution.evochess.player import Player
from bots.evolution.rivals import Rival
from engine.ending import Adjudication, ResignRule
from engine.events import Info
from engine.game import Game
from engine.games import find
from engine.match import Match
from engine.opening import drawn_openings
from engine.search import Limits, Searcher

SUITE_SEED = 2002
SUITE_DEPTH, SUITE_PLIES = 3, 6
BRED, MEASURED = 400, 400
"""Openings of the suite's two parts."""
MARGIN = 0.7
"""Largest advantage after an opening, in pawn units."""
PLIES = 200
"""Number of plies after which a game is drawn."""

AGREED = Adjudication(resign=ResignRule(score=8.0, moves=3))
"""Breeding ends games whose result both players agree on."""
NONE = Adjudication()

Opening = tuple[str, ...]
Contestant = Player | Rival


@functools.cache
def suite(name: str) -> tuple[Opening, ...]:
    """Return the openings of a game: those of breeding, then those of measurements."""
    game = find(name)
    judge = Searcher(game, "alphabeta")
    drawn = drawn_openings(
        game,
        SUITE_SEED,
        plies=SUITE_PLIES,
        judge=judge,
        limits=Limits(depth=SUITE_DEPTH),
        margin=round(judge.evaluation.points(MARGIN)),
    )
    return tuple(itertools.islice(drawn, BRED + MEASURED))


def bred_openings(game: Game) -> tuple[Opening, ...]:
    """Return the openings of breeding."""
    every = suite(game.name)
    return every[: len(every) // 2]


def measured_openings(game: Game) -> tuple[Opening, ...]:
    """Return the openings of measurements."""
    every = suite(game.name)
    return every[len(every) // 2 :]


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
) -> PlayedGame:
    """Play a game from an opening, the first player on a seat; a function of the arguments."""
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
        score = player.evaluation.pawn_units(found.value)
        match.play(turn, game.format_move(position.state, found.move), info=Info(max(-100.0, min(100.0, score))))
        if match.position.irreversible:
            history.clear()
        else:
            history.append(position.key)
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
            keys.append(position.key)
        position = following
    return keys
