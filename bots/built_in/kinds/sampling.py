# SPDX-License-Identifier: GPL-3.0-or-later
"""A bot for board games with hidden men: it looks two plies ahead in random states that fit its observation.

A move's value is its mean over the states in which it is made: the worst evaluation after the answers of the opponent,
who is assumed to see everything. A refused try has no value in that state: the same seat moves again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from bots.bot import DECIDED, Bot, Reply, Turn
from bots.built_in.kinds import BuiltInBot, Enters, seed
from engine.evaluation import Evaluation
from engine.game import Game, State, legal_moves, outcome, score, step, to_move
from engine.games import catalogue, find
from engine.kernel import compiled

WON = 1e5
"""Value of a win, in the unit of scores; a loss has the negative, and a draw 0."""


@compiled
def look_ahead(state, moves, terms, weights, out, values):  # type: ignore[no-untyped-def]  # numba infers the types
    """Write the value of each move for the seat to move; NaN if it is to move again."""
    seat = to_move(state)
    for index in range(len(moves)):
        after = step(state, moves[index])
        over, first, second = outcome(after)
        if over:
            values[index] = WON * (second if seat else first)
            continue
        if to_move(after) == seat:
            values[index] = np.nan
            continue
        worst = np.inf
        for answer in range(legal_moves(after, out)):
            last = step(after, out[answer])
            over, first, second = outcome(last)
            if over:
                value = WON * (second if seat else first)
            else:
                value = np.float64(score(last, terms, weights))
                if to_move(last) != seat:
                    value = -value
            worst = min(worst, value)
        values[index] = worst


def values_of(game: Game, state: State, moves: Sequence[int], evaluation: Evaluation) -> NDArray[np.float64]:
    """Return the value of each move of a state for the seat to move."""
    values = np.empty(len(moves))
    out = np.empty(game.width, np.int64)
    listed = np.array(moves, np.int64)
    look_ahead(game.pack(state), listed, evaluation.terms.number, evaluation.words(), out, values)
    return values


@dataclass(frozen=True, slots=True)
class Sampling(BuiltInBot):
    """A bot that looks ahead in several random states. Each fits its observation."""

    enters: ClassVar[Enters] = Enters.LAST
    usual: ClassVar[bool] = False

    states: int

    def plays(self, game: str) -> bool:
        """Return whether a game hides men, is played in turns without chance, and offers states that fit."""
        played = find(game)
        secrets = played.secrets
        return secrets is not None and secrets.determinise is not None and not (played.chance or played.simultaneous)

    def make(self) -> Bot:
        """Return a new player."""
        bot = SamplingBot(self)
        bot.games = tuple(filter(self.plays, catalogue()))
        return bot


class SamplingBot(Bot):
    """Plays by the observation alone; the same question has the same answer."""

    capacity = 16

    def __init__(self, settings: Sampling) -> None:
        self.name, self.description = settings.name, settings.description
        self._settings = settings

    def prepare(self, names: Sequence[str]) -> None:
        """Compile what looks ahead, or load it from the cache."""
        for game in map(find, names):
            position = game.look(game.start())
            values_of(game, position.state, position.moves, next(iter(game.evaluations.values())))

    def move(self, turn: Turn) -> Reply:
        """Return the move with the best mean value; equal ones at random, by seed."""
        game, chance = find(turn.game), Random(seed(turn.match, self.name, turn.ply))
        evaluation = next(iter(game.evaluations.values()))
        states = [game.possible(turn.position, turn.seat, chance) for _ in range(self._settings.states)]
        # legal moves follow from the observation, so all states have the same
        legal = turn.legal_moves or list(game.move_texts(game.look(states[0])))
        total, count = np.zeros(len(legal)), np.zeros(len(legal))
        for state in states:
            texts = game.move_texts(game.look(state))
            known = np.array([text in texts for text in legal])
            values = np.full(len(legal), np.nan)
            values[known] = values_of(game, state, [texts[text] for text in legal if text in texts], evaluation)
            made = ~np.isnan(values)
            total[made] += values[made]
            count[made] += 1
        means = np.where(count > 0, total / np.maximum(count, 1), -np.inf)
        best = float(means.max())
        chosen = chance.choice([text for text, mean in zip(legal, means, strict=True) if mean == best])
        pawn = evaluation.man or evaluation.weights[0]
        scored = None if not np.isfinite(best) else float(np.clip(best / pawn, -DECIDED, DECIDED))
        return Reply(chosen, score=scored, depth=2)


BOTS = (
    Sampling(
        "sampling", "Games with hidden men: looks two plies ahead in random positions that fit its observation.", 8
    ),
)
