# SPDX-License-Identifier: GPL-3.0-or-later
"""Real engines through the bridges, in local matches."""

import asyncio

from bots.bridges.player import EngineMaker
from bots.bridges.spec import parse
from bots.local import Entrant
from bots.series import Played, Setting, series
from engine.formats.suite import Opening
from engine.games import find
from engine.time_control import TimeControl
from tests.engines import engine

BARE = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"


def match(first: str, second: str, **options: object) -> list[Played]:
    """A pair of games between two engines."""

    async def play() -> list[Played]:
        one, other = (EngineMaker(parse(text)) for text in (first, second))
        entrants = Entrant("first", one), Entrant("second", other)
        setting = Setting(find("chess"), **options)  # type: ignore[arg-type]  # options of several types
        found = series(setting, *entrants, range(2), concurrency=2)
        return [played async for played in found]

    return asyncio.run(play())


def test_uci_engines_play_without_a_clock() -> None:
    stockfish, gnuchess = engine("stockfish"), engine("gnuchess")
    found = match(f"uci:{stockfish} limit.nodes=2000 option.Hash=1", f"uci:{gnuchess} --uci limit.depth=2")
    assert [played.score for played in found] == [1.0, 1.0]
    for played in found:
        told = [move.info for move in played.record.moves[played.seat :: 2]]
        assert all(info is not None and info.depth and info.nodes and info.score is not None for info in told)
        assert sum(bool(info and info.pv) for info in told) > len(told) / 2
        assert played.record.players[played.seat].version.startswith("Stockfish")


def test_an_xboard_engine_plays_by_the_clock_from_a_position() -> None:
    command = f"xboard:{engine('phalanx')}"
    found = match(command, command, time_control=TimeControl(2_000, 20), openings=[Opening(BARE)])
    assert {played.record.termination for played in found} <= {"decided", "repetition", "no-progress rule", "time"}
    assert {played.record.start for played in found} == {BARE}
    # on a busy machine its time may be up before its first move
    assert all(any(move.info for move in played.record.moves) for played in found if played.record.moves)


def test_an_xboard_engine_without_setboard_plays_openings_of_moves() -> None:
    command = f"xboard:{engine('fairymax')} limit.depth=3"
    found = match(command, command, openings=[Opening(None, ("e2e4", "c7c5"))])
    assert {played.record.termination for played in found} <= {"decided", "repetition", "no-progress rule", "material"}
    assert all(played.record.opening == ("e2e4", "c7c5") and len(played.record.moves) > 20 for played in found)
    assert all(any(move.info for move in played.record.moves) for played in found)
