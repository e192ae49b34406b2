# SPDX-License-Identifier: GPL-3.0-or-later
"""What the moves of a match look like: diagrams and touched squares, live and from the record alike."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from arena.protocol.messages import Info
from arena.protocol.watching import SeenMove
from engine.game import Game, Position
from engine.match import Moved

LINE = 10
"""Moves of a principal variation that people are shown."""


class _Made(NamedTuple):
    """A move that is not drawn yet."""

    event: Moved
    opening: bool
    before: Position
    move: int
    after: Position


class Picture:
    """A match drawn move by move; a move of a live match is drawn when somebody looks."""

    def __init__(self, game: Game, start: str | None, opening: Sequence[str], moved: Iterable[Moved] = ()) -> None:
        """Draw the initial position, the opening's moves and those made so far.

        Raises ValueError when they do not fit the game.
        """
        self._game = game
        self._position = game.look(game.start() if start is None else game.parse_position(start))
        self._drawn: list[SeenMove] = []
        self._made: list[_Made] = []
        self.initial = game.diagram(self._position.state)
        for text in opening:
            self.replay(Moved(self.ply + 1, self._position.to_move, text), opening=True)
        for event in moved:
            self.replay(event)
        self._draw()

    def replay(self, event: Moved, *, opening: bool = False) -> None:
        """Take in the next move by its text. Raises ValueError when it is not legal."""
        move = self._game.parse_move(self._position, event.move)
        self.add(event, move, self._game.play(self._position, move), opening=opening)

    def add(self, event: Moved, move: int, after: Position, *, opening: bool = False) -> None:
        """Take in the next move: its event, its number in the rules, and the position it led to."""
        self._made.append(_Made(event, opening, self._position, move, after))
        self._position = after

    @property
    def ply(self) -> int:
        """Moves made so far, those of the opening included."""
        return len(self._drawn) + len(self._made)

    @property
    def moves(self) -> list[SeenMove]:
        """All moves."""
        self._draw()
        return self._drawn

    @property
    def diagram(self) -> str:
        """The newest position."""
        return self._game.diagram(self._position.state)

    @property
    def squares(self) -> list[int]:
        """What the newest move touched."""
        if self._made:
            newest = self._made[-1]
            return list(self._game.squares(newest.before.state, newest.move))
        return self._drawn[-1].squares if self._drawn else []

    def _draw(self) -> None:
        game = self._game
        for made in self._made:
            event = made.event
            seen = SeenMove(
                ply=len(self._drawn) + 1,
                move=event.move,
                seat=made.before.to_move,
                diagram=game.diagram(made.after.state),
                squares=list(game.squares(made.before.state, made.move)),
                opening=made.opening,
                elapsed=event.elapsed,
                clock=event.clock,
                info=_info(event),
                text="" if game.spell is None else game.spell(made.before, made.move, made.after),
                line=[] if event.info is None else self._line(made.before, event.info.pv),
            )
            self._drawn.append(seen)
        self._made.clear()

    def _line(self, position: Position, pv: Sequence[str]) -> list[str]:
        """Write the beginning of a principal variation as people do, as far as it follows the rules."""
        game, texts = self._game, list[str]()
        if game.spell is None:
            return texts
        for text in pv[:LINE]:
            try:
                move = game.parse_move(position, text)
            except ValueError:
                break
            after = game.play(position, move)
            texts.append(game.spell(position, move, after))
            position = after
        return texts


def _info(event: Moved) -> Info | None:
    info = event.info
    return None if info is None else Info(score=info.score, depth=info.depth, nodes=info.nodes, pv=list(info.pv))
