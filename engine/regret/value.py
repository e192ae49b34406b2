# SPDX-License-Identifier: GPL-3.0-or-later
"""The exact expected payoff of a state when both seats play a strategy, in games with a strategy that ships."""

from collections.abc import Callable, Sequence

from engine.game import CHANCE, Game, Position, State
from engine.regret.strategy import Strategy


class StrategyValue:
    """Expected payoffs of seat 0, in matches of rounds: the payoff so far, plus that of the current round.

    Rounds that have not begun are left out: what they are worth does not depend on moves and cards before them. The
    game must have ``as_last_round``, and its rounds must have few states: all of them are visited once.
    """

    def __init__(self, game: Game, strategy: Strategy) -> None:
        if game.as_last_round is None:
            raise ValueError(f"{game.title} does not say how its rounds are played alone")
        self._game = game
        self._strategy = strategy
        self._alone: Callable[[State], tuple[State, float]] = game.as_last_round
        self._known: dict[State, float] = {}

    def after(self, state: State, moves: Sequence[int]) -> Sequence[float]:
        """Return the expected payoff of seat 0 after each of some moves of a state: see ``Game.payoffs_after``."""
        position = self._game.look(state)
        return [self._of(self._game.play(position, move).state) for move in moves]

    def _of(self, state: State) -> float:
        alone, so_far = self._alone(state)
        return so_far + self._value(self._game.look(alone))

    def _value(self, position: Position) -> float:
        if position.over:
            return position.payoffs[0]
        if position.state in self._known:
            return self._known[position.state]
        game = self._game
        if position.to_move == CHANCE:
            weights: Sequence[float] = game.odds(position)
        else:
            chances = self._strategy.chances(position.state, position.to_move)
            weights = [chances[game.format_move(position.state, move)] for move in position.moves]
        values = [self._value(game.play(position, move)) for move in position.moves]
        found = sum(weight * value for weight, value in zip(weights, values, strict=True)) / sum(weights)
        self._known[position.state] = found
        return found
