# SPDX-License-Identifier: GPL-3.0-or-later
"""Predictors for rock-paper-scissors against players whose next action follows from the earlier ones."""

from collections.abc import Callable, Sequence

import pytest

from bots.bot import Match as Started
from bots.bot import Player, Turn
from bots.built_in.kinds.guessing import BOTS, GuessingBot, rounds_of_games
from bots.modelling.guessing import FrequencyModel, MarkovModel, MetaModel, Predictor, beating
from engine.games import find
from engine.match.machine import Match
from engine.match.record import Player as Recorded
from engine.match.record import Record

Rule = Callable[[Sequence[int], Sequence[int]], int]
"""A player: its next action from its own actions and the opponent's."""

CYCLE: Rule = lambda own, other: len(own) % 3  # noqa: E731  # a table of players
BEATS_LAST: Rule = lambda own, other: beating(other[-1]) if other else 0  # noqa: E731  # likewise
ROCK: Rule = lambda own, other: 0  # noqa: E731  # likewise


def gained(predictor: Predictor, rule: Rule, rounds: int = 150) -> int:
    """Return the points of the best answers to a predictor."""
    own: list[int] = []
    other: list[int] = []
    points = 0
    for _ in range(rounds):
        expected = predictor.predict()
        answer = beating(expected.index(max(expected)))
        theirs = rule(other, own)
        points += (answer - theirs + 1) % 3 - 1
        own.append(answer)
        other.append(theirs)
        predictor.learn(answer, theirs)
    return points


@pytest.mark.parametrize(
    ("make", "rule"),
    [(FrequencyModel, ROCK), (MarkovModel, ROCK), (MarkovModel, CYCLE), (MarkovModel, BEATS_LAST),
     (MetaModel, ROCK), (MetaModel, CYCLE), (MetaModel, BEATS_LAST)],
)  # fmt: skip
def test_predictable_players_are_exploited(make: Callable[[], Predictor], rule: Rule) -> None:
    assert gained(make(), rule) > 100


@pytest.mark.parametrize("make", [FrequencyModel, MarkovModel, MetaModel])
def test_predictions_are_probabilities(make: Callable[[], Predictor]) -> None:
    predictor = make()
    for number in range(20):
        assert sum(predictor.predict()) == pytest.approx(1)
        predictor.learn(number * 7 % 3, number * 5 % 3)


class Shelf:
    """A library with one finished match."""

    def __init__(self, record: Record) -> None:
        self.records = [record]

    def allowed(self, name: str) -> bool:
        """Allow all."""
        return True

    def newer(self, game: str, name: str) -> list[Record]:
        """Return the match once."""
        found, self.records = self.records, []
        return found

    def forget(self, game: str, name: str) -> None:
        """Nothing to forget."""

    def lead(self, game: str, name: str, other: str) -> float:
        """Return 0."""
        return 0.0

    def tell(self, model_view: object) -> None:
        """Nobody reads it."""


def finished() -> Record:
    """Return a match in which the player "rocky" always plays rock."""
    match = Match(find("rock-paper-scissors"))
    while match.to_move is not None:
        match.play(match.to_move, "rock" if match.to_move else "paper")
    return Record.from_match(match, (Recorded("someone"), Recorded("rocky")))


def test_a_bot_learns_the_opponent_s_games_before_the_first_round() -> None:
    assert list(rounds_of_games([finished()], "rocky")) == [(1, 0)] * 200
    loaded = []
    bot = GuessingBot(BOTS[0], lambda arena, token: Shelf(finished()))
    bot.match_started(
        Started(
            match=1, game="rock-paper-scissors", seat=0, players=(Player("frequency", "1"), Player("rocky", "1")),
            rated=False, time_control=None, start="200", opening=[], moves=[], position="200", ply=0, to_move=0,
            clocks=None,
        )
    )  # fmt: skip
    for thread in bot.loading:
        thread.join()
        loaded.append(thread)
    assert loaded
    words = ["rock", "paper", "scissors"]
    turn = Turn(
        match=1, game="rock-paper-scissors", ply=0, position="200", seat=0, last_move=None, legal_moves=words
    )  # fmt: skip
    assert bot.move(turn).move == "paper"
