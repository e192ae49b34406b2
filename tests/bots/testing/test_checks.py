# SPDX-License-Identifier: GPL-3.0-or-later
"""The contract test finds the faults of faulty bots, and none in correct bots."""

import asyncio
import random
import sys
import threading
from collections.abc import Awaitable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bots.bot import Answer, Bot, Challenged, Reply, Resign, Turn
from bots.testing import BotFault, Positions, Recorded, TicTacToe, arena, check_bot, check_program
from engine import games

PATIENCE = 300.0
"""Seconds for each answer, on a machine that is busy with other things."""


class Good(Bot):
    name = "good"
    games: Sequence[str] | None = ("tictactoe", "nim")
    capacity = 3

    def move(self, turn: Turn) -> Answer | Awaitable[Answer]:
        assert turn.legal_moves
        return random.Random(turn.ply).choice(turn.legal_moves)


class GoodAsync(Good):
    async def move(self, turn: Turn) -> Answer:
        await asyncio.sleep(0)
        assert turn.legal_moves
        return Reply(turn.legal_moves[-1], score=0.5, offer_draw=turn.ply == 0)

    async def draw_offered(self, match: int) -> bool:
        return True


class Everywhere(Good):
    games = None


class Quitter(Good):
    def move(self, turn: Turn) -> Answer:
        return Resign()


@pytest.mark.parametrize("bot", [Good, Good(), GoodAsync, Everywhere, Quitter])
def test_good_manners_pass(bot: Bot | type[Bot]) -> None:
    check_bot(bot, seconds=PATIENCE)


class Illegal(Good):
    def move(self, turn: Turn) -> Answer:
        return "z9"


class Late:
    """Lets time run out for an answer when the bot that owes it says so, on a machine of any speed."""

    due = threading.Event()
    given_up = threading.Event()

    def __call__(self) -> None:
        """Let time run out, and answer when nobody waits any more. Called by bots."""
        self.due.set()
        self.given_up.wait(PATIENCE)

    async def wait(
        self,
        awaited: set[asyncio.Future[Any]],
        *,
        timeout: float,  # noqa: ASYNC109  # asyncio.wait has it
        return_when: str,
    ) -> object:
        """Take the place of asyncio.wait."""
        while True:
            done, left = await asyncio.wait(awaited, timeout=0.01, return_when=return_when)
            if done or self.due.is_set():
                return done, left


late = Late()


@pytest.fixture
def _late(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let time run out only for bots that are ``late``."""
    late.due.clear()
    late.given_up.clear()
    monkeypatch.setattr(arena, "asyncio", SimpleNamespace(**vars(asyncio) | {"wait": late.wait}))
    yield
    late.given_up.set()


class Slow(Good):
    def move(self, turn: Turn) -> Answer:
        late()
        return "a1"


class Forgetful(Good):
    """Keeps its own board, and does not look at what a match says of the moves before."""

    def __init__(self) -> None:
        self.plies = 0

    def move(self, turn: Turn) -> Answer:
        assert turn.legal_moves
        free = turn.legal_moves if turn.ply - self.plies in (0, 1, 2) else ["z9"]
        self.plies = turn.ply
        return free[0]


class Silent(Good):
    def draw_offered(self, match: int) -> bool:
        late()
        return True


class Unapproachable(Good):
    def challenged(self, challenge: Challenged) -> bool:
        late()
        return True


class Elsewhere(Good):
    games = ("chess",)


@pytest.mark.parametrize(
    ("bot", "fault"),
    [
        (Illegal, "whole matches: 'z9' is not legal"),
        (Slow, "whole matches: .* move at ply 0 .* within 4 s"),
        (Forgetful, "'z9' is not legal"),
        (Silent, "draw offers: .* answer a draw offer"),
        (Unapproachable, "challenges: .* answer a challenge"),
        (Elsewhere, "does not play tictactoe"),
    ],
)
@pytest.mark.usefixtures("_late")
def test_bad_manners_are_named(bot: type[Bot], fault: str) -> None:
    with pytest.raises(BotFault, match=fault):
        check_bot(bot, seconds=4.0)


def test_a_crash_is_shown_as_it_is() -> None:
    class Clumsy(Good):
        def move(self, turn: Turn) -> Answer:
            raise LookupError("no idea")

    with pytest.raises(LookupError, match="no idea"):
        check_bot(Clumsy, seconds=PATIENCE)


def test_other_games_come_as_recorded_positions() -> None:
    game = games.find("nim")
    position = game.look(game.start())
    recorded = []
    for _ in range(4):
        recorded.append(
            Recorded(game.format_position(position.state), list(game.move_texts(position)), position.to_move)
        )
        position = game.play(position, position.moves[0])
    check_bot(Good, Positions("nim", recorded), seconds=PATIENCE)


def test_its_tic_tac_toe_is_the_arenas() -> None:
    game, rules, rng = games.find("tictactoe"), TicTacToe(), random.Random(1)
    for _ in range(50):
        position, text = game.look(game.start()), rules.start(0)
        while True:
            assert text == game.format_position(position.state)
            assert rules.legal_moves(text) == list(game.move_texts(position))
            if position.over:
                break
            assert rules.to_move(text) == position.to_move
            move = rng.choice(rules.legal_moves(text))
            position, text = game.play(position, game.parse_move(position, move)), rules.play(text, move)
        assert rules.result(text) == {1.0: "1-0", 0.0: "1/2-1/2", -1.0: "0-1"}[position.payoffs[0]]


RAW = """
import json, os, websockets.sync.client
with websockets.sync.client.connect(os.environ["ARENA_URL"], compression=None) as socket:
    def say(kind, **fields): socket.send(json.dumps({"type": kind, **fields}))
    say("hello", protocol=1, token=os.environ["ARENA_TOKEN"], games=["tictactoe"])
    for frame in socket:
        told = json.loads(frame)
        match told["type"]:
            case "turn": say("move", match=told["match"], ply=told["ply"], move=told["legal_moves"][MOVE])
            case "draw-offered": say("answer-draw", match=told["match"], accept=False)
            case "challenged": say("answer-challenge", challenge=told["challenge"], accept=True)
"""


def test_a_program_of_any_language(tmp_path: Path) -> None:
    program = tmp_path / "raw.py"
    program.write_text(RAW.replace("MOVE", "0"))
    check_program([sys.executable, str(program)], comes_back=False, seconds=PATIENCE)
    with pytest.raises(BotFault, match="lost connection: the program ended"):
        check_program([sys.executable, str(program)], seconds=PATIENCE)


def test_a_program_that_sends_nonsense(tmp_path: Path) -> None:
    program = tmp_path / "raw.py"
    program.write_text(RAW.replace('say("move", ', 'say("walk", ').replace("MOVE", "0"))
    with pytest.raises(BotFault, match="bad message"):
        check_program([sys.executable, str(program)], comes_back=False, seconds=PATIENCE)
