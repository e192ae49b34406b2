# SPDX-License-Identifier: GPL-3.0-or-later
"""What the moves of a match look like: diagrams and touched squares, live and from the record alike."""

from collections.abc import Iterable, Sequence

from arena.protocol.messages import Info
from arena.protocol.watching import SeenMove
from engine.game import Game
from engine.match import Moved


class Picture:
    """A match drawn move by move."""

    def __init__(self, game: Game, start: str | None, opening: Sequence[str], moved: Iterable[Moved] = ()) -> None:
        """Draw the initial position, the opening's moves and those made so far.

        Raises ValueError when they do not fit the game.
        """
        self._game = game
        self._position = game.look(game.start() if start is None else game.parse_position(start))
        self.initial = game.diagram(self._position.state)
        self.diagram = self.initial
        self.squares: list[int] = []
        self.moves: list[SeenMove] = []
        for text in opening:
            self._step(text, opening=True)
        for event in moved:
            self.add(event)

    def add(self, event: Moved) -> SeenMove:
        """Draw the next move. Raises ValueError when it is not legal."""
        return self._step(event.move, elapsed=event.elapsed, clock=event.clock, info=_info(event))

    def _step(
        self, text: str, *, opening: bool = False, elapsed: int = 0, clock: int | None = None, info: Info | None = None
    ) -> SeenMove:
        game, before = self._game, self._position
        move = game.parse_move(before, text)
        self.squares = list(game.squares(before.state, move))
        self._position = game.play(before, move)
        self.diagram = game.diagram(self._position.state)
        made = SeenMove(
            ply=len(self.moves) + 1,
            move=text,
            seat=before.to_move,
            diagram=self.diagram,
            squares=self.squares,
            opening=opening,
            elapsed=elapsed,
            clock=clock,
            info=info,
        )
        self.moves.append(made)
        return made


def _info(event: Moved) -> Info | None:
    info = event.info
    return None if info is None else Info(score=info.score, depth=info.depth, nodes=info.nodes, pv=list(info.pv))
