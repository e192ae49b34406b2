# SPDX-License-Identifier: GPL-3.0-or-later
"""The REST API asked anything

Whatever is asked of the REST API, it answers as its OpenAPI document says: no status, no content type and no shape that
is not told of there, no failure of the server, and wrong parameters are refused. The questions are made by schemathesis
from that very document, while the arena has matches that go on and matches that ended.
"""

import asyncio
import json
import sys
from collections import Counter
from pathlib import Path

from lab.proofs.beside import playing, undisturbed
from lab.proofs.ledger import Ledger
from tests.end_to_end.server import Server

EXAMPLES = 300
"""Made for each route and phase, at most."""

TABLES = 4
PATIENCE = 900.0


async def prove(ledger: Ledger) -> None:
    """Ask a server on which matches are played."""
    server = Server(
        ledger.place("server"),
        "--no-built-in-bots",
        "--games",
        "tictactoe,nim",
        "--log-level",
        "warning",
        "--connection-rate",
        "100000",
    )
    await server.start()
    try:
        await server.ready()
        async with playing(server, TABLES, rate=20) as beside:
            await asyncio.sleep(3)
            report = await _ask(server, ledger.folder, ledger.times(EXAMPLES, 5))
    finally:
        await server.stop()
    assert "Traceback" not in server.log, server.log[-3000:]
    undisturbed(beside)
    for name, figure in report.items():
        ledger.note(name, figure)
    ledger.note("moves of the matches beside", beside.moves)
    await ledger.verify(server.database)


async def _ask(server: Server, folder: Path, examples: int) -> dict[str, int]:
    """Run schemathesis; returns what it counted."""
    written = folder / "report.json"
    command = [
        str(Path(sys.executable).with_name("schemathesis")), "run", f"{server.url}/api/v1/openapi.json",
        "--max-examples", str(examples), "--seed", "1", "--continue-on-failure", "--warnings", "off",
        "--report-json-path", str(written),
        # A schema cannot tell which cursors a list gave, nor which formats a game has.
        "--exclude-checks", "positive_data_acceptance",
    ]  # fmt: skip
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT, cwd=folder
    )
    async with asyncio.timeout(PATIENCE):
        output, _ = await process.communicate()
    assert process.returncode == 0, output.decode()[-6000:]
    report = json.loads(written.read_text())
    answers = Counter(
        {
            kind: sum(phase[kind] for route in report["valid_rates"].values() for phase in route.values())
            for kind in ("accepted", "rejected")
        }
    )
    return {
        "routes": len(report["valid_rates"]),
        "questions": report["test_cases"]["generated"],
        "answers that are not as the document says": report["test_cases"]["with_failures"],
        "valid questions answered": answers["accepted"],
        "valid as far as the document can tell, refused": answers["rejected"],
    }
