# SPDX-License-Identifier: GPL-3.0-or-later
import asyncio
import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from arena.cli import main
from arena.hosting import readiness
from arena.protocol.orders import HostProgress
from arena.settings import Settings
from tests.web.door import opened


async def test_it_lists_ready_games_and_compilations(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readiness, "time", SimpleNamespace(monotonic=lambda: 0.0))  # estimates count down
    async with opened(tmp_path, Settings(games="tictactoe", ladder=False)) as door:
        await door.arena.prepared.wait()
        door.arena.built_in_bots_progress(HostProgress(warming="play for nim", game="nim", until={"nim": 41.0}))
        url = f"http://{door.address}/"
        assert await asyncio.to_thread(main, ["status", "--url", url]) == 0
        printed = capsys.readouterr().out
        assert "tictactoe" in printed
        assert "ready" in printed
        assert "compiling: play for nim (nim about 40 s)" in printed
        assert await asyncio.to_thread(main, ["status", "--url", url, "--json"]) == 0
        # the server logs beside it
        (told,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("{")]
        assert json.loads(told)["ready"] is True


def test_where_no_arena_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["status", "--url", "http://127.0.0.1:1"]) == 2
    assert "no arena answers at http://127.0.0.1:1" in capsys.readouterr().err
