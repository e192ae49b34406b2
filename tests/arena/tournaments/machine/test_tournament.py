# SPDX-License-Identifier: GPL-3.0-or-later
from collections import Counter
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.tournaments.machine.config import Config, Entry, check
from arena.tournaments.machine.events import (
    Event,
    Finished,
    Paired,
    Pairing,
    Played,
    Slot,
    Unplayed,
    Withdrew,
    decode_event,
    encode_event,
)
from arena.tournaments.machine.formats.gauntlet import Gauntlet
from arena.tournaments.machine.formats.knockout import Knockout
from arena.tournaments.machine.formats.ladder import Ladder
from arena.tournaments.machine.formats.round_robin import RoundRobin
from arena.tournaments.machine.formats.sprt import SprtMatch
from arena.tournaments.machine.formats.swiss import Swiss
from arena.tournaments.machine.standings import crosstable, standings
from arena.tournaments.machine.tournament import Tournament, TournamentError
from engine.formats.suite import Opening
from engine.match.ending import SCORES
from tests.arena.tournaments.machine.simulated import at_random, better_wins, configs, configured, play, slots


@settings(max_examples=50, deadline=None)
@given(configs(), st.integers(0, 1000))
def test_every_tournament_comes_to_its_end_and_is_its_events(config: Config, seed: int) -> None:
    tournament = play(Tournament(config), at_random(seed), Random(seed))
    assert tournament.over
    assert not tournament.due()
    planned = config.format.games_planned(tournament.course)
    played = sum(len(bout.games) for bout in tournament.course.bouts)
    assert planned is not None
    assert played == planned or (played < planned and isinstance(config.format, Ladder | SprtMatch | Swiss))
    sent = [decode_event(encode_event(event)) for event in tournament.events]
    again = Tournament.replay(msgspec.json.decode(msgspec.json.encode(config), type=Config), sent)
    assert again.course == tournament.course
    assert standings(again.course) == standings(tournament.course)


@settings(max_examples=30, deadline=None)
@given(configs(), st.integers(0, 1000))
def test_the_order_in_which_games_end_changes_nothing(config: Config, seed: int) -> None:
    one = play(Tournament(config), at_random(seed))
    other = play(Tournament(config), at_random(seed), Random(seed))

    def outcome(tournament: Tournament) -> object:
        bouts = [
            (bout.players, [bout.games[number].scores for number in sorted(bout.games)])
            for bout in tournament.course.bouts
        ]
        return bouts, standings(tournament.course), tournament.over

    assert outcome(one) == outcome(other)


@settings(max_examples=30, deadline=None)
@given(configs(), st.integers(0, 1000), st.integers(0, 40))
def test_one_that_was_broken_off_goes_on_as_if_it_had_not_been(config: Config, seed: int, stop: int) -> None:
    whole = play(Tournament(config), at_random(seed))
    part = play(Tournament(config), at_random(seed), stop=stop)
    resumed = play(Tournament.replay(config, part.events), at_random(seed))
    assert standings(resumed.course) == standings(whole.course)
    assert resumed.over == whole.over


@settings(max_examples=30, deadline=None)
@given(configs(), st.integers(0, 1000), st.data())
def test_after_any_withdrawals_the_others_play_to_the_end(config: Config, seed: int, data: st.DataObject) -> None:
    tournament = play(Tournament(config), at_random(seed), stop=data.draw(st.integers(0, 20)))
    players = range(len(config.entries))
    for player in data.draw(st.sets(st.sampled_from(players), min_size=1)):
        if tournament.over is None:
            tournament.withdraw(player, "left")
            tournament.advance()
    play(tournament, at_random(seed))
    assert tournament.over
    lines = standings(tournament.course)
    assert sorted(line.player for line in lines) == list(players)
    assert {line.player for line in lines if line.withdrawn} == tournament.course.withdrawn.keys()


@settings(max_examples=30, deadline=None)
@given(configs(), st.integers(0, 1000))
def test_standings_and_crosstable_count_every_game_once(config: Config, seed: int) -> None:
    tournament = play(Tournament(config), at_random(seed))
    games = [game for bout in tournament.course.bouts for game in bout.games.values()]
    lines = standings(tournament.course)
    assert sum(line.games for line in lines) == 2 * len(games)
    assert sum(line.wins for line in lines) == sum(line.losses for line in lines)
    table = crosstable(tournament.course)
    assert not any(line.annulled for line in lines)
    for line in lines:
        scored = [score for row in table[line.player] for score in row]
        byes = sum(bout.bye for bout in tournament.course.bouts if line.player in bout.players)
        assert len(scored) == line.games
        assert sum(scored) + byes * config.games == line.points
    assert [line.rank for line in lines] == sorted(line.rank for line in lines)


# ---------------------------------------------------------------- games by hand


def test_a_round_robin_by_hand() -> None:
    tournament = Tournament(configured(4, RoundRobin(), games=1))
    tournament.advance()
    assert [due.seats for due in tournament.due()] == [(0, 3), (1, 2)]
    # Berger: 1-4 2-3, 4-3 1-2, 2-4 3-1
    results = {(0, 3): "1-0", (1, 2): "1/2-1/2", (3, 2): "0-1", (0, 1): "1/2-1/2", (1, 3): "0-1", (2, 0): "0-1"}
    play(tournament, lambda due: results[due.seats])
    assert tournament.over == "all rounds are played"
    lines = standings(tournament.course)
    assert [(line.rank, line.player, line.points) for line in lines] == [
        (1, 0, 2.5),
        (2, 2, 1.5),
        (3, 3, 1.0),
        (4, 1, 1.0),
    ]
    by_player = {line.player: line for line in lines}
    # anna: beat dora (1.0) and cleo (1.5), drew with bert (1.0)
    assert by_player[0].tiebreaks == (0.0, 1.0 + 1.5 + 0.5, 2.0)
    # dora beat bert and has as many points
    assert by_player[3].tiebreaks == (1.0, 1.0, 1.0)
    assert by_player[1].tiebreaks == (0.0, 0.5 * 2.5 + 0.5 * 1.5, 0.0)
    assert crosstable(tournament.course)[0] == [(), (0.5,), (1.0,), (1.0,)]
    assert crosstable(tournament.course)[3] == [(0.0,), (1.0,), (0.0,), ()]


def test_a_swiss_by_hand() -> None:
    # five players, three rounds: 1 rests in each
    tournament = play(Tournament(configured(5, Swiss(3), games=1)), better_wins)
    rounds = [[bout.players for bout in bouts] for bouts in tournament.course.rounds]
    assert rounds[0] == [(0, 2), (3, 1), (4, None)]
    # of 1, 2 and 5, who have a point, 5 moved down before; 2 does, and meets 3, as it has met 4
    assert {frozenset(players) for players in rounds[1]} == {frozenset({0, 4}), frozenset({1, 2}), frozenset({3, None})}
    lines = standings(tournament.course)
    assert [line.player for line in lines][:2] == [0, 1]
    assert lines[0].points == 3.0
    met = [players for players in (frozenset(players) for bouts in rounds for players in bouts) if None not in players]
    assert max(Counter(met).values()) == 1
    # Buchholz of the winner: final points of those it met
    opponents = [other for bouts in rounds for players in bouts for other in players if 0 in players and other]
    points = tournament.course.points()
    assert lines[0].tiebreaks[1] == sum(points[other] for other in opponents)
    assert lines[0].tiebreaks[0] == lines[0].tiebreaks[1] - min(points[other] for other in opponents)


def test_a_knockout_by_hand() -> None:
    tournament = play(Tournament(configured(6, Knockout(third_place=True), games=2)), better_wins)
    rounds = [[bout.players for bout in bouts] for bouts in tournament.course.rounds]
    assert rounds == [[(0, None), (3, 4), (1, None), (2, 5)], [(0, 3), (1, 2)], [(0, 1), (2, 3)]]
    assert [(line.rank, line.player) for line in standings(tournament.course)] == [
        (1, 0),
        (2, 1),
        (3, 2),
        (4, 3),
        (5, 4),
        (5, 5),
    ]


def test_a_bout_of_a_knockout_is_the_best_of_its_games() -> None:
    tournament = Tournament(configured(2, Knockout(extra=2), games=3))
    tournament.advance()
    assert slots(tournament) == [(1, 1, 1), (1, 1, 2)]
    tournament.record(Slot(1, 1, 1), "1-0", 1)
    tournament.record(Slot(1, 1, 2), "1-0", 2)
    assert slots(tournament) == [(1, 1, 3)], "one each: the third decides"
    tournament.record(Slot(1, 1, 3), "1/2-1/2", 3)
    assert slots(tournament) == [(1, 1, 4), (1, 1, 5)]
    tournament.record(Slot(1, 1, 5), "1/2-1/2", 4)
    tournament.record(Slot(1, 1, 4), "1/2-1/2", 5)
    tournament.advance()
    assert tournament.over
    assert standings(tournament.course)[0].player == 0, "level to the end: the better seed goes on"


def test_two_wins_of_three_are_enough() -> None:
    tournament = play(Tournament(configured(2, Knockout(), games=3)), better_wins)
    assert [len(bout.games) for bout in tournament.course.bouts] == [2]


def test_a_pair_of_extra_games_is_awaited_and_one_that_is_decided_early_is_not() -> None:
    tournament = Tournament(configured(4, Knockout(extra=2), games=2))
    tournament.advance()
    pair = Slot(1, 1, 3), Slot(1, 1, 4)
    assert not any(map(tournament.awaits, pair)), "no extra game is due yet"
    tournament.record(Slot(1, 1, 1), "1-0", 1)
    assert tournament.awaits(Slot(1, 1, 2))
    tournament.record(Slot(1, 1, 2), "1-0", 2)
    assert all(map(tournament.awaits, pair)), "one each"
    tournament.record(pair[0], "1-0", 3)
    assert [tournament.awaits(each) for each in pair] == [False, True], "it has the cards of the third game"
    tournament.record(pair[1], "1-0", 4)
    assert not any(map(tournament.awaits, pair))
    # the other pairing of the round
    odd = Tournament(configured(4, Knockout(extra=2), games=3))
    odd.advance()
    for number, result in enumerate(("1-0", "1/2-1/2", "1/2-1/2"), 1):
        odd.record(Slot(1, 2, number), result, number)
    assert not odd.awaits(Slot(1, 2, 4)), "the lead is decisive: the fourth game is not played"
    assert odd.over is None


def test_a_gauntlet_by_hand() -> None:
    tournament = play(Tournament(configured(4, Gauntlet(), games=2)), better_wins)
    assert [line.points for line in standings(tournament.course)] == [6, 0, 0, 0]
    assert all(0 in bout.players for bout in tournament.course.bouts)


def test_a_sequential_test_stops_by_itself() -> None:
    form = SprtMatch(elo0=0.0, elo1=50.0, model="logistic")
    tournament = play(Tournament(configured(2, form)), at_random(3))
    found = form.test(tournament.course)
    assert found.accepted
    assert tournament.over == f"{found.accepted} is accepted"
    counts = list(found.counts)
    assert form.sprt.verdict(form.sprt.ratio(counts)) == found.accepted
    assert abs(found.ratio) > 2.94


def test_a_sequential_test_ends_with_its_pairs() -> None:
    tournament = play(Tournament(configured(2, SprtMatch(elo0=0.0, elo1=1.0, pairs=5))), at_random(3))
    assert tournament.over == "all pairs are played"
    assert len(list(tournament.course.bouts)) == 5


def test_a_ladder_stops_when_the_order_is_certain() -> None:
    tournament = play(Tournament(configured(6, Ladder(misordered=0.05))), better_wins)
    assert tournament.over is not None
    assert tournament.over.startswith("the order is certain")
    assert [line.player for line in standings(tournament.course)] == list(range(6))


# ---------------------------------------------------------------- openings and colours


def test_the_games_of_a_pair_have_one_opening_and_colours_change() -> None:
    openings = tuple(Opening(None, (square,)) for square in ("a1", "b2", "c3", "a2"))
    tournament = Tournament(configured(4, RoundRobin(), games=4, openings=openings))
    tournament.advance()
    due = tournament.due()[:4]
    assert [game.seats for game in due] == [(0, 3), (3, 0), (0, 3), (3, 0)]
    assert due[0].opening == due[1].opening != due[2].opening == due[3].opening
    played = play(tournament, better_wins)
    assert Tournament(played.config).events == []


def test_openings_that_are_drawn_are_the_pairs_own() -> None:
    tournament = Tournament(configured(4, RoundRobin(), games=2, seed=7))
    tournament.advance()
    one, two, three, four = (due.opening_seed for due in tournament.due())
    assert one == two != three == four
    other = Tournament(configured(4, RoundRobin(), games=2, seed=8))
    other.advance()
    assert other.due()[0].opening_seed != one


# ---------------------------------------------------------------- what cannot happen


@pytest.mark.parametrize(
    "event",
    [
        Played(Slot(1, 3, 1), "1-0", 1),
        Played(Slot(2, 1, 1), "1-0", 1),
        Played(Slot(0, 1, 1), "1-0", 1),
        Played(Slot(1, 1, 3), "1-0", 1),
        Played(Slot(1, 1, 0), "1-0", 1),
        Played(Slot(1, 1, 1), "*", 1),
        Played(Slot(1, 1, 1), "2-0", 1),
        Unplayed(Slot(1, 9, 1), (0.0, 0.0)),
        Paired((Pairing(0, 1),)),
        Withdrew(4),
        Withdrew(-1),
        Finished("why not"),
    ],
)
def test_impossible_events_are_refused_and_change_nothing(event: Event) -> None:
    tournament = Tournament(configured(4, RoundRobin(), games=2))
    tournament.advance()
    before = list(tournament.events), slots(tournament)
    with pytest.raises(TournamentError):
        tournament.apply(event)
    assert (tournament.events, slots(tournament)) == before


@pytest.mark.parametrize("pairings", [(), (Pairing(0, 4),), (Pairing(1, 1),), (Pairing(-1, 1),)])
def test_a_round_that_cannot_be_is_refused(pairings: tuple[Pairing, ...]) -> None:
    with pytest.raises(TournamentError):
        Tournament(configured(4, RoundRobin())).apply(Paired(pairings))


def test_nothing_counts_twice_and_nothing_follows_the_end() -> None:
    tournament = Tournament(configured(2, RoundRobin(), games=1))
    tournament.advance()
    tournament.record(Slot(1, 1, 1), "1-0", 5)
    with pytest.raises(TournamentError, match="already"):
        tournament.record(Slot(1, 1, 1), "1-0", 5)
    tournament.advance()
    with pytest.raises(TournamentError, match="over"):
        tournament.withdraw(0, "late")


def test_a_game_that_is_running_is_waited_for_when_its_player_withdraws() -> None:
    tournament = Tournament(configured(4, RoundRobin(), games=2))
    tournament.advance()
    tournament.withdraw(3, "gone")
    caused = tournament.advance(running=[Slot(1, 1, 1)])
    assert [event.slot for event in caused if isinstance(event, Unplayed)] == [(1, 1, 2)]
    tournament.record(Slot(1, 1, 1), "0-1", 9)
    assert tournament.course.points() == [1.0, 0, 0, 1.0]


@pytest.mark.parametrize(("played", "counts"), [(2, False), (3, True)])
def test_games_of_a_player_that_withdrew_after_half_of_them_count(played: int, counts: bool) -> None:
    # anna would beat all; everybody has three rounds of two games
    config = configured(4, RoundRobin(), games=2)
    tournament = Tournament(config)
    tournament.advance()
    while sum(game.match is not None for bout in tournament.course.bouts for game in bout.games.values()) < 2 * played:
        first = next(due for due in tournament.due() if 0 in due.seats)
        beside = [due for due in tournament.due() if 0 not in due.seats]
        for due in [first, *beside[:1]]:
            tournament.record(due.slot, "1-0" if min(due.seats) == due.seats[0] else "0-1", len(tournament.events))
        tournament.advance()
    tournament.withdraw(0, "lost power")
    tournament.advance()
    play(tournament, better_wins)
    lines = {line.player: line for line in standings(tournament.course)}
    assert lines[0].annulled is not counts
    if counts:
        # of the three games of anna's, she won all; the others went to opponents that she did not play
        assert lines[0].points == 3
        assert sum(line.points for line in lines.values()) == 12
    else:
        assert [(line.player, line.points, line.games) for line in standings(tournament.course)] == [
            (1, 4.0, 4),
            (2, 2.0, 4),
            (3, 0.0, 4),
            (0, 0.0, 0),
        ]
        assert [line.rank for line in standings(tournament.course)] == [1, 2, 3, 4]
        assert lines[1].tiebreaks[1] == 2 * 1.0, "Sonneborn-Berger of the games that count alone"
    assert crosstable(tournament.course)[0] != [()] * 4, "the crosstable tells all games"


def test_a_game_that_is_struck_gives_nobody_points() -> None:
    tournament = Tournament(configured(2, RoundRobin(), games=1))
    tournament.advance()
    tournament.strike(Slot(1, 1, 1), "it was void three times")
    tournament.advance()
    assert tournament.course.points() == [0, 0]
    assert [line.rank for line in standings(tournament.course)] == [1, 1]


def test_slots_are_written_as_rounds_of_pgn() -> None:
    assert str(Slot(3, 1, 2)) == "3.1.2"
    assert Slot.parse("3.1.2") == Slot(3, 1, 2)
    for text in ("", "3.1", "3.1.2.1", "a.b.c", "3.-1.2"):
        with pytest.raises(ValueError, match="not the number of a game"):
            Slot.parse(text)
    assert set(SCORES) == {"1-0", "0-1", "1/2-1/2"}


def test_games_against_oneself_count_once_and_not_in_the_tie_breaks() -> None:
    form = RoundRobin(own_play=True)
    config = Config(name="Cup", game="dilemma", format=form, entries=tuple(map(Entry, "abc")), games=1)
    check(config)
    tournament = Tournament(config)
    while tournament.over is None:
        tournament.advance()
        for due in tournament.due():
            own = due.seats[0] == due.seats[1]
            tournament.record(due.slot, "0-1" if own else "1-0", 1, points=(10.0, 40.0) if own else (30.0, 20.0))
    again = Tournament.replay(config, tournament.events)
    assert [[bout.players for bout in bouts] for bouts in again.course.rounds][-1] == [(0, 0), (1, 1), (2, 2)]
    assert form.rounds_planned(3) == len(again.course.rounds) == 4
    assert form.games_planned(again.course) == 6
    # each wins once, loses once, and loses against itself as the first side
    for line in standings(again.course):
        assert (line.games, line.wins, line.losses, line.points) == (3, 1, 2, 1.0)
        assert line.payoffs.mean == pytest.approx((30 + 20 + 10) / 3)
        # the points of the one that it beat
        assert line.tiebreaks[1] == 1.0
    assert RoundRobin().settled(True).meets_itself
    assert not RoundRobin(own_play=False).settled(True).meets_itself
    assert not RoundRobin().meets_itself
    assert Swiss(rounds=1).settled(True) == Swiss(rounds=1)
