# SPDX-License-Identifier: GPL-3.0-or-later
"""The bot that learns its opponents' types."""

import asyncio
import gc
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher

from bots.built_in import kinds
from bots.built_in.kinds.adaptive import BOTS, SHOWN, AdaptiveBot
from bots.built_in.kinds.searching import SearchingBot
from bots.built_in.opponents import AVERSION, ENOUGH, KnownOpponent, KnownOpponents
from bots.local import Entrant, play
from bots.modelling.opponent_types import OpponentType
from bots.modelling.replay import replay
from engine.games import find
from engine.match.machine import Match
from engine.match.record import Player, Record
from engine.opening import random_opening
from lab.studies.worth import Records, _worth, measure, opponents
from tests.bots.modelling.habitual import NAME, games
from tests.compiling import marks, searched_games

CHECKERS = find("checkers")
OWN = replace(BOTS[0], nodes=200, seconds=None)
FIRST = kinds.catalogue()["random"]


class Listening(Records):
    """Known games, and the recorded moves of their players."""

    def __init__(self, known: list[Record], lead: float = 0.0) -> None:
        super().__init__(known)
        self.told: list[Any] = []
        self._lead = lead

    def lead(self, game: str, name: str, other: str) -> float:
        """Return what was said to be the lead."""
        return self._lead

    def tell(self, model_view: Any) -> None:
        """Listen."""
        self.told.append(model_view)


def against(name: str, bot: AdaptiveBot) -> Match:
    """Play one match against somebody of a name."""
    entrants = Entrant("adaptive", lambda: bot), Entrant(name, FIRST.make)
    return asyncio.run(play(CHECKERS, entrants))


def met(library: Records) -> AdaptiveBot:
    """Return a bot that knows what a library has."""
    known = KnownOpponents(library, waits=True)
    return AdaptiveBot(OWN, lambda arena, token: known)


def test_strangers_are_played_as_without_a_model() -> None:
    plain = SearchingBot(OWN)
    stranger = against("somebody", met(Listening(games(20, "checkers", 30))))
    entrants = Entrant("adaptive", lambda: plain), Entrant("somebody", FIRST.make)
    expected = asyncio.run(play(CHECKERS, entrants))
    assert [moved.move for moved in stranger.moves] == [moved.move for moved in expected.moves]
    assert not any(moved.info.expected for moved in stranger.moves if moved.info)


def test_nothing_is_compiled_while_clocks_run() -> None:
    bot = met(Listening(games(20, "checkers", 30), lead=400.0))
    bot.prepare(["checkers"])
    before = compiled()
    assert any(moved.info.expected for moved in against(NAME, bot).moves if moved.info)
    assert compiled() == before


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=marks(name))
        for name, game in searched_games().items()
        if game.playable and game.width < 100
    ],
)
def test_it_plays_small_games(name: str) -> None:
    known = KnownOpponents(Listening(games(4, name, 20), lead=400.0), waits=True)
    bot = AdaptiveBot(OWN, lambda arena, token: known)
    bot.prepare([name])
    entrants = Entrant("adaptive", lambda: bot), Entrant(NAME, FIRST.make)
    assert asyncio.run(play(find(name), entrants)).ending is not None


def compiled() -> dict[str, int]:
    """Return in how many forms each function of ours was compiled, or loaded."""
    found = Counter[str]()
    gc.collect()  # functions of other tests, which would go meanwhile
    for one in gc.get_objects():
        if issubclass(type(one), Dispatcher):  # a proxy of what is gone has a class no more
            found[f"{one.py_func.__module__}.{one.py_func.__qualname__}"] += len(one.overloads)
    return dict(+found)


def test_a_known_opponent_is_expected_to_answer() -> None:
    library = Listening(games(20, "checkers", 30), lead=400.0)
    bot = met(library)
    match = against(NAME, bot)
    told = [moved.info.expected for moved in match.moves if moved.seat == 0 and moved.info]
    assert sum(map(bool, told)) >= len(told) - 1, "all but perhaps the last move"
    for expected in filter(None, told):
        probabilities = [one.probability for one in expected]
        assert len(expected) <= SHOWN
        assert probabilities == sorted(probabilities, reverse=True)
        assert sum(probabilities) <= 1 + 1e-9
    (portrait,) = library.told
    assert (portrait["player"], portrait["game"], portrait["games"]) == (NAME, "checkers", 20)
    assert {len(pattern["diagram"]) for pattern in portrait["patterns"]} == {64}
    assert portrait["lines"]


def test_the_weak_are_not_given_draws() -> None:
    known = KnownOpponents(Listening(games(ENOUGH, "checkers", 20), lead=1_000.0), waits=True)
    met = known.meet(CHECKERS, NAME, "adaptive")
    assert (met.draw, met.trust) == (-AVERSION, 1.0)
    assert known.meet(CHECKERS, "somebody", "adaptive").games == 0


def test_what_the_much_stronger_are_believed_to_do_does_not_count() -> None:
    bot = met(Listening(games(ENOUGH, "checkers", 20), lead=-1_000.0))
    plain = SearchingBot(OWN)
    entrants = Entrant("adaptive", lambda: plain), Entrant(NAME, FIRST.make)
    first = against(NAME, bot).moves[0]
    assert first.move == asyncio.run(play(CHECKERS, entrants)).moves[0].move
    assert first.info is not None
    assert first.info.expected, "the search info has it all the same"


def test_games_that_came_since_are_learned_too() -> None:
    library = Listening(games(4, "checkers", 20))
    known = KnownOpponents(library, waits=True)
    assert known.meet(CHECKERS, NAME, "adaptive").games == 4
    library.games += games(6, "checkers", 20)[4:]
    opponent = known.meet(CHECKERS, NAME, "adaptive")
    assert opponent.games == 6
    assert opponent.model is not None
    assert opponent.model.games == 6


def test_a_bot_that_searches_is_detected() -> None:
    """Its answers are believed in more than by frequencies alone."""
    player = kinds.catalogue()["alphabeta-4"]
    found = []
    for number in range(ENOUGH + 4):
        entrants = Entrant(NAME, player.make), Entrant("random", FIRST.make)
        match = asyncio.run(play(CHECKERS, entrants, number=number, opening=random_opening(CHECKERS, number)))
        found.append(Record.from_match(match, (Player(name=NAME), Player(name="random"))))
    known, unsearched = KnownOpponent(CHECKERS, NAME), KnownOpponent(CHECKERS, NAME)
    known.learn(found[:ENOUGH])
    assert known.types[0] == OpponentType("material", False, 4)
    assert unsearched.types == ()
    believed, straight = [], []
    for record in found[ENOUGH:]:
        for turn in replay(CHECKERS, record, 0).turns():
            if len(turn.position.moves) < 2:
                continue
            believed.append(dict(known.expect(turn.position, turn.past))[turn.move])
            assert known.model is not None
            straight.append(dict(known.model.predict(turn.position, turn.past))[turn.move])
    assert np.log(believed).mean() > np.log(straight).mean() + 0.1


def test_a_bot_that_cannot_read_plays_on() -> None:
    class Closed(Listening):
        def newer(self, game: str, name: str) -> list[Record]:
            raise OSError("closed")

    assert against(NAME, met(Closed([]))).ending is not None


def test_known_games_are_read_once() -> None:
    library = Records([Record(game="checkers", players=(Player("a"), Player("b")), result="1-0")])
    assert len(library.newer("checkers", "a")) == 1
    assert library.newer("checkers", "a") == []
    assert len(library.newer("checkers", "b")) == 1
    library.games.append(Record(game="checkers", players=(Player("c"), Player("a")), result="1-0"))
    assert [record.players[0].name for record in library.newer("checkers", "a")] == ["c"]
    assert library.newer("nim", "a") == []


def test_worth_is_measured_by_pairs_of_openings() -> None:
    found = measure(CHECKERS, OWN, opponents()[:2], known=2, pairs=2)
    assert [one.opponent for one in found] == ["minimax-2", "minimax-3", "all"]
    assert [one.games for one in found] == [4, 4, 8]
    assert all(one.low <= one.gain <= one.high for one in found)


def test_the_gain_is_that_of_paired_scores() -> None:
    scores = np.array([[1.0, 0.5], [0.5, 0.5], [0.5, 0.25], [0.5, 0.25]])
    one = _worth("x", scores, np.array([[6.0, 30.0], [4.0, 40.0]]))
    assert one.cost == pytest.approx(2.0)
    assert (one.games, one.known, one.unknown) == (8, 0.625, 0.375)
    # the slope of Elo at an even score is 400 / ln 10 * 4
    assert one.gain == pytest.approx(0.25 * 1600 / np.log(10))
    assert one.high - one.gain == pytest.approx(1.96 * np.std([0.5, 0, 0.25, 0.25], ddof=1) / 2 * 1600 / np.log(10))


def test_known_games_show_the_stronger_player() -> None:
    records = Records(
        [Record(game="checkers", players=(Player("a"), Player("b")), result="1-0") for _ in range(8)],
    )
    assert records.lead("checkers", "a", "b") == pytest.approx(2 * 400 * np.log10(9))
    assert records.lead("checkers", "a", "c") == pytest.approx(400 * np.log10(9))
    assert len(opponents()) >= 8
