# SPDX-License-Identifier: GPL-3.0-or-later
"""Problems put to bots: what counts as solved, and what a bot that fails does to the others."""

import asyncio
from typing import ClassVar

import pytest

from bots.bot import Bot, Match, Reply, Resign, Turn
from bots.local import Entrant
from bots.problems import Attempt, put
from engine.formats import epd
from engine.games import find
from engine.match.events import Info

CHESS = find("chess")
SUITE = """
6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; id "back rank";
r3k3/8/8/8/8/8/5PPP/6K1 b - - bm Ra1#; id "the same for black";
7k/8/6K1/5Q2/8/8/8/8 w - - am Qf7; id "no stalemate";
7k/8/8/8/8/8/7p/7K b - - am Kg7; bm Kh7 Kg7; id "both";
"""


def asked(make: type[Bot]) -> list[Attempt]:
    """What a bot makes of the suite."""

    async def ask() -> list[Attempt]:
        problems = epd.read(SUITE.splitlines())
        return [attempt async for attempt in put(CHESS, problems, Entrant("tried", make))]

    return asyncio.run(ask())


class Plays(Bot):
    """Plays given moves, one for each problem."""

    moves = ("a1a8", "a8a1", "f5f7", "h8h7")
    asked: ClassVar[list[Turn]] = []
    began: ClassVar[list[Match]] = []

    def match_started(self, match: Match) -> None:
        self.began.append(match)

    def move(self, turn: Turn) -> Reply | str | Resign:
        self.asked.append(turn)
        return Reply(self.moves[turn.match - 1], score=1.5, depth=3)


def test_a_problem_is_solved_by_a_best_move_that_is_not_to_be_avoided() -> None:
    attempts = asked(Plays)
    assert [attempt.solved for attempt in attempts] == [True, True, False, True]
    assert [attempt.move for attempt in attempts] == list(Plays.moves)
    assert [attempt.problem.name for attempt in attempts] == ["back rank", "the same for black", "no stalemate", "both"]
    assert all(attempt.info and (attempt.info.score, attempt.info.depth) == (1.5, 3) for attempt in attempts)
    assert [turn.seat for turn in Plays.asked] == [0, 1, 0, 1]
    assert all(turn.clocks is None for turn in Plays.asked)
    assert [match.position for match in Plays.began] == [attempt.problem.position for attempt in attempts]


BACK_RANK, CORNERED = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "7k/8/6K1/8/8/8/8/R7 b - - 0 1"


@pytest.mark.parametrize(
    ("position", "mate", "line", "solved"),
    [
        (BACK_RANK, 1, "a1a8", True),
        (BACK_RANK, 2, "a1a8", True),
        (BACK_RANK, 1, "a1a7", False),
        (BACK_RANK, 1, "a1a7 g8h8 a7a8", False),
        (BACK_RANK, 2, "a1a7 g8h8 a7a8", True),
        (BACK_RANK, 2, "a1a7 g8h8 a7a8 h8g8", False),
        (BACK_RANK, 1, "a1b8", False),
        (BACK_RANK, -1, "a1a8", False),
        (CORNERED, -1, "h8g8 a1a8", True),
        (CORNERED, -2, "h8g8 a1a8", False),
        (CORNERED, -1, "h8g8", False),
        (CORNERED, 1, "h8g8 a1a8", False),
    ],
)
def test_a_mate_is_found_by_a_line_that_leads_to_it_in_time(position: str, mate: int, line: str, solved: bool) -> None:
    moves = tuple(line.split())
    problem = epd.Problem(position, mate=mate)
    assert Attempt(problem, moves[0], Info(pv=moves)).solved is solved
    assert not Attempt(problem, moves[0], None).solved
    assert not Attempt(problem, "g8f8", Info(pv=moves)).solved


class Waits(Plays):
    """Avoids the moves to avoid."""

    moves = ("a1a2", "a8a2", "f5e4", "h8g7")


def test_other_moves_solve_only_problems_with_moves_to_avoid() -> None:
    assert [attempt.solved for attempt in asked(Waits)] == [False, False, True, False]


class Fails(Bot):
    """Does each thing wrong that a bot can."""

    def move(self, turn: Turn) -> str | Resign:
        if turn.match == 1:
            raise RuntimeError("no idea")
        return {2: "a1a1", 3: Resign(), 4: 7}[turn.match]  # type: ignore[return-value]  # on purpose


def test_a_forfeit_is_reported_and_costs_that_problem_only() -> None:
    attempts = asked(Fails)
    assert [attempt.solved for attempt in attempts] == [False] * 4
    assert [attempt.failure for attempt in attempts] == [
        "crash RuntimeError: no idea",
        "illegal move 'a1a1' is not a legal move here",
        "resignation",
        "bad message move() returned 7",
    ]


def test_each_problem_is_asked_of_a_new_bot() -> None:
    made: list[Bot] = []

    class Counted(Plays):
        def __init__(self) -> None:
            made.append(self)

    asked(Counted)
    assert len(set(map(id, made))) == 4


def test_a_position_in_which_nothing_is_left_to_play_is_refused() -> None:
    async def ask() -> None:
        mated = epd.Problem("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", best=("g8h8",))
        async for _ in put(CHESS, [mated], Entrant("tried", Plays)):
            pass

    with pytest.raises(ValueError, match="over before its first move"):
        asyncio.run(ask())
