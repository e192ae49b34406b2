# SPDX-License-Identifier: GPL-3.0-or-later
"""How states and moves of a game appear to a viewer: to a seat, to the public, or to those who may see everything.

All code that shows a match goes through a viewpoint, so a game with hidden information needs no special cases.
"""

from dataclasses import dataclass
from typing import Self

from engine.drawing import Aside
from engine.game import Game, Position, State
from engine.secrets import Observation, Secrets


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """The view of one viewer of a game."""

    game: Game
    viewer: int | None = None
    """The seat; None: the public."""
    opened: bool = True
    """Whether everything is visible, as after the end of a match."""

    @classmethod
    def of(cls, game: Game, viewer: int | None) -> Self:
        """Return the view of a seat, or of the public (None), during a match."""
        return cls(game, viewer, opened=game.secrets is None)

    @classmethod
    def full(cls, game: Game) -> Self:
        """Return the view that shows everything."""
        return cls(game)

    @property
    def _secrets(self) -> Secrets | None:
        """The hidden information that applies to the viewer; None: the viewer sees everything."""
        return None if self.opened else self.game.secrets

    def observe(self, state: State) -> Observation:
        """Return what the viewer sees of a state."""
        game = self.game
        if self._secrets is None:
            return Observation(game.format_position(state), game.diagram(state), self.aside(state))
        return self._secrets.observe(state, self.viewer)

    def known(self, before: Position, after: Position) -> State:
        """Return the newest state that the viewer knows of when a move has led from one position to another.

        Where both seats choose at the same time and nothing is hidden, seat 1 learns the choice of seat 0 together with
        its own. In games with hidden information ``observe`` leaves out such a choice.
        """
        if self.viewer == 1 and before.simultaneous and self._secrets is None:
            return before.state
        return after.state

    def diagram(self, state: State) -> str:
        """Return the drawing of a state."""
        if self._secrets is None:
            return self.game.diagram(state)
        return self.observe(state).diagram

    def aside(self, state: State) -> Aside | None:
        """Return what the viewer sees of a state besides its diagram; None: nothing."""
        game = self.game
        if self._secrets is None:
            return None if game.aside is None else game.aside(state)
        return self.observe(state).aside

    def move(self, state: State, move: int) -> str:
        """Write a legal move of a state, in the game's notation."""
        if self._secrets is None:
            return self.game.format_move(state, move)
        return self._secrets.disclose(state, move, self.viewer)

    def squares(self, state: State, move: int) -> tuple[int, ...]:
        """Return the squares of the diagram that a move touches, as far as the viewer may see them."""
        if self._secrets is None:
            return self.game.squares(state, move)
        return self._secrets.squares(state, move, self.viewer)

    def written(self, before: Position, move: int, after: Position) -> str:
        """Write a move as people do; "" if that is the text of ``move``, or the viewer may not see all of it."""
        if self.game.spell is None or self._secrets is not None:
            return ""
        return self.game.spell(before, move, after)
