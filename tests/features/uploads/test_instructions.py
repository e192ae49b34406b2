# SPDX-License-Identifier: GPL-3.0-or-later
"""Uploaded WebAssembly bots on a real server, which pairs them by instructions.

A match replays. Bots that trap or use up their instructions lose by the documented reasons, which their owners read.
"""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from lab.proofs.ledger import verified
from tests.c_modules import BOT, compile_c
from tests.end_to_end.server import Server
from tests.features.uploads.test_end_to_end import Owner, result
from tests.forked import starts

PATIENCE = 1200.0

LIMIT = 5_000_000
"""Instructions of a move: the example searches the whole game with fewer."""


FAULTS = {
    "traps": ("__builtin_trap();", "it trapped", "the module trapped: "),
    "loops": ("for (volatile int i = 0;; i++);", "it used up its instructions", "instructions"),
}
"""Name of a bot → its code for matches by instructions, the detail of a lost match, and a part of its log."""


def compiled(folder: Path, name: str, old: str, new: str) -> Path:
    """Compile the example with a change to a module of this name."""
    source = BOT.read_text()
    assert old in source
    file = folder / f"{name}.c"
    file.write_text(source.replace(old, new))
    return compile_c(file, folder / f"{name}.wasm")


async def replayed(server: Server, match: int) -> tuple[int, Any]:
    """Return the exit code of ``arena verify --match``, and its answer."""
    words = ("verify", "--json", "--match", str(match), "--database-url", server.database)
    with starts():
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "arena.cli", *words, stdout=asyncio.subprocess.PIPE
        )
    output, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, json.loads(output)["games"][0]


@pytest.mark.timeout(PATIENCE)
async def test_hosted_bots_play_by_instructions_and_their_match_replays(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    modules = [
        compiled(tmp_path, name, "value > best_value", f"value {sign} best_value")
        for name, sign in (("first", ">"), ("last", ">="))
    ]
    begins = "int32_t best = 0;"
    faulty = [
        compiled(tmp_path, name, begins, f"{begins} if (turn->clock < 0) {{ {action} }}")
        for name, (action, _, _) in FAULTS.items()
    ]
    server = Server(folder, "--games=tictactoe", "--no-built-in-bots", f"--ladder-instructions={LIMIT}")
    owners = Owner(server, tmp_path, "anna"), Owner(server, tmp_path, "berta")
    try:
        async with asyncio.timeout(PATIENCE - 20):
            await server.start()
            for owner, module in zip(owners, modules, strict=True):
                await owner.register()
                status, answer, _ = await result(await owner.submit(str(module), None))
                assert (status, answer["state"]) == (0, "accepted"), answer
            found = await owners[0].until("/matches?limit=100", lambda page: league_matches(page))
            number = league_matches(found)[-1]["id"]
            match = await server.match(number)
            board = await server.get("/api/v1/leaderboard?game=tictactoe&time_class=instructions")
            page = await server.text(f"/matches/{number}")
            faults = [await fault(owner, module) for owner, module in zip(owners, faulty, strict=True)]
    finally:
        await server.kill()
    assert (match["time_control"], match["rated"], match["clocks"]) == ("5M instructions/move", True, None)
    assert {line["bot"]["name"] for line in board["items"]} == {"first", "last"}
    assert "5M instructions/move" in page
    for (_, detail, line), (lost, output) in zip(FAULTS.values(), faults, strict=True):
        assert (lost["termination"], lost["detail"]) == ("crash", detail)
        assert line in output
    own = [move for move in match["moves"] if not move.get("opening")]
    assert own
    assert all(0 < move["instructions"] <= LIMIT and "clock" not in move for move in own)
    assert (await verified(server.database))["clean"]

    code, answer = await replayed(server, number)
    assert (code, answer["problem"]) == (0, None)
    assert answer["instructions"] == sum(move["instructions"] for move in own)
    await asyncio.to_thread(tamper, server, number)
    code, answer = await replayed(server, number)
    used = own[0]["instructions"]
    assert code == 1
    assert f"{used + 1:,} instructions in the record, {used:,} in the replay" in answer["problem"]


async def fault(owner: Owner, module: Path) -> tuple[Any, str]:
    """Submit a bot that fails in matches by instructions alone; return such a match and its error output."""
    status, answer, _ = await result(await owner.submit(str(module), None))
    assert (status, answer["state"]) == (0, "accepted"), answer
    logs = await owner.until(f"/bots/{answer['bot']}/logs", lambda logs: logs["items"])
    lost = await owner.ask(f"/matches/{logs['items'][0]['match']}")
    return lost, logs["items"][0]["text"]


def league_matches(page: Any) -> list[Any]:
    """Return the matches by instructions of a list, with a result."""
    return [each for each in page["items"] if each["time_class"] == "instructions" and each["result"] != "*"]


def tamper(server: Server, match: int) -> None:
    """Change the instructions of the first move of a match in the database."""
    engine = create_engine(server.database)
    with engine.begin() as connection:
        query = "SELECT number, body FROM event WHERE match_id = :match ORDER BY number LIMIT 1"
        number, body = connection.execute(text(query), {"match": match}).one()
        event = json.loads(body)
        event["instructions"] += 1
        change = "UPDATE event SET body = :body WHERE match_id = :match AND number = :number"
        connection.execute(text(change), {"body": json.dumps(event), "match": match, "number": number})
    engine.dispose()
