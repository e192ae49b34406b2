# SPDX-License-Identifier: GPL-3.0-or-later
"""The bot that plays stored strategies: it chooses by their probabilities, and knows only its own cards."""

from collections import Counter

import pytest

from arena.protocol.messages import Turn
from bots.built_in.kinds import catalogue
from bots.catalogue import make
from engine.games import find
from engine.regret.strategy import path_of, read

MATCHES = 2000


def choices(game: str, position: str, seat: int, legal: list[str]) -> Counter[str]:
    """Return how often the bot chooses each move in a position, over many matches."""
    bot = make("cfr")
    turns = (Turn(match, game, 3, position, seat, legal_moves=legal) for match in range(MATCHES))
    return Counter(str(bot.move(turn)) for turn in turns)


def test_it_plays_the_games_with_a_strategy() -> None:
    assert make("cfr").games == ("kuhn", "leduc")
    assert not catalogue()["cfr"].plays("nim")
    make("cfr").prepare(["kuhn"])


def test_it_chooses_by_the_probabilities_of_the_strategy() -> None:
    sets = read(find("kuhn"), path_of(find("kuhn")).read_bytes()).sets
    found = choices("kuhn", "7/100 2 J? - KQ:cc", 0, ["check", "bet"])
    expected = next(each.moves["bet"] for each in sets if each.position == "1/1 0 J? - -")
    assert 0.2 < expected < 0.3
    assert found["bet"] / MATCHES == pytest.approx(expected, abs=0.04)
    assert choices("kuhn", "7/100 2 K? cr KQ:cc", 0, ["fold", "call"]) == {"call": MATCHES}
    # the seat that begins is seat 1 in the eighth hand
    assert choices("kuhn", "8/100 2 J? r ?K:rf", 0, ["fold", "call"]) == {"fold": MATCHES}
