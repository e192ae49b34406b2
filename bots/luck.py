# SPDX-License-Identifier: GPL-3.0-or-later
"""The luck of the first bot in a series: ``engine.control_variates`` with the probabilities that its bots tell."""

from functools import partial

from bots.built_in import kinds
from bots.contest import Contest
from bots.series import Played
from engine.control_variates import Probabilities, estimate_of, luck
from engine.game import Game
from engine.games import find


class LuckReader:
    """Computes the luck of games of a series. Only built-in bots tell their probabilities: a wrong claim would bias the
    result.
    """

    def __init__(self, contest: Contest) -> None:
        """Raises ValueError if nothing estimates the payoffs of the game."""
        game, estimate = find(contest.game), estimate_of(contest.game)
        if estimate is None:
            why = "has nothing to estimate its payoffs by" if game.chance else "has no dice or cards"
            raise ValueError(f"{game.name} {why}, so there are no control variates")
        self._estimate = estimate
        self._known = (_known(contest.first, game), _known(contest.second, game))
        self.moves_of = tuple(name for name, known in zip(contest.names, self._known, strict=True) if known)
        """The names of the bots whose moves count."""

    def of(self, played: Played) -> float:
        """Return the points of a game that the first bot owes to luck, the other one's included; negative: bad luck."""
        first, second = self._known
        if played.seat:
            return -luck(played.record, self._estimate, (second, first))
        return luck(played.record, self._estimate, (first, second))


def _known(spec: str, game: Game) -> Probabilities | None:
    bot = kinds.catalogue().get(spec)
    return partial(bot.probabilities, game) if bot is not None and bot.tells(game.name) else None
