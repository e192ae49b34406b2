# SPDX-License-Identifier: GPL-3.0-or-later
"""A new kind of built-in bot is one file: a file put among the kinds is found by name, in matches and in the arena."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.protocol.orders import HostedBot, HostOrders, HostProgress
from bots.built_in import kinds
from bots.built_in.process import BuiltInBots
from bots.catalogue import descriptions, make, names
from bots.local import Entrant, play
from bots.testing.arena import TOKEN, MiniArena
from bots.testing.rules import TicTacToe
from engine.games import find
from engine.match.ending import Termination
from tests.arena.peers import until

FILE = """
from dataclasses import dataclass
from typing import ClassVar

from bots.bot import Bot, Turn
from bots.built_in.kinds import BuiltInBot, Enters


class FirstMoveBot(Bot):
    def __init__(self, last: bool) -> None:
        self.last = last

    def move(self, turn: Turn) -> str:
        return sorted(turn.legal_moves)[-1 if self.last else 0]


@dataclass(frozen=True, slots=True)
class FirstMove(BuiltInBot):
    last: bool = False

    enters: ClassVar[Enters] = Enters.AT_ONCE

    def make(self) -> Bot:
        return FirstMoveBot(self.last)


BOTS = (
    FirstMove("first-move", "Plays the first legal move by its text."),
    FirstMove("last-move", "Plays the last legal move by its text.", last=True),
)
"""


@pytest.fixture(autouse=True)
def new_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Put the file among the kinds."""
    (tmp_path / "first_move.py").write_text(FILE)
    monkeypatch.setattr(kinds, "__path__", [*kinds.__path__, str(tmp_path)])
    kinds.by_kind.cache_clear()
    yield
    kinds.by_kind.cache_clear()


def test_it_is_listed_by_name() -> None:
    assert {"first-move", "last-move"} <= set(names())
    assert descriptions()["last-move"] == "Plays the last legal move by its text."
    assert ("first_move", kinds.catalogue()["first-move"]) in kinds.of_process("built-in")


async def test_it_plays_a_local_match() -> None:
    entrants = Entrant("one", lambda: make("first-move")), Entrant("other", lambda: make("last-move"))
    match = await play(find("tictactoe"), entrants)
    assert match.ending is not None
    assert match.ending.termination == Termination.DECIDED
    assert [played.move for played in match.moves[:4]] == ["a1", "c3", "a2", "c2"]


async def test_it_enters_an_arena_with_the_other_built_in_bots() -> None:
    async with MiniArena(TicTacToe(), seconds=600) as arena:
        told: list[HostProgress] = []
        orders = HostOrders(arena.url, [HostedBot("first_move", "last-move", TOKEN)], ["tictactoe"])
        running = asyncio.create_task(BuiltInBots(orders, told.append).run())
        await arena.welcome()
        await arena.play(await arena.begin(0))
        await until(lambda: HostProgress(ready=True) in told)
        running.cancel()
        await asyncio.wait({running})
