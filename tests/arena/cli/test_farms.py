# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands with ``--on``: a real Ray gives the same answers as one process, whatever happens to its workers."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from lab.processes import descendants

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[3]

PATIENCE = 900
"""Seconds for what takes some, on a machine that is busy with other things."""

TIMES = {"seconds", "games_per_second", "evaluations_per_second"}

STALLING = """
import os, pathlib, time
from bots.bot import Bot, Turn

FOLDER = pathlib.Path({folder!r})

class Stalling(Bot):
    games = ("tictactoe",)

    def move(self, turn: Turn) -> str:
        if turn.ply > 2 and not (FOLDER / "go").exists():
            (FOLDER / f"{{os.getpid()}}.stalls").touch()
            while not (FOLDER / "go").exists():
                time.sleep(0.02)  # the file appears in another process, without an event
        return turn.legal_moves[0]
"""


def command(*words: str) -> list[str]:
    """Return a command of the arena."""
    return [sys.executable, "-m", "arena.cli", *words, "--json"]


def answer(*words: str) -> Any:
    """Return what a command answers."""
    done = subprocess.run(command(*words), cwd=ROOT, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def untimed(found: Any) -> Any:
    """Return an answer without times and speeds."""
    if isinstance(found, dict):
        return {name: untimed(value) for name, value in found.items() if name not in TIMES}
    return [untimed(each) for each in found] if isinstance(found, list) else found


def until(holds: Any) -> Any:
    """Wait until something of another process holds, and return it."""
    ends = time.monotonic() + PATIENCE
    while not (found := holds()):
        assert time.monotonic() < ends
        time.sleep(0.02)  # there is no event for it
    return found


def test_a_round_robin_is_the_same_although_a_worker_is_killed(tmp_path: Path) -> None:
    bot = tmp_path / "stalling.py"
    bot.write_text(STALLING.format(folder=str(tmp_path)), encoding="utf-8")
    words = ["match", str(bot), "random", "minimax-2", "--game", "tictactoe", "--format", "round-robin"]
    words += ["--games", "6", "--depth", "2", "--seed", "3"]
    with subprocess.Popen(
        command(*words, "--on", "ray"), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        stalled = until(lambda: list(tmp_path.glob("*.stalls")))
        killed = int(stalled[0].stem)
        assert killed in descendants(process.pid, "ray")
        os.kill(killed, signal.SIGKILL)
        (tmp_path / "go").touch()
        told, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, said
    assert "computed again" in said
    assert untimed(json.loads(told)) == untimed(answer(*words))


def test_evolution_is_the_same(tmp_path: Path) -> None:
    words = ["evolve", "--generations", "3", "--population", "6", "--seed", "2", "--schema", "checkers/lecture"]
    words += ["--depth", "2", "--plies", "40", "--out"]
    there, here = answer(*words, str(tmp_path / "there"), "--on", "ray"), answer(*words, str(tmp_path / "here"))
    assert Path(there.pop("best")).read_bytes() == Path(here.pop("best")).read_bytes()
    assert untimed(there) == untimed(here)


def test_tuning_is_the_same(tmp_path: Path) -> None:
    words = ["lab", "tune", "checkers", "--play", "20", "--nodes", "100", "--rounds", "20", "--seed", "4"]
    words += ["--duel", "4", "--out"]
    one, other = tmp_path / "there.json", tmp_path / "here.json"
    assert untimed(answer(*words, str(one), "--on", "ray")) == untimed(answer(*words, str(other)))
    assert one.read_bytes() == other.read_bytes()


# ---------------------------------------------------------------- a cluster of two nodes


@contextmanager
def ray(environment: dict[str, str], *words: str) -> Iterator[None]:
    """Run a node of Ray, which has nothing else in its folder."""
    program = str(Path(sys.executable).with_name("ray"))
    with subprocess.Popen(
        [program, "start", "--block", "--num-cpus=1", "--disable-usage-stats", "--node-ip-address=127.0.0.1", *words],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            said = ""
            while "Ray runtime started" not in said:
                line = process.stdout.readline()
                assert line, said
                said += line
            yield
        finally:
            process.terminate()
            process.wait(PATIENCE)


def free_ports(count: int) -> Sequence[int]:
    """Return ports that nobody listens on."""
    with socket.socket() as one, socket.socket() as other:
        held = [one, other][:count]
        for each in held:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in held]


def test_a_node_with_other_sources_is_refused(tmp_path: Path) -> None:
    for package in ("bots", "engine"):
        shutil.copytree(ROOT / package, tmp_path / "other" / package, ignore=shutil.ignore_patterns("__pycache__"))
    with (tmp_path / "other" / "bots" / "series.py").open("a", encoding="utf-8") as file:
        file.write("\n# another version\n")
    own = {**os.environ, "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": "01" * 32}
    head, client = free_ports(2)
    folder = Path(tempfile.mkdtemp(prefix="arena-ray-", dir="/tmp"))  # the paths of sockets must be short
    try:
        with (
            ray(
                own,
                "--head", f"--port={head}", f"--ray-client-server-port={client}",
                "--include-dashboard=false", f"--temp-dir={folder}",
            ),
            ray(own | {"PYTHONPATH": str(tmp_path / "other")}, f"--address=127.0.0.1:{head}"),
        ):  # fmt: skip
            words = ("match", "random", "random", "--game", "tictactoe", "--on", f"ray://127.0.0.1:{client}")
            done = subprocess.run(
                command(*words), cwd=ROOT, env=own, capture_output=True, text=True, check=False, timeout=PATIENCE
            )
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "has other versions: the code of engine and bots" in done.stderr
    assert "Traceback" not in done.stderr
