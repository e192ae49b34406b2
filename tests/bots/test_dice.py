# SPDX-License-Identifier: GPL-3.0-or-later
"""Built-in bots at games with dice, in matches without a server."""

from bots.catalogue import maker_of
from bots.local import Entrant
from bots.series import Played, Setting, series
from engine.game import CHANCE
from engine.games import find

GAME = find("einstein")
RANDOM, THOUGHTFUL = (Entrant(name, maker_of(name)) for name in ("random", "alphabeta-4"))


async def played(games: int, seed: int) -> list[Played]:
    return [each async for each in series(Setting(GAME, seed), THOUGHTFUL, RANDOM, range(games))]


def rolls(match: Played) -> list[str]:
    before = list(match.record.positions())[len(match.record.opening) :]
    return [move.move for move, position in zip(match.record.moves, before, strict=False) if position.to_move == CHANCE]


async def test_a_seed_makes_the_same_rolls_and_each_match_of_a_pair_has_its_own() -> None:
    one, other, another = await played(4, 1), await played(4, 1), await played(4, 2)
    assert [each.record.moves for each in one] == [each.record.moves for each in other]
    assert len({tuple(rolls(each)[:8]) for each in one + another}) == 8


async def test_a_bot_that_searches_beats_the_random_bot() -> None:
    matches = await played(40, 3)
    score = sum(match.score or 0.0 for match in matches)
    assert score > 28
    assert {match.record.termination for match in matches} == {"decided"}
