# SPDX-License-Identifier: GPL-3.0-or-later
"""A match as a searching bot follows it: its positions so far, for repetition, the time for its next move, and the
reply that a search leads to.
"""

from typing import NamedTuple

from bots.bot import DECIDED, Match, Reply, Turn
from engine.evaluation import Evaluation
from engine.game import Game, Position, State
from engine.match.superko import repeated_keys
from engine.search import SearchResult

MOVES_AHEAD = 25
"""A clock for the whole game is divided by this assumed number of remaining moves."""

LAG = 0.05
"""Seconds of a clock that are kept in reserve."""

_LEAST = 0.01
"""Minimum time for a move, in seconds."""

_STRETCH = 3.0
"""A difficult move may take this many times its share of time."""

_LARGEST_PART = 0.25
"""Largest share of the clock for a difficult move."""


class FollowedMatch:
    """The current position, and the keys of those before it that can come again."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._ply = 0
        self._keys: list[int] = []
        self.plies: list[tuple[State, int]] = []
        """The moves so far, each with the state before it; the whole match if the bot received its start."""
        self.position: Position | None = None
        """None until the first turn, unless the bot received the whole match."""

    @property
    def history(self) -> tuple[int, ...]:
        """Repetition keys of the positions before the current one since the last irreversible move, oldest first."""
        return tuple(self._keys)

    def begin(self, match: Match) -> None:
        """Replay a match from its whole state."""
        self._begin_at(match.start, 0)
        for move in [*match.opening, *(played.move for played in match.moves)]:
            self.follow(move)

    def arrive(self, turn: Turn) -> Position:
        """Go to the position of a turn and return it; restart from that position if the turn does not follow.

        Then earlier positions are unknown, except those that would be repeated by moves that superko forbids.
        """
        if self.position is not None and self._ply == turn.ply - 1 and turn.last_move is not None:
            self.follow(turn.last_move)
        if self.position is None or self._ply != turn.ply or self._text() != turn.position:
            self._begin_at(turn.position, turn.ply)
            if self.position is not None and turn.legal_moves is not None:
                self._keys.extend(repeated_keys(self._game, self.position, turn.legal_moves))
        assert self.position is not None
        return self.position

    def follow(self, move: str) -> None:
        """Apply a move; after an illegal move the next turn restarts from its position."""
        before = self.position
        if before is None:
            return
        try:
            number = self._game.parse_move(before, move)
            self.position = self._game.play(before, number)
        except ValueError:
            self.position = None
            return
        self._ply += 1
        self.plies.append((before.state, number))
        if self.position.irreversible:
            self._keys.clear()
        else:
            self._keys.append(before.repetition_key)

    def _begin_at(self, position: str, ply: int) -> None:
        self.position = self._game.look(self._game.parse_position(position))
        self._ply = ply
        self._keys.clear()
        self.plies.clear()

    def _text(self) -> str:
        return "" if self.position is None else self._game.format_position(self.position.state)


def line(game: Game, position: Position, moves: tuple[int, ...]) -> tuple[str, ...]:
    """Write a principal variation, as far as it follows the rules."""
    texts = []
    for move in moves[:32]:
        if move not in position.moves:
            break
        texts.append(game.format_move(position.state, move))
        position = game.play(position, move)
    return tuple(texts)


def found_reply(game: Game, evaluation: Evaluation, position: Position, found: SearchResult) -> Reply:
    """Return the reply with a move that a search found, and its search info. Raises ValueError if it found none."""
    if found.move is None:
        raise ValueError("the game is over")
    # in games with dice a value is an average over rolls, and only a certain win counts as decided
    decided = abs(found.value) >= (evaluation.win if game.chance else evaluation.win // 2)
    score = DECIDED * (1 if found.value > 0 else -1) if decided else evaluation.pawn_units(found.value)
    text, pv = game.format_move(position.state, found.move), line(game, position, found.pv)
    return Reply(text, score=score, depth=found.depth, nodes=found.nodes, pv=pv)


class Pace(NamedTuple):
    """Seconds for a move."""

    soft: float
    """The time for an ordinary position; infinite if all the time may be used."""
    hard: float
    """Hard limit of the time for a move."""


def pace(left: float, increment: float = 0.0, moves_to_go: int | None = None) -> Pace:
    """Return the time for a move, with ``left`` seconds on the clock and ``increment`` seconds after each move.

    ``moves_to_go``: moves until the next time control; None: never.
    """
    ahead = MOVES_AHEAD if moves_to_go is None else max(1, min(moves_to_go, MOVES_AHEAD))
    most = max(_LEAST, left - LAG)
    soft = min(most, left / ahead + 0.8 * increment)
    return Pace(soft, min(most, max(_LEAST, soft, min(_STRETCH * soft, _LARGEST_PART * left))))
