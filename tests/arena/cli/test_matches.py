# SPDX-License-Identifier: GPL-3.0-or-later
import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from arena.cli import main
from arena.store import Store
from tests.arena.conftest import OpenArena
from tests.arena.peers import duel


async def command(capsys: pytest.CaptureFixture[str], data: Path, *words: str) -> tuple[int, Any]:
    """Run ``arena matches`` as another process would, and return its exit code and its answer."""
    capsys.readouterr()
    code = await asyncio.to_thread(main, ["matches", *words, "--data", str(data), "--json"])
    printed = capsys.readouterr().out.splitlines()
    return code, json.loads(printed[-1]) if printed and printed[-1].startswith("{") else None


async def test_an_aborted_match_ends_on_the_running_server_too(
    tmp_path: Path, open_arena: OpenArena, capsys: pytest.CaptureFixture[str]
) -> None:
    game = await duel(await open_arena(), rated=True)
    code, live = await command(capsys, tmp_path, "list", "--status", "live")
    assert (code, [item["id"] for item in live["items"]]) == (0, [game.match])
    assert (await command(capsys, tmp_path, "abort", str(game.match), "--reason", "by hand"))[0] == 0
    first, second = await game.over()
    assert (first["termination"], first["detail"], second["score"]) == ("void", "by hand", None)
    assert (await game.stored()).row.detail == "by hand"
    assert (await command(capsys, tmp_path, "abort", str(game.match)))[0] == 2
    assert (await command(capsys, tmp_path, "abort", "99"))[0] == 2


async def test_a_match_is_shown_with_its_moves(
    tmp_path: Path, open_arena: OpenArena, capsys: pytest.CaptureFixture[str]
) -> None:
    arena = await open_arena()
    game = await duel(arena)
    await asyncio.gather(game.first.play(), game.second.play())
    code, shown = await command(capsys, tmp_path, "show", str(game.match))
    assert (code, shown["match"]["result"], shown["events"][0]["type"]) == (0, "1-0", "moved")
    assert await asyncio.to_thread(main, ["matches", "show", str(game.match), "--data", str(tmp_path)]) == 0
    assert "first-0 (1500) - second-0 (1500): 1-0 decided" in capsys.readouterr().out
    assert await asyncio.to_thread(main, ["matches", "list", "--data", str(tmp_path)]) == 0
    assert "decided" in capsys.readouterr().out


def test_nothing_there_is_told_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def make() -> None:
        await (await Store.open(f"sqlite:///{tmp_path / 'arena.db'}")).close()

    asyncio.run(make())
    assert main(["matches", "show", "7", "--data", str(tmp_path)]) == 2
    assert capsys.readouterr().err.strip().endswith("there is no match 7")
