# SPDX-License-Identifier: GPL-3.0-or-later
import asyncio
import json
from pathlib import Path

import msgspec
import pytest

from arena.cli import main
from tests.arena.conftest import OpenArena
from tests.arena.peers import duel
from web.api.leaderboard import OneCertainty, OneLeaderboard, get_certainty, get_leaderboard


async def test_it_answers_as_the_api_does(
    tmp_path: Path, open_arena: OpenArena, capsys: pytest.CaptureFixture[str]
) -> None:
    arena = await open_arena()
    game = await duel(arena, rated=True)
    await asyncio.gather(game.first.play(matches=2), game.second.play(matches=2))
    served = await get_leaderboard(arena, OneLeaderboard(game="tictactoe", time_class="bullet", system="elo"))
    assert len(served.items) == 2
    place = ["tictactoe", "--data", str(tmp_path)]
    capsys.readouterr()
    elo = [*place, "--system", "elo"]
    assert await asyncio.to_thread(main, ["leaderboard", *elo, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(msgspec.json.encode(served))
    assert await asyncio.to_thread(main, ["leaderboard", *elo, "--limit", "1", "--json"]) == 0
    first = json.loads(capsys.readouterr().out)
    assert (len(first["items"]), first["items"][0]["rank"], bool(first["next"])) == (1, 1, True)
    assert await asyncio.to_thread(main, ["leaderboard", *elo]) == 0
    assert served.items[0].bot.name in capsys.readouterr().out
    assert await asyncio.to_thread(main, ["leaderboard", *place]) == 0
    told = capsys.readouterr().out
    assert "Ranks" in told
    assert "Elo" in told
    assert "provisional" in told
    for system in ("glicko-2", "bradley-terry"):
        query = OneLeaderboard(game="tictactoe", time_class="bullet", system=system)
        served = await get_leaderboard(arena, query)
        assert await asyncio.to_thread(main, ["leaderboard", *place, "--system", system, "--json"]) == 0
        assert json.loads(capsys.readouterr().out) == json.loads(msgspec.json.encode(served))
        assert await asyncio.to_thread(main, ["leaderboard", *place, "--system", system]) == 0
        assert "±" in capsys.readouterr().out
    order = await get_certainty(arena, OneCertainty(game="tictactoe", time_class="bullet"))
    assert await asyncio.to_thread(main, ["leaderboard", *place, "--certainty", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(msgspec.json.encode(order))
    assert await asyncio.to_thread(main, ["leaderboard", *place, "--certainty"]) == 0
    assert "the first move is worth" in capsys.readouterr().out
    assert await asyncio.to_thread(main, ["leaderboard", *place, "--certainty", "--limit", "1"]) == 2
    assert "players" in capsys.readouterr().err
    assert await asyncio.to_thread(main, ["leaderboard", *place, "--time-class", "rapid"]) == 0
    assert capsys.readouterr().out == "there are no ratings in rapid tictactoe yet\n"


def test_errors_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["leaderboard", "ludo", "--data", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith("arena leaderboard: no game is called 'ludo'")
    assert main(["leaderboard", "nim", "--limit", "0", "--data", str(tmp_path)]) == 2
    assert capsys.readouterr().err == "arena leaderboard: --limit must be 1 or more (got 0)\n"
