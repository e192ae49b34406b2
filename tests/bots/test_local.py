# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches in this process: messages to bots, and the handling of their answers."""

import asyncio
from collections.abc import Callable

import pytest

from bots.bot import Answer, Bot, Match, Over, Reply, Resign, Turn
from bots.local import Entrant, play
from engine.match import machine as referee
from engine.match.ending import Ending, Termination
from engine.match.events import DrawOffered, Info
from engine.time_control import TimeControl
from tests.engine.pebbles import GAME


class Scripted(Bot):
    """Answers from a list, then passes; notes its messages."""

    version = "7"

    def __init__(self, *answers: Answer, accepts: bool = False) -> None:
        self.answers = list(answers)
        self.accepts = accepts
        self.told: list[object] = []

    def match_started(self, match: Match) -> None:
        self.told.append(match)

    def move(self, turn: Turn) -> Answer:
        self.told.append(turn)
        return self.answers.pop(0) if self.answers else "pass"

    def draw_offered(self, match: int) -> bool:
        self.told.append(match)
        return self.accepts

    def match_over(self, over: Over) -> None:
        self.told.append(over)


def entrants(*makers: Callable[[], Bot]) -> tuple[Entrant, Entrant]:
    first, second = (Entrant(name, make) for name, make in zip(("first", "second"), makers, strict=True))
    return first, second


def played(first: Bot, second: Bot, **options: object) -> referee.Match:
    return asyncio.run(play(GAME, entrants(lambda: first, lambda: second), **options))  # type: ignore[arg-type]  # options of several types


def test_bots_get_the_messages_of_an_arena() -> None:
    first, second = Scripted("take 2", "take 2"), Scripted("TAKE 2", "take 1", "take 1")
    match = played(first, second, number=5, opening=["take 1"], time_control=TimeControl(60_000, 500))
    # seat 1 moves first after an opening of one ply
    assert [moved.move for moved in match.moves] == ["take 2", "take 2", "take 1", "take 2"]
    started, turn, last, over = second.told
    assert isinstance(started, Match)
    assert (started.match, started.seat, started.opening, started.position) == (5, 1, ["take 1"], "7 1")
    assert [player.name for player in started.players] == ["first", "second"]
    assert started.players[0].version == "7"
    assert started.time_control == "60+0.5"
    assert isinstance(turn, Turn)
    assert (turn.ply, turn.seat, turn.position, turn.last_move) == (1, 1, "7 1", "take 1")
    assert turn.legal_moves == ["pass", "take 1", "take 2"]
    assert (turn.clocks, turn.increment, turn.moves_to_go) == ((60_000, 60_000), 500, None)
    assert isinstance(last, Turn)
    assert (last.ply, last.position, last.last_move) == (3, "3 1", "take 2")
    assert over == Over(5, "1-0", 0.0, "decided")
    assert isinstance(first.told[-1], Over)
    assert first.told[-1].score == 1.0


class Counting(Scripted):
    """Reports a number of instructions with each move, and offers a draw."""

    def move(self, turn: Turn) -> Answer:
        self.told.append(turn)
        return Reply("take 2", offer_draw=True, instructions=(turn.instructions or 0) - self.spare)

    spare = 1


def test_matches_by_instructions_have_limits_in_the_place_of_clocks() -> None:
    first, second = Counting(), Counting()
    match = played(first, second, time_control=TimeControl.by_instructions(500))
    assert {moved.instructions for moved in match.moves} == {499}
    assert match.ending == Ending("1-0" if len(match.moves) % 2 else "0-1", Termination.DECIDED)
    turn = first.told[1]
    assert isinstance(turn, Turn)
    assert (turn.clocks, turn.instructions, turn.draw_offered) == (None, 500, False)
    # no bot is asked about a draw
    assert not any(isinstance(told, int) for told in second.told)
    second.spare = -1
    over = played(Counting(), second, time_control=TimeControl.by_instructions(500)).ending
    assert over is not None
    assert (over.result, over.termination) == ("1-0", Termination.BAD_MESSAGE)


class Stuck(Bot):
    """Never answers."""

    async def move(self, turn: Turn) -> Answer:
        await asyncio.Event().wait()
        return "pass"


def test_a_bot_that_is_stuck_without_a_clock_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TimeControl, "guard", 0.01)
    match = played(Stuck(), Scripted(), time_control=TimeControl.by_instructions(500))
    assert match.ending == Ending("*", Termination.VOID, "first gave no answer within 0.01 s")


def test_search_info_is_recorded() -> None:
    match = played(Scripted(Reply("take 1", score=0.5, depth=3, nodes=9, pv=["take 1", "pass"])), Scripted())
    assert match.moves[0].info == Info(score=0.5, depth=3, nodes=9, pv=("take 1", "pass"))


class Failing(Scripted):
    def __init__(self, where: str) -> None:
        super().__init__()
        self.where = where
        if where == "made":
            raise RuntimeError("oh")

    def match_started(self, match: Match) -> None:
        if self.where == "started":
            raise RuntimeError("oh")

    def move(self, turn: Turn) -> Answer:
        if self.where == "move":
            raise RuntimeError("oh")
        return super().move(turn)

    def match_over(self, over: Over) -> None:
        if self.where == "over":
            raise RuntimeError("oh")


@pytest.mark.parametrize("where", ["made", "started", "move"])
def test_a_bot_that_fails_loses_by_a_crash(where: str) -> None:
    match = asyncio.run(play(GAME, entrants(Scripted, lambda: Failing(where))))
    assert match.ending == Ending("1-0", Termination.CRASH, "RuntimeError: oh")


def test_a_failure_after_the_end_changes_nothing(caplog: pytest.LogCaptureFixture) -> None:
    assert played(Failing("over"), Scripted(Resign())).ending == Ending("1-0", Termination.RESIGNATION)
    assert "first failed" in caplog.text


@pytest.mark.parametrize(
    ("answer", "termination", "detail"),
    [
        ("take 5", Termination.ILLEGAL_MOVE, "'take 5' is not a legal move here"),
        ("\ud800", Termination.ILLEGAL_MOVE, "'\\ud800' is not a legal move here"),
        (Resign(), Termination.RESIGNATION, ""),
        (None, Termination.BAD_MESSAGE, "move() returned None"),
        (Reply(3), Termination.BAD_MESSAGE, "move() returned Reply(move=3,"),  # type: ignore[arg-type]  # a bot's mistake
        (Reply("pass", depth="deep"), Termination.BAD_MESSAGE, "what move() tells"),  # type: ignore[arg-type]  # likewise
        (Reply("pass", pv=[1]), Termination.BAD_MESSAGE, "what move() tells"),  # type: ignore[list-item]  # likewise
    ],
)
def test_a_bad_answer_loses_with_its_reason(answer: Answer, termination: Termination, detail: str) -> None:
    ending = played(Scripted(), Scripted(answer)).ending
    assert ending is not None
    assert (ending.result, ending.termination) == ("1-0", termination)
    assert ending.detail.startswith(detail)


@pytest.mark.parametrize("accepts", [True, False])
def test_an_offer_of_a_draw_is_put_to_the_other_bot_once(accepts: bool) -> None:
    other = Scripted(accepts=accepts)
    match = played(Scripted(Reply("take 1", offer_draw=True)), other, number=9)
    assert other.told.count(9) == 1
    assert match.ending is not None
    assert (match.ending.termination is Termination.AGREEMENT) == accepts
    assert match.events[1] == DrawOffered(0)


def test_a_bot_may_be_asynchronous() -> None:
    class Asynchronous(Bot):
        async def match_started(self, match: Match) -> None:
            await asyncio.sleep(0)

        async def move(self, turn: Turn) -> str:
            await asyncio.sleep(0)
            return "take 2"

    match = asyncio.run(play(GAME, entrants(Asynchronous, Asynchronous)))
    assert match.ending == Ending("0-1", Termination.DECIDED)


def test_a_bot_that_overruns_its_clock_loses_on_time() -> None:
    class Slow(Bot):
        async def move(self, turn: Turn) -> str:
            await asyncio.sleep(0.05)
            return "take 1"

    match = asyncio.run(play(GAME, entrants(Scripted, Slow), time_control=TimeControl.parse("600+0 v 0.02+0")))
    assert match.ending == Ending("1-0", Termination.TIME)
    assert match.clocks is not None
    assert match.clocks[1] == 0


def test_a_bot_that_never_answers_loses_on_time_where_it_lets_others_work() -> None:
    closed = []

    class Lost(Bot):
        async def move(self, turn: Turn) -> str:
            await asyncio.sleep(60)
            return "take 1"

        async def close(self) -> None:
            closed.append(self)

    match = asyncio.run(play(GAME, entrants(Lost, Scripted), time_control=TimeControl(50)))
    assert match.ending == Ending("0-1", Termination.TIME)
    assert len(closed) == 1


def test_a_timeout_of_the_bots_own_is_a_crash() -> None:
    class Impatient(Bot):
        async def move(self, turn: Turn) -> str:
            raise TimeoutError("too long for me")

    match = asyncio.run(play(GAME, entrants(Impatient, Scripted), time_control=TimeControl(600_000)))
    assert match.ending == Ending("0-1", Termination.CRASH, "TimeoutError: too long for me")


@pytest.mark.parametrize("where", ["made", "started", "move", "over"])
def test_both_bots_are_closed_after_a_failure(where: str) -> None:
    closed: list[Bot] = []

    class Closing(Failing):
        def close(self) -> None:
            closed.append(self)

    asyncio.run(play(GAME, entrants(lambda: Closing(""), lambda: Closing(where))))
    assert len(closed) == (1 if where == "made" else 2)
