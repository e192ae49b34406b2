# SPDX-License-Identifier: GPL-3.0-or-later
"""Real GTP programs through the bridge, and our own engine through it: whole games."""

import asyncio
import shlex
import sys
from pathlib import Path

import pytest

from bots.bot import Bot, Turn
from bots.bridges.gtp.boards import COLOURS, boards, setup
from bots.bridges.gtp.player import GtpMaker
from bots.bridges.gtp.process import GtpProcess
from bots.bridges.spec import parse
from bots.catalogue import maker_of
from bots.local import Entrant, play
from engine.games import find
from engine.match.machine import Match
from tests.engines import engine
from tools.debian import installed

RULES = "--mode gtp --level 1 --chinese-rules --positional-superko --capture-all-dead"
RHINO = Path("/usr/share/grhino")
"""The only place where gtp-rhino looks for its data, so it cannot be unpacked elsewhere."""


class Passing(Bot):
    """Plays a few moves if they are legal, then passes."""

    def __init__(self) -> None:
        self.moves = ["D4", "F6", "C7", "G3"]

    def move(self, turn: Turn) -> str:
        while self.moves:
            move = self.moves.pop()
            if move in (turn.legal_moves or ()):
                return move
        return "pass"


def rhino() -> str:
    """Command of GRhino; the test is left out where it is not installed."""
    path = installed("gtp-rhino")
    if path is None or not RHINO.is_dir():
        pytest.skip("gtp-rhino is not installed: apt-get install grhino (it cannot be unpacked)")
    return f"{path} -l 1 -b 0"


def finished(game: str, first: object, second: object, **options: object) -> Match:
    """Play a match."""
    entrants = Entrant("first", first), Entrant("second", second)  # type: ignore[arg-type]  # makers of several types
    return asyncio.run(play(find(game), entrants, **options))  # type: ignore[arg-type]  # options of several types


@pytest.mark.parametrize("seat", [0, 1])
def test_gnu_go_plays_from_an_opening_to_the_end(seat: int) -> None:
    maker = GtpMaker(parse(f"gtp:{engine('gnugo')} {RULES}"))
    asyncio.run(maker.try_out())
    assert maker.games == ("go/19x19", "go/13x13", "go/9x9")
    assert maker.version.startswith("GNU Go 3.8 ")
    players = (maker, Passing) if seat == 0 else (Passing, maker)
    match = finished("go/9x9", *players, opening=["E5", "E3"])
    assert match.ending is not None
    assert match.ending.termination == "decided"
    assert match.ending.scores is not None
    assert match.ending.scores[seat] == 1.0


@pytest.mark.parametrize(
    "position",
    [
        "9/9/2o6/9/4x4/9/9/9/9 w",
        "9/9/9/9/9/9/ooo6/xxo6/1xo6 b",
        "9/9/9/3xo4/2x1xo3/3xo4/9/9/9 w ko D5",
        "xxxxxxxx1/oooooooox/ooooooo1o/9/9/9/9/9/9 b pass",
    ],
)
def test_gnu_go_stands_at_positions_that_are_set_up(position: str) -> None:
    game, board = find("go/9x9"), boards()["go/9x9"]

    async def stones() -> tuple[list[set[str]], str | None]:
        running = await GtpProcess.start(parse(f"gtp:{engine('gnugo')} {RULES}"))
        try:
            for command in ("boardsize 9", "clear_board", *setup(board, position)):
                await running.ask(command)
            listed = [set((await running.ask(f"list_stones {colour}")).split()) for colour in COLOURS]
            return listed, await running.attempt("is_legal white D5")
        finally:
            await running.close()

    listed, retaking = asyncio.run(stones())
    diagram = game.diagram(game.parse_position(position))
    points = [f"{column}{9 - row}" for row in range(9) for column in "ABCDEFGHJ"]
    expected = [{point for point, letter in zip(points, diagram, strict=True) if letter == own} for own in "xo"]
    assert listed == expected
    if "ko D5" in position:
        assert retaking == "0"


@pytest.mark.parametrize("seat", [0, 1])
def test_grhino_plays_othello_with_passes_to_the_end(seat: int) -> None:
    maker = GtpMaker(parse(f"gtp:{rhino()}"))
    asyncio.run(maker.try_out())
    assert maker.games == ("othello",)
    players = (maker, maker_of("random")) if seat == 0 else (maker_of("random"), maker)
    # with this number the random bot loses by games in which sides have to pass
    match = finished("othello", *players, number=3, opening=["f5", "d6", "c3"])
    assert match.ending is not None
    assert match.ending.termination == "decided"


def test_grhino_plays_othello_from_a_position() -> None:
    start = "-" * 16 + "--OOO---" + "--OXO---" + "--OOO---" + "-" * 24 + " X"
    match = finished("othello", GtpMaker(parse(f"gtp:{rhino()}")), maker_of("random"), start=start)
    assert match.start == start
    assert match.ending is not None
    assert match.ending.termination == "decided"


@pytest.mark.parametrize("game", ["go/9x9", "othello"])
def test_our_own_engine_plays_whole_games_through_the_bridge(game: str) -> None:
    command = shlex.join([sys.executable, "-m", "arena.cli", "gtp", "random", "--game", game])
    maker = GtpMaker(parse(f"gtp:{command} game={game}"))
    match = finished(game, maker, maker_of("random"))
    assert match.ending is not None
    assert match.ending.termination in {"decided", "ply limit"}
    assert len(match.moves) > 20
    again = finished(game, maker_of("random"), maker)
    assert again.ending is not None
    assert again.ending.termination in {"decided", "ply limit"}
