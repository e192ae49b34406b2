# SPDX-License-Identifier: GPL-3.0-or-later
"""The referee: all endings, clocks, draw offers, invalid actions, and replay from events."""

from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from engine.game import step
from engine.kernel import compiled
from engine.match.ending import FORFEITS, Ending, Termination
from engine.match.events import DrawDeclined, DrawOffered, Ended, Event, Info, Moved, decode_event, encode_event
from engine.match.machine import Match, MatchError, MatchOver, NoOffer, OutOfTurn
from engine.rules import Draws
from engine.time_control import TimeControl
from tests.engine.pebbles import GAME, TEXTS, Pebbles

BLITZ = TimeControl(1000, 100)


def snapshot(match: Match) -> dict[str, Any]:
    """Everything that can be read of a match."""
    names = (
        "start",
        "opening",
        "position",
        "ply",
        "to_move",
        "clocks",
        "draw_offer",
        "ending",
        "events",
        "moves",
        "legal",
    )
    return {name: getattr(match, name) for name in names}


def played(*texts: str, **options: Any) -> Match:
    """A match after these moves, made in turn."""
    match = Match(GAME, **options)
    for text in texts:
        assert match.to_move is not None
        match.play(match.to_move, text)
    return match


def test_a_finished_game_is_won_by_the_rules() -> None:
    match = played("take 2", "take 2", "take 2")
    assert match.play(1, "take 2") == [Moved(4, 1, "take 2"), Ended(Ending("0-1", Termination.DECIDED))]
    assert match.to_move is None
    assert match.legal == []
    assert played(*["take 1"] * 3, start="3 0").ending == Ending("1-0", Termination.DECIDED)


def test_a_game_may_be_drawn_by_its_own_rules() -> None:
    assert played("take 2", start="1 0").ending == Ending("1/2-1/2", Termination.DECIDED)


def test_the_third_occurrence_with_the_same_seat_to_move_is_a_draw() -> None:
    match = played("pass", "pass", "pass")
    assert match.ending is None
    assert match.play(1, "pass")[-1] == Ended(Ending("1/2-1/2", Termination.REPETITION))


def test_positions_before_an_irreversible_move_do_not_count() -> None:
    assert played("pass", "pass", "pass", "take 1", "pass", "pass", "pass").ending is None


def test_the_opening_counts_for_draws_and_plies() -> None:
    match = played("pass", opening=["pass", "pass"])
    assert match.ply == 3
    assert match.play(1, "pass")[-1] == Ended(Ending("1/2-1/2", Termination.REPETITION))


def test_quiet_plies_are_counted_from_the_last_irreversible_move() -> None:
    draws = Draws(no_progress_plies=4)
    match = played("pass", "pass", "pass", "take 1", "pass", "pass", "pass", draws=draws)
    assert match.ending is None
    match.play(1, "pass")
    assert match.ending == Ending("1/2-1/2", Termination.NO_PROGRESS)


def test_the_ply_limit_ends_a_match() -> None:
    assert played("pass", "take 1", "pass", draws=Draws(plies=3)).ending == Ending("1/2-1/2", Termination.PLY_LIMIT)


def test_a_decision_precedes_every_draw() -> None:
    match = played("pass", "take 1", start="1 0", draws=Draws(plies=2))
    assert match.ending == Ending("0-1", Termination.DECIDED)


def test_an_illegal_move_loses_with_its_reason() -> None:
    match = Match(GAME)
    (ended,) = match.play(0, "take 9")
    assert ended == Ended(Ending("0-1", Termination.ILLEGAL_MOVE, "'take 9' is not a legal move here"))
    assert match.moves == []


def test_another_spelling_is_recorded_in_the_games_notation() -> None:
    assert played(" TAKE 1").moves == [Moved(1, 0, "take 1")]
    assert Match(GAME, opening=["Pass"]).opening == ("pass",)


def test_clocks_lose_the_elapsed_time_and_gain_the_increment() -> None:
    match = Match(GAME, time_control=BLITZ)
    assert match.clocks == (1000, 1000)
    assert match.play(0, "pass", 300) == [Moved(1, 0, "pass", 300, 800)]
    assert match.play(1, "pass", 1000) == [Moved(2, 1, "pass", 1000, 100)]
    assert match.clocks == (800, 100)


def test_free_time_is_recorded_but_not_charged() -> None:
    match = Match(GAME, time_control=BLITZ)
    assert match.play(0, "pass", 300, free=100) == [Moved(1, 0, "pass", 300, 900)]
    assert match.play(1, "pass", 40, free=100) == [Moved(2, 1, "pass", 40, 1100)]


def test_a_clock_without_a_base_starts_with_one_increment() -> None:
    assert Match(GAME, time_control=TimeControl(0, 500)).clocks == (500, 500)


@pytest.mark.parametrize("move", ["take 1", "nonsense"])
def test_time_runs_out_before_a_move_is_read(move: str) -> None:
    match = Match(GAME, time_control=BLITZ, start="1 0")
    assert match.play(0, move, 1001) == [Ended(Ending("0-1", Termination.TIME))]
    assert match.clocks == (0, 1000)


def test_only_the_flag_of_the_seat_to_move_falls() -> None:
    match = Match(GAME, time_control=BLITZ)
    with pytest.raises(OutOfTurn):
        match.flag(1)
    match.play(0, "pass", 10)
    assert match.flag(1) == [Ended(Ending("1-0", Termination.TIME))]
    assert match.clocks == (1090, 0)


def test_no_flag_falls_without_a_clock() -> None:
    with pytest.raises(MatchError, match="no clock"):
        Match(GAME).flag(0)
    assert Match(GAME).play(0, "pass", 10**9) == [Moved(1, 0, "pass", 10**9)]


@pytest.mark.parametrize(("seat", "result"), [(0, "0-1"), (1, "1-0")])
def test_either_seat_may_resign_at_any_time(seat: int, result: str) -> None:
    match = Match(GAME)
    assert match.resign(seat) == [Ended(Ending(result, Termination.RESIGNATION))]


@pytest.mark.parametrize("termination", Termination)
def test_only_terminations_by_forfeit_can_be_forfeits(termination: Termination) -> None:
    match = Match(GAME)
    if termination in FORFEITS:
        assert match.forfeit(1, termination, "why") == [Ended(Ending("1-0", termination, "why"))]
    else:
        with pytest.raises(ValueError, match="reason to forfeit"):
            match.forfeit(1, termination)
        assert match.ending is None


def test_a_void_match_has_no_scores() -> None:
    match = Match(GAME)
    assert match.void("the arena stopped") == [Ended(Ending("*", Termination.VOID, "the arena stopped"))]
    assert match.ending is not None
    assert match.ending.scores is None
    assert match.ending.winner is None


def test_scores_by_seat() -> None:
    assert Ending("1-0", Termination.TIME).scores == (1.0, 0.0)
    assert Ending("0-1", Termination.TIME).scores == (0.0, 1.0)
    assert Ending("1/2-1/2", Termination.AGREEMENT).scores == (0.5, 0.5)
    assert Ending("0-1", Termination.TIME).winner == 1


@pytest.mark.parametrize(("result", "termination"), [("2-0", "decided"), ("*", "decided"), ("1-0", "void")])
def test_an_impossible_ending_is_refused(result: str, termination: str) -> None:
    with pytest.raises(ValueError, match="result"):
        Ending(result, Termination(termination))


def test_every_termination_has_a_value_of_pgn() -> None:
    standard = {"normal", "adjudication", "abandoned", "time forfeit", "rules infraction", "unterminated"}
    assert {termination.pgn for termination in Termination} == standard


# ---------------------------------------------------------------- offers of a draw


def test_an_accepted_offer_ends_in_agreement() -> None:
    match = Match(GAME)
    assert match.offer_draw(0) == [DrawOffered(0)]
    assert match.draw_offer == 0
    assert match.accept_draw(1) == [Ended(Ending("1/2-1/2", Termination.AGREEMENT))]
    assert match.draw_offer is None


def test_an_offer_lasts_until_the_opponent_moves() -> None:
    match = Match(GAME)
    match.offer_draw(0)
    match.play(0, "pass")
    assert match.draw_offer == 0
    match.play(1, "take 1")
    with pytest.raises(NoOffer):
        match.accept_draw(1)


def test_a_declined_offer_may_be_made_again_after_a_move() -> None:
    match = Match(GAME)
    match.offer_draw(0)
    assert match.decline_draw(1) == [DrawDeclined(1)]
    assert match.offer_draw(0) == []
    match.play(0, "pass")
    assert match.offer_draw(0) == [DrawOffered(0)]


def test_offers_from_both_sides_agree() -> None:
    match = Match(GAME)
    match.offer_draw(1)
    assert match.offer_draw(0) == [Ended(Ending("1/2-1/2", Termination.AGREEMENT))]


def test_a_player_cannot_answer_its_own_offer() -> None:
    match = Match(GAME)
    match.offer_draw(0)
    for answer in (match.accept_draw, match.decline_draw):
        with pytest.raises(NoOffer):
            answer(0)


# ---------------------------------------------------------------- what may not be done


def test_a_move_out_of_turn_changes_nothing() -> None:
    match = Match(GAME, time_control=BLITZ)
    before = snapshot(match)
    with pytest.raises(OutOfTurn):
        match.play(1, "pass", 5)
    with pytest.raises(ValueError, match="-1 ms"):
        match.play(0, "pass", -1)
    for seat in (-1, 2):
        with pytest.raises(ValueError, match="no seat"):
            match.play(seat, "pass")
    assert snapshot(match) == before


@pytest.mark.parametrize(
    "late",
    [
        lambda match: match.play(0, "pass"),
        lambda match: match.flag(0),
        lambda match: match.resign(0),
        lambda match: match.offer_draw(0),
        lambda match: match.accept_draw(0),
        lambda match: match.decline_draw(0),
        lambda match: match.forfeit(0, Termination.CRASH),
        lambda match: match.void(),
        lambda match: match.apply(Moved(1, 0, "pass")),
        lambda match: match.apply(Ended(Ending("1-0", Termination.TIME))),
    ],
)
def test_no_event_follows_the_end(late: Callable[[Match], object]) -> None:
    match = Match(GAME)
    match.resign(1)
    before = snapshot(match)
    with pytest.raises(MatchOver):
        late(match)
    assert snapshot(match) == before


@pytest.mark.parametrize(
    "options",
    [{"start": "none"}, {"opening": ["take 9"]}, {"opening": ["take 2"] * 4}, {"opening": ["pass"] * 4}],
)
def test_a_match_cannot_begin_with_a_finished_game(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"heap|legal|over"):
        Match(GAME, **options)


# ---------------------------------------------------------------- a match is its events


def test_impossible_events_are_refused() -> None:
    for event in (
        Moved(2, 0, "pass"),
        Moved(1, 1, "pass"),
        Moved(1, 0, "take 9"),
        Moved(1, 0, "pass", 0, 100),
        DrawDeclined(1),
        DrawOffered(2),
    ):
        match = Match(GAME)
        before = snapshot(match)
        with pytest.raises(ValueError, match=r"ply|turn|legal|clock|offer|seat"):
            match.apply(event)
        assert snapshot(match) == before
    with pytest.raises(MatchOver):
        Match.replay(GAME, events=[Moved(1, 0, "take 1"), Moved(2, 1, "pass")], start="1 0")


def test_a_record_cut_off_at_the_deciding_move_is_completed() -> None:
    whole = played("take 1", "take 1", start="2 0")
    assert isinstance(whole.events[-1], Ended)
    assert snapshot(Match.replay(GAME, events=whole.events[:-1], start="2 0")) == snapshot(whole)


@given(st.binary(max_size=40) | st.text(max_size=40))
def test_invalid_events_are_refused(text: bytes | str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  # msgspec words it
        decode_event(text)


def test_events_are_written_as_plain_objects() -> None:
    info = Info(score=0.5, depth=7, nodes=12, pv=("pass", "take 1"))
    assert msgspec.json.decode(encode_event(Moved(1, 0, "pass", 5, 95, info=info))) == {
        "type": "moved",
        "ply": 1,
        "seat": 0,
        "move": "pass",
        "elapsed": 5,
        "clock": 95,
        "info": {"score": 0.5, "depth": 7, "nodes": 12, "pv": ["pass", "take 1"]},
    }
    assert msgspec.json.decode(encode_event(Ended(Ending("1-0", Termination.NO_PROGRESS)))) == {
        "type": "ended",
        "ending": {"result": "1-0", "termination": "no-progress rule"},
    }


infos = st.none() | st.builds(
    Info,
    score=st.none() | st.floats(-1e12, 1e12),
    depth=st.none() | st.integers(0, 100),
    nodes=st.none() | st.integers(0, 2**53),
    pv=st.lists(st.sampled_from(TEXTS), max_size=4).map(tuple),
)


class AnyMatch(RuleBasedStateMachine):
    """Two seats that do what they like."""

    def __init__(self) -> None:
        super().__init__()
        self.match = Match(GAME, time_control=BLITZ, opening=["pass"], draws=Draws(3, 5, 14), start="9 1")
        self.caused: list[Event] = []

    @property
    def open(self) -> bool:
        return self.match.ending is None

    def turn(self) -> int:
        assert self.match.to_move is not None
        return self.match.to_move

    @precondition(lambda self: self.open)
    @rule(text=st.sampled_from(TEXTS), elapsed=st.integers(0, 400), info=infos)
    def play(self, text: str, elapsed: int, info: Info | None) -> None:
        assert text in self.match.legal
        self.caused += self.match.play(self.turn(), text, elapsed, info)

    @precondition(lambda self: self.open)
    @rule(text=st.text(max_size=6))
    def misplay(self, text: str) -> None:
        if self.match.ply > 3 and text.strip().lower() not in TEXTS:
            self.caused += self.match.play(self.turn(), text)

    @rule(text=st.sampled_from(TEXTS))
    def play_out_of_turn(self, text: str) -> None:
        with pytest.raises(MatchError):
            self.match.play(1 - self.match.position.to_move, text)

    @precondition(lambda self: self.open)
    @rule()
    def offer(self) -> None:
        self.caused += self.match.offer_draw(1 - self.turn())

    @precondition(lambda self: self.open and self.match.draw_offer is not None)
    @rule(accept=st.booleans())
    def answer(self, accept: bool) -> None:
        assert self.match.draw_offer is not None
        answer = self.match.accept_draw if accept else self.match.decline_draw
        self.caused += answer(1 - self.match.draw_offer)

    @precondition(lambda self: self.open and self.match.ply > 4)
    @rule(
        how=st.sampled_from(["flag", "resign", "void", *sorted(FORFEITS)]),
        seat=st.integers(0, 1),
        detail=st.text(max_size=5),
    )
    def finish(self, how: str, seat: int, detail: str) -> None:
        match how:
            case "flag":
                self.caused += self.match.flag(self.turn())
            case "resign":
                self.caused += self.match.resign(seat)
            case "void":
                self.caused += self.match.void(detail)
            case _:
                self.caused += self.match.forfeit(seat, Termination(how), detail)

    @invariant()
    def what_was_returned_was_recorded(self) -> None:
        assert self.caused == self.match.events
        assert self.match.moves == [event for event in self.caused if isinstance(event, Moved)]
        assert self.match.ply == 1 + len(self.match.moves)

    @invariant()
    def clocks_are_what_the_moves_left(self) -> None:
        left = [BLITZ.base, BLITZ.base]
        for moved in self.match.moves:
            left[moved.seat] += BLITZ.increment - moved.elapsed
        if self.match.ending and self.match.ending.termination is Termination.TIME:
            assert self.match.ending.winner is not None
            left[1 - self.match.ending.winner] = 0
        assert self.match.clocks == tuple(left)
        assert min(left) >= 0

    @invariant()
    def the_events_replay_to_the_same_match(self) -> None:
        read = [decode_event(encode_event(event)) for event in self.match.events]
        match = Match.replay(
            GAME, events=read, time_control=BLITZ, opening=["pass"], draws=Draws(3, 5, 14), start=self.match.start
        )
        assert snapshot(match) == snapshot(self.match)

    @invariant()
    def the_end_is_the_end(self) -> None:
        ends = [event.ending for event in self.match.events if isinstance(event, Ended)]
        assert ends == ([self.match.ending] if self.match.ending else [])
        assert (self.match.to_move is None) == (self.match.ending is not None)


TestAnyMatch = AnyMatch.TestCase
TestAnyMatch.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)


# ---------------------------------------------------------------- a compiled loop and plain Python agree


@compiled
def _walk(state, moves):  # type: ignore[no-untyped-def]  # numba infers the types
    for move in moves:
        state = step(state, move)
    return state


@given(st.lists(st.integers(0, 2), max_size=40), st.integers(1, 3), st.integers(1, 12))
def test_the_referee_agrees_with_a_slow_one_and_a_compiled_walk(
    choices: list[int], repetition: int, quiet: int
) -> None:
    draws = Draws(repetition + 1, quiet, 30)
    match = Match(GAME, start="20 0", draws=draws)
    left, history, ending = 20, [(20, 0)], None
    for number, taken in enumerate(choices, 1):
        if ending:
            break
        match.play((number - 1) % 2, TEXTS[taken])
        left -= taken
        history.append((left, number % 2))
        takes = [ply for ply, move in enumerate(choices[:number], 1) if move]
        if left == 0:
            ending = Ending("1-0" if number % 2 else "0-1", Termination.DECIDED)
        elif left < 0:
            ending = Ending("1/2-1/2", Termination.DECIDED)
        elif history.count(history[-1]) > repetition:
            ending = Ending("1/2-1/2", Termination.REPETITION)
        elif number - max(takes, default=0) >= quiet:
            ending = Ending("1/2-1/2", Termination.NO_PROGRESS)
        elif number == 30:
            ending = Ending("1/2-1/2", Termination.PLY_LIMIT)
    assert match.ending == ending
    moves = np.array([TEXTS.index(moved.move) for moved in match.moves], np.int64)
    assert Pebbles(*_walk(Pebbles(20, 0), moves)) == match.position.state
