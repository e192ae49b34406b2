# SPDX-License-Identifier: GPL-3.0-or-later
"""The luck of built-in bots: what they tell of their choices is true, and points without luck vary less."""

from collections import Counter

import pytest

from arena.rating.payoffs import variance_fallen
from bots.bot import Turn
from bots.built_in import kinds
from bots.contest import Contest
from bots.luck import LuckReader
from bots.series import Tally, series
from engine.game import CHANCE, Game, Position
from engine.games import find

TELLING = [
    (bot.name, game) for bot in kinds.catalogue().values() for game in ("kuhn", "leduc", "tictactoe") if bot.tells(game)
]


async def tallied(game: str, first: str, second: str, games: int) -> Tally:
    """Return the tally of a series, with luck."""
    contest, tally = Contest(game, first, second, seed=3), Tally()
    reader = LuckReader(contest)
    async for played in series(contest.setting(), *await contest.entrants(), range(games)):
        tally.add(played, reader.of(played))
    return tally


def test_cfr_and_random_tell_their_probabilities() -> None:
    assert {name for name, _ in TELLING} == {"cfr", "random"}
    assert ("cfr", "tictactoe") not in TELLING


def first_choice(game: Game) -> Position:
    """Return the first position in which a seat moves."""
    position = game.look(game.start())
    while position.to_move == CHANCE:
        position = game.play(position, position.moves[0])
    return position


@pytest.mark.parametrize(("name", "game"), TELLING)
def test_bots_move_with_the_probabilities_that_they_tell(name: str, game: str) -> None:
    """Over 1,500 matches; four standard deviations."""
    rules, bot, count = find(game), kinds.catalogue()[name], 1500
    position = first_choice(rules)
    told = bot.probabilities(rules, position.state)
    assert set(told) == set(rules.move_texts(position))
    assert sum(told.values()) == pytest.approx(1)
    seat, player = position.to_move, bot.make()
    text = rules.format_position(position.state)
    seen = text if rules.secrets is None else rules.secrets.observe(position.state, seat).position
    moves = list(rules.move_texts(position))
    turns = (Turn(match, game, 1, seen, seat, legal_moves=moves) for match in range(count))
    made = Counter(player.move(turn) for turn in turns)
    for move, probability in told.items():
        spread = (probability * (1 - probability) / count) ** 0.5
        assert abs(made[move] / count - probability) <= 4 * spread + 1e-9


async def test_strategies_that_are_known_leave_no_variance() -> None:
    tally = await tallied("kuhn", "cfr", "cfr", 4)
    assert tally.pair_payoffs.variance > 0
    # each bot begins half of the hands
    assert tally.reduced_payoffs.mean == pytest.approx(0, abs=1e-6)
    assert tally.reduced_pair_payoffs.variance == 0


async def test_the_variance_falls_in_leduc() -> None:
    tally = await tallied("leduc", "cfr", "random", 8)
    fallen = variance_fallen(tally.pair_payoffs, tally.reduced_pair_payoffs)
    assert fallen is not None
    assert fallen > 0.5
    assert tally.count == tally.reduced_payoffs.count == 2 * tally.reduced_pair_payoffs.count == 8


@pytest.mark.long
@pytest.mark.parametrize(("game", "bot"), [("holdem/limit", "equity"), ("einstein", "play-1k")])
async def test_the_variance_falls_in_games_without_an_exact_value(game: str, bot: str) -> None:
    tally = await tallied(game, bot, bot, 40)
    fallen = variance_fallen(tally.pair_payoffs, tally.reduced_pair_payoffs)
    assert fallen is not None
    assert fallen > 0.2


@pytest.mark.parametrize(
    ("game", "why"), [("tictactoe", "has no dice or cards"), ("dark-chess", "has no dice or cards")]
)
def test_games_without_an_estimate_are_refused(game: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        LuckReader(Contest(game, "random", "random"))
