# SPDX-License-Identifier: GPL-3.0-or-later
import asyncio
import json
import sys
from pathlib import Path

from arena.house import House, Orders, Place, Progress
from tests.arena.peers import until

RESIDENT = """
import json, sys
orders = json.loads(sys.stdin.readline())
open(sys.argv[1], "a").write(json.dumps(orders) + "\\n")
print('{"warming": "checkers 1/2"}', flush=True)
print("not json", flush=True)
print('{"ready": true}', flush=True)
if sys.argv[2] == "stay":
    sys.stdin.read()
    open(sys.argv[1], "a").write("null\\n")
sys.exit(3)
"""


def house(notes: Path, heard: list[Progress], way: str) -> House:
    tokens = iter(range(1000))

    async def orders() -> Orders:
        return Orders("ws://127.0.0.1:1/play", [Place("random", f"token {next(tokens)}")], ["checkers"])

    command = [sys.executable, "-c", RESIDENT, str(notes), way]
    return House(orders, heard.append, command)


async def test_it_is_told_where_to_play_tells_its_progress_and_ends_with_the_arena(tmp_path: Path) -> None:
    notes, heard = tmp_path / "notes", list[Progress]()
    task = asyncio.create_task(house(notes, heard, "stay").run())
    await until(lambda: Progress(ready=True) in heard)
    assert heard[0] == Progress(warming="checkers 1/2")
    task.cancel()
    await asyncio.wait({task})
    orders, left = map(json.loads, notes.read_text().splitlines())
    assert orders == {
        "url": "ws://127.0.0.1:1/play",
        "bots": [{"name": "random", "token": "token 0"}],
        "games": ["checkers"],
    }
    assert left is None


async def test_it_is_started_again_with_new_tokens_after_a_while(tmp_path: Path) -> None:
    notes, heard = tmp_path / "notes", list[Progress]()
    loop = asyncio.get_running_loop()
    began = loop.time()
    task = asyncio.create_task(house(notes, heard, "leave").run())
    await until(lambda: notes.exists() and len(notes.read_text().splitlines()) == 2)
    assert loop.time() - began >= 1.0
    task.cancel()
    await asyncio.wait({task})
    tokens = [json.loads(line)["bots"][0]["token"] for line in notes.read_text().splitlines()]
    assert tokens == ["token 0", "token 1"]
    assert "again" in " ".join(progress.warming for progress in heard)
