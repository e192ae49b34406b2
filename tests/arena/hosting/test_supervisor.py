# SPDX-License-Identifier: GPL-3.0-or-later
import asyncio
import json
import sys
from pathlib import Path

import pytest

from arena.hosting import supervisor as supervisor_module
from arena.hosting.supervisor import Supervisor
from arena.protocol.orders import HostedBot, HostOrders, HostProgress
from tests.arena.peers import PATIENCE, until

RESIDENT = """
import json, pathlib, sys, time
orders = json.loads(sys.stdin.readline())
open(sys.argv[1], "a").write(json.dumps(orders) + "\\n")
print('{"warming": "checkers 1/2"}', flush=True)
print("not json", flush=True)
print('{"ready": true}', flush=True)
if sys.argv[2] == "play":
    while not pathlib.Path(sys.argv[1] + ".played").exists():
        time.sleep(0.01)
if sys.argv[2] == "stay":
    sys.stdin.read()
    open(sys.argv[1], "a").write("null\\n")
sys.exit(3)
"""


def supervisor_of(notes: Path, heard: list[HostProgress], way: str) -> Supervisor:
    tokens = iter(range(1000))

    async def orders(_: int) -> HostOrders:
        return HostOrders(
            "ws://127.0.0.1:1/play", [HostedBot("random", "random", f"token {next(tokens)}")], ["checkers"]
        )

    command = [sys.executable, "-c", RESIDENT, str(notes), way]
    return Supervisor(orders, heard.append, lambda: command)


async def test_it_gets_the_address_sends_its_progress_and_ends_with_the_arena(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor_module, "LEAVE_TIME", PATIENCE)
    notes, heard = tmp_path / "notes", list[HostProgress]()
    task = asyncio.create_task(supervisor_of(notes, heard, "stay").run())
    await until(lambda: HostProgress(ready=True) in heard)
    assert heard[0] == HostProgress(warming="checkers 1/2")
    task.cancel()
    await asyncio.wait({task})
    orders, left = map(json.loads, notes.read_text().splitlines())
    assert orders == {
        "url": "ws://127.0.0.1:1/play",
        "bots": [{"kind": "random", "name": "random", "token": "token 0"}],
        "games": ["checkers"],
    }
    assert left is None


async def test_it_is_started_again_with_new_tokens_after_a_while(tmp_path: Path) -> None:
    notes, heard = tmp_path / "notes", list[HostProgress]()
    loop = asyncio.get_running_loop()
    began = loop.time()
    task = asyncio.create_task(supervisor_of(notes, heard, "leave").run())
    await until(lambda: notes.exists() and len(notes.read_text().splitlines()) >= 2)
    assert loop.time() - began >= 1.0
    task.cancel()
    await asyncio.wait({task})
    tokens = [json.loads(line)["bots"][0]["token"] for line in notes.read_text().splitlines()]
    assert tokens[:2] == ["token 0", "token 1"]
    assert "restarting" in " ".join(progress.warming for progress in heard)


# a process that ends at once may take a minute for it on a busy machine
@pytest.mark.parametrize(("way", "waits"), [("leave", [60.0, 120.0, 240.0]), ("play", [0.1, 0.1, 0.1])])
async def test_a_process_that_ran_is_restarted_soon_and_one_that_fails_at_once_ever_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str, waits: list[float]
) -> None:
    monkeypatch.setattr(supervisor_module, "FIRST_WAIT", waits[0])
    monkeypatch.setattr(supervisor_module, "LONGEST_WAIT", 1000.0)
    slept, sleep = list[float](), asyncio.sleep
    played = tmp_path / "notes.played"

    async def note(seconds: float) -> None:
        slept.append(seconds)
        played.unlink(missing_ok=True)
        await sleep(0)

    class Heard(list[HostProgress]):
        """Ends what has played for long enough."""

        def append(self, progress: HostProgress) -> None:
            if progress.ready:
                asyncio.get_running_loop().call_later(2 * waits[0], played.touch)

    monkeypatch.setattr(asyncio, "sleep", note)
    task = asyncio.create_task(supervisor_of(tmp_path / "notes", Heard(), way).run())
    async with asyncio.timeout(PATIENCE):
        while len(slept) < 3:
            await sleep(0.01)
    task.cancel()
    await asyncio.wait({task})
    assert slept[:3] == waits
