# SPDX-License-Identifier: GPL-3.0-or-later
"""A small load on a real arena, and refused targets of load."""

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from arena.cli import main
from lab.commands import load
from lab.processes import usage_of


def finished(folder: Path) -> int:
    """Count the matches that have ended."""
    with closing(sqlite3.connect(folder / "arena.db", timeout=600)) as database:
        (count,) = database.execute("SELECT count(*) FROM match WHERE status = 'finished'").fetchone()
    return int(count)


def test_a_small_load_is_carried_and_leaves_sound_records(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def sleep(seconds: float) -> None:
        """Measure until there is enough: matches last a second, and spectators choose new ones once a second."""
        if seconds == 2.0:
            before = finished(tmp_path)
            while finished(tmp_path) < before + 12:  # noqa: ASYNC110  # other processes play
                await asyncio.sleep(0.1)
        else:
            await asyncio.sleep(seconds)

    monkeypatch.setattr(load, "asyncio", SimpleNamespace(**vars(asyncio) | {"sleep": sleep}))
    place = ["--data", str(tmp_path)]
    size = ["--game", "tictactoe", "--matches", "3", "--moves-per-second", "8", "--seconds", "2"]
    code = main(["lab", "load", "--serve", *size, "--spectators", "4", "--idle", "2", *place, "--json"])
    outcome = json.loads(capsys.readouterr().out)
    assert code == 0, outcome
    assert outcome["moves"] > 20
    assert outcome["endings"]["decided"] > 1
    assert (outcome["forfeits"], outcome["errors"], outcome["reconnects"]) == (0, {}, 0)
    for latencies in outcome["relay"], outcome["accepted"], outcome["watched"]:
        assert 0 < latencies["50"] <= latencies["99"] <= latencies["max"]
    assert main(["verify", *place, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)["report"]
    assert report["events"] > 20
    assert report["changes"] > 4


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="only Linux lists child processes")
def test_an_ended_command_leaves_no_process(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "arena.cli", "lab", "load", "--serve", "--matches", "1", "--data", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        while not (started := children.read_text().split()):
            time.sleep(0.05)
        process.terminate()
        process.wait(600)
    while [pid for pid in started if Path(f"/proc/{pid}").exists()]:  # nobody tells of their ends
        time.sleep(0.05)


@pytest.mark.parametrize("url", ["http://192.0.2.7:8080", "http://no.such.host.invalid", "nonsense"])
def test_load_is_put_on_this_machine_only(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "load", "--url", url]) == 2
    told = capsys.readouterr().err
    assert "loopback" in told or "cannot find the host" in told
    assert told.count("\n") == 1


def test_zero_matches_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "load", "--serve", "--matches", "0"]) == 2
    assert "must be above 0" in capsys.readouterr().err


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="only Linux tells")
def test_the_usage_of_a_process() -> None:
    before, until = usage_of(os.getpid()), time.process_time() + 0.2
    while time.process_time() < until:
        pass
    after = usage_of(os.getpid())
    assert before is not None
    assert after is not None
    assert 0.15 <= after.cpu - before.cpu < 2
    assert after.bytes > 1e7
    assert usage_of(2**30) is None
