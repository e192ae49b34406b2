# SPDX-License-Identifier: GPL-3.0-or-later
"""What learning takes is bounded: games of a player, players, one at a time; and the clock goes before it."""

import threading
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from arena.protocol.messages import Match, Player, Turn
from bots.built_in.kinds import adaptive
from bots.built_in.kinds.adaptive import PART, AdaptiveBot
from bots.built_in.library import MOST
from bots.built_in.opponents import KEPT_OPPONENTS, KnownOpponent, KnownOpponents, practise
from bots.modelling.accuracy import held_out
from bots.modelling.model import Predictions
from bots.modelling.replay import Ply, replays
from bots.modelling.sources import PlayerName, Skips
from engine.game import Position
from engine.games import find
from engine.match.record import Record
from lab.studies.worth import Records
from tests.bots.built_in.test_adaptive import CHECKERS, OWN
from tests.bots.built_in.test_searching import turn
from tests.bots.modelling.habitual import NAME, games


def test_a_player_is_learned_anew_when_a_quarter_more_came() -> None:
    known = KnownOpponent(CHECKERS, NAME)
    played = games(10, "checkers", 20)
    known.learn(played[:8])
    first = known.model
    assert known.games == 8
    known.learn(played[8:9])
    assert known.model is first
    known.learn([])
    assert known.model is first
    known.learn(played[9:])
    assert known.games == 8, "2 of 10 are not a quarter"
    known.learn(games(11, "checkers", 20)[10:])
    assert known.games == 11
    assert known.model is not first


def test_the_newest_games_alone_are_heeded() -> None:
    known = KnownOpponent(CHECKERS, NAME)
    known.learn(games(MOST + 20, "checkers", 8))
    assert known.games == MOST
    assert known.model is not None
    assert known.model.games == MOST


def test_a_game_against_the_rules_is_left_out() -> None:
    known = KnownOpponent(CHECKERS, NAME)
    first, second, third = games(3, "checkers", 20)
    known.learn([first, Record(game="checkers", players=second.players, result="*", opening=("nonsense",)), third])
    assert known.games == 2


def test_the_opponent_not_met_for_longest_is_forgotten() -> None:
    records = Records(games(4, "checkers", 20))
    known = KnownOpponents(records, waits=True)
    first = known.meet(CHECKERS, NAME, "adaptive")
    assert first.games == 4
    for number in range(KEPT_OPPONENTS - 1):
        known.meet(CHECKERS, f"bot {number}", "adaptive")
    assert known.meet(CHECKERS, NAME, "adaptive") is first
    for number in range(KEPT_OPPONENTS):
        known.meet(CHECKERS, f"another {number}", "adaptive")
    again = known.meet(CHECKERS, NAME, "adaptive")
    assert again is not first
    assert again.games == 4, "all is read again"


def named(record: Record, name: str) -> Record:
    """Return a game with another name of its player."""
    first, second = (replace(each, name=name) if each.name == NAME else each for each in record.players)
    return replace(record, players=(first, second))


def test_the_newest_games_measure_the_model_of_the_earlier_ones() -> None:
    replayed = replays(CHECKERS, games(20, "checkers", 40), PlayerName("*habit*"), Skips())
    found = held_out(CHECKERS, replayed)
    assert found is not None
    assert (found["games"], found["moves"] > 40) == (4, True)
    assert found["hits"] / found["moves"] > 2 * found["chance"], "her habit is strong"
    assert held_out(CHECKERS, replayed[:9]) is None


def test_a_person_is_learned_only_while_the_person_allows_it() -> None:
    class Asking(Records):
        may = True
        told = 0

        def allowed(self, name: str) -> bool:
            return self.may

        def tell(self, model_view: object) -> None:
            self.told += 1

    person = f"@{NAME}"
    library = Asking([named(one, person) for one in games(4, "checkers", 20)])
    known = KnownOpponents(library, waits=True)
    assert known.meet(CHECKERS, person, "adaptive").games == 4
    assert known.meet(CHECKERS, person, "adaptive").games == 4, "kept from the match before"
    assert library.told == 2
    library.may = False
    stranger = known.meet(CHECKERS, person, "adaptive")
    assert (stranger.games, stranger.model, stranger.foresight) == (0, None, None)
    library.may = True
    assert known.meet(CHECKERS, person, "adaptive").games == 4, "all games are read again"


def test_players_are_read_one_after_the_other_beside_play() -> None:
    class Slow(Records):
        reading, most, read = 0, 0, 0
        opened = threading.Event()

        def newer(self, game: str, name: str) -> list[Record]:
            self.reading += 1
            self.most = max(self.most, self.reading)
            assert self.opened.wait(600)
            self.reading -= 1
            self.read += 1
            return []

    library = Slow()
    known = KnownOpponents(library)
    for name in ("a", "b", "c", "a"):
        known.meet(CHECKERS, name, "adaptive")
    assert library.read == 0, "nobody waits for it"
    library.opened.set()
    for thread in threading.enumerate():
        if thread.name == "learning":
            thread.join(600)
    assert (library.read, library.most) == (3, 1)
    known.meet(CHECKERS, "a", "adaptive")
    for thread in threading.enumerate():
        if thread.name == "learning":
            thread.join(600)
    assert library.read == 4


class Ponderous(KnownOpponent):
    """Takes its time to say what is expected, and no other time passes."""

    PAUSE = 0.1

    def __init__(self) -> None:
        super().__init__(CHECKERS, NAME)
        self.asked = 0

    def expect(self, position: Position, recent: Sequence[Ply]) -> Predictions:
        self.asked += 1
        return super().expect(position, recent)

    def monotonic(self) -> float:
        """Return the time."""
        return self.asked * self.PAUSE


def met_in(asked: Turn) -> Match:
    """The match in which a first turn is asked for, against her."""
    return Match(
        match=asked.match,
        game=asked.game,
        seat=0,
        players=(Player("adaptive", "1"), Player(NAME, "1")),
        rated=True,
        time_control=None,
        start=asked.position,
        opening=[],
        moves=[],
        position=asked.position,
        ply=0,
        to_move=0,
        clocks=asked.clocks,
    )


@pytest.mark.parametrize(("left", "increment", "asks"), [(5_000, 0, True), (1_000, 200, True), (500, 0, False)])
def test_the_clock_goes_before_finding_out_what_the_other_answers(
    left: int, increment: int, asks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A move has a 25th of the clock and most of the increment, of which half may go before the search."""

    class Known(KnownOpponents):
        def meet(self, *_: object) -> KnownOpponent:
            return other

    other = Ponderous()
    monkeypatch.setattr(adaptive, "time", other)
    other.learn(games(4, "checkers", 20))
    bot = AdaptiveBot(OWN, lambda arena, token: Known(None))
    asked = turn("checkers", ply=0, clocks=(left, left), increment=increment)
    match = met_in(asked)
    bot.prepare(["checkers"])
    bot.match_started(match)
    reply = bot.move(asked)
    allowed = left / 25_000 + 0.8 * increment / 1_000
    # the opponents that begin in half of the time, and the one that the search info names
    most = int(PART * allowed / other.PAUSE) + 2
    assert most < len(CHECKERS.look(CHECKERS.start()).moves)
    assert bool(reply.expected) is asks
    assert 0 < other.asked <= most if asks else not other.asked


def test_without_a_clock_all_answers_are_found_out() -> None:
    class Known(KnownOpponents):
        def meet(self, *_: object) -> KnownOpponent:
            return other

    other = Ponderous()
    other.learn(games(4, "checkers", 20))
    bot = AdaptiveBot(OWN, lambda arena, token: Known(None))
    asked = turn("checkers", ply=0)
    bot.match_started(met_in(asked))
    assert bot.move(asked).expected
    assert other.asked == len(CHECKERS.look(CHECKERS.start()).moves)


@pytest.mark.long  # compiles learning for a game of cards
def test_a_game_that_begins_with_a_deal_can_be_learned() -> None:
    """A deal takes more plies than are practised."""
    assert practise(find("bridge/double-dummy")) is not None
