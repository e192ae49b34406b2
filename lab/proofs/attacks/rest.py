# SPDX-License-Identifier: GPL-3.0-or-later
"""Proofs of the REST API by its OpenAPI document: schemathesis makes the requests, as nobody and as each role."""

import asyncio
import json
import os
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aiohttp import ClientSession

from engine import child
from lab.proofs.clients import playing, undisturbed
from lab.proofs.ledger import Ledger
from tests.end_to_end.server import Server

EXAMPLES = 300
"""Made for each route and phase, at most."""

TABLES = 4
OPTIONS = (
    "--no-built-in-bots", "--games", "tictactoe,nim", "--log-level", "warning", "--connection-rate", "100000",
)  # fmt: skip
NO_LIMITS = (
    "--sign-ups-per-hour", "1000000", "--sign-in-attempts", "1000000", "--tokens-per-account", "1000000",
    "--bots-per-account", "1000000", "--uploads-per-day", "1000000", "--validation-queue", "1000000",
)  # fmt: skip
"""A limit that is reached answers 429, and nothing behind it is tried."""
PATIENCE = 3600.0
"""Seconds for all requests."""


@dataclass(frozen=True)
class SchemathesisCounts:
    """What schemathesis counted."""

    operations: int
    requests: int
    wrong: int
    """Answers that are not as the document says."""
    accepted: int
    refused: int
    """Requests that are valid as far as the document can tell."""


async def prove_rest(ledger: Ledger) -> None:
    """REST API against its OpenAPI document

    The REST API answers every request as its OpenAPI document says: no undocumented status, content type or shape, and
    no failure of the server. It refuses invalid parameters. schemathesis makes the requests from that document, while
    the arena has running and finished matches.
    """
    async with ledger.serving(*OPTIONS) as server:
        await server.ready()
        async with playing(server, TABLES, rate=20) as beside:
            await asyncio.sleep(3)
            report = await _run_schemathesis(server, ledger.folder, ledger.times(EXAMPLES, 5))
    undisturbed(beside)
    ledger.note("routes", report.operations)
    ledger.note("questions", report.requests)
    ledger.note("answers that are not as the document says", report.wrong)
    ledger.note("valid questions answered", report.accepted)
    ledger.note("valid as far as the document can tell, refused", report.refused)
    ledger.note("moves of the matches beside", beside.moves)


# ---------------------------------------------------------------- by role


ROLES = ("owner", "organiser", "administrator")
BOT = b"""\
import random
from bots import Bot
class Uploaded(Bot):
    name, version, games = "uploaded", "1", ["tictactoe", "nim"]
    def move(self, turn):
        return random.choice(turn.legal_moves)
"""
BOTS = 3
"""Of each account, with an uploaded version each."""
GENE = {"name": "man", "low": 0, "high": 10, "standard": 1}
POPULATION = {"name": "home", "game": "tictactoe", "schema": "tictactoe/lines", "dynamics": "any", "seed": 1, "size": 2}
PASSWORD = "a password for the proof"
HOOKS = Path(__file__).with_name("spared.py")


async def prove_api(ledger: Ledger) -> None:
    """REST API by role

    Every operation of the OpenAPI document answers as the document says, to nobody and to the tokens of an owner, an
    organiser and an administrator: a documented status, content type and shape, never a failure of the server (5xx).
    It refuses invalid parameters, and requests without the token. schemathesis makes the requests from the document,
    with a fixed seed. The arena has all features: finished matches, accounts, bots and uploaded versions of each
    account, and what the requests themselves make. Limits for each account are so high that no request reaches them.
    """
    async with ledger.serving(*OPTIONS, *NO_LIMITS) as server:
        await server.ready()
        async with playing(server, 1, rate=20):
            await asyncio.sleep(3)
        accounts = {role: await _make_account(server, role) for role in ROLES}
        await _furnish(server, accounts["organiser"])
        total = Counter[str]()
        for sender in ("nobody", *accounts):
            folder = ledger.place(sender)
            account = accounts.get(sender)
            (folder / "schemathesis.toml").write_text(_settings(account.bots if account is not None else []))
            report = await _run_schemathesis(server, folder, ledger.times(EXAMPLES, 5), account)
            if account is not None:
                assert (await account.get(server, "account"))["role"] == sender, "its token still has all its rights"
            ledger.note(f"operations, as {sender}", report.operations)
            ledger.note(f"requests, as {sender}", report.requests)
            ledger.note(f"valid requests answered, as {sender}", report.accepted)
            total.update(requests=report.requests, wrong=report.wrong)
        failures = _failures(server)
    ledger.note("requests", total["requests"])
    ledger.note("answers that are not as the document says", total["wrong"])
    ledger.note("failures in the log of the server", failures)
    assert not failures


def _settings(bots: list[int]) -> str:
    """Return a configuration by which most requests name something that there is, or that may be made."""
    return f"""\
[dictionaries]
numbers = {{ values = {sorted({1, 2, 3, *bots})} }}
versions = {{ values = [1] }}
games = {{ values = ["tictactoe", "nim"] }}
names = {{ values = ["newcomer", "owner-0", "cup"] }}
passwords = {{ values = ["the password of a newcomer"] }}

[parameters]
"path.id" = {{ dictionary = "numbers", probability = 0.67 }}
"path.version" = {{ dictionary = "versions", probability = 0.67 }}
"body.game" = {{ dictionary = "games", probability = 0.67 }}
"body.name" = {{ dictionary = "names", probability = 0.33 }}
"body.password" = {{ dictionary = "passwords", probability = 0.67 }}
"""


@dataclass(frozen=True)
class _Account:
    token: str
    id: int
    token_id: int
    bots: list[int]

    async def get(self, server: Server, path: str) -> Any:
        return await _ask(server, self.token, "GET", path)

    @property
    def environment(self) -> dict[str, str]:
        """What the hooks of schemathesis spare, as variables of the environment."""
        spared = {"PROOF_TOKEN": self.token_id, "PROOF_ACCOUNT": self.id, "PROOF_BOT": self.bots[-1]}
        return {"SCHEMATHESIS_HOOKS": str(HOOKS)} | {name: str(number) for name, number in spared.items()}


async def _make_account(server: Server, role: str) -> _Account:
    """Make an account with a password, which deletion needs, and with bots and uploads."""
    command = child.command("arena.cli", "accounts", "add", f"proof-{role}", "--role", role, "--json")
    process = await asyncio.create_subprocess_exec(
        *command, "--database-url", server.database, stdout=asyncio.subprocess.PIPE, pass_fds=child.pass_fds()
    )
    output, _ = await process.communicate()
    token = json.loads(output)["token"]
    await _ask(server, token, "POST", "account/password", {"old": "", "new": PASSWORD})
    bots = []
    for number in range(BOTS):
        bot = (await _ask(server, token, "POST", "bots", {"name": f"{role}-{number}"}))["bot"]["id"]
        await _ask(server, token, "POST", f"bots/{bot}/versions?file=uploaded.py", BOT)
        bots.append(bot)
    tokens = (await _ask(server, token, "GET", "account/tokens"))["items"]
    number = (await _ask(server, token, "GET", "account"))["id"]
    return _Account(token, number, tokens[0]["id"], bots)


async def _furnish(server: Server, organiser: _Account) -> None:
    """Make a tournament and a population."""
    entries = [{"name": f"{role}-0"} for role in ROLES]
    tournament = {"name": "cup", "game": "nim", "format": {"kind": "round-robin"}, "entries": entries}
    await _ask(server, organiser.token, "POST", "tournaments", tournament)
    await _ask(
        server, organiser.token, "POST", "populations", {**POPULATION, "genes": [GENE, {**GENE, "name": "king"}]}
    )


async def _ask(server: Server, token: str, method: str, path: str, body: object = None) -> Any:
    data = body if isinstance(body, bytes) or body is None else json.dumps(body)
    shown = {"Authorization": f"Bearer {token}"}
    async with (
        ClientSession(headers=shown) as http,
        http.request(method, f"{server.url}/api/v1/{path}", data=data) as response,
    ):
        assert response.status == 200, await response.text()
        return await response.json()


def _failures(server: Server) -> int:
    return server.log.count("request failed") + server.log.count("database error")


# ---------------------------------------------------------------- schemathesis


async def _run_schemathesis(
    server: Server, folder: Path, examples: int, account: _Account | None = None
) -> SchemathesisCounts:
    """Run schemathesis, as nobody or by the token of an account; return its counts."""
    written = folder / "report.json"
    command = [
        str(Path(sys.executable).with_name("schemathesis")), "run", f"{server.url}/api/v1/openapi.json",
        "--max-examples", str(examples), "--seed", "1", "--continue-on-failure", "--warnings", "off",
        "--report-json-path", str(written), "--request-timeout", str(PATIENCE),
        # A schema cannot tell which cursors a list gave, nor which formats a game has. A new population has no newest
        # generation yet, which the other check takes for a part of it.
        "--exclude-checks", "positive_data_acceptance,ensure_resource_availability",
    ]  # fmt: skip
    environment: Mapping[str, str] = os.environ
    if account is not None:
        command += ["--header", f"Authorization: Bearer {account.token}"]
        environment = {**os.environ, **account.environment}
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT, cwd=folder, env=environment
    )
    async with asyncio.timeout(PATIENCE):
        output, _ = await process.communicate()
    (folder / "output.txt").write_bytes(output)
    assert process.returncode == 0, output.decode()[-6000:]
    report = json.loads(written.read_text())
    answers = Counter(
        {
            kind: sum(phase[kind] for route in report["valid_rates"].values() for phase in route.values())
            for kind in ("accepted", "rejected")
        }
    )
    return SchemathesisCounts(
        operations=report["operations"]["tested"],
        requests=report["test_cases"]["generated"],
        wrong=report["test_cases"]["with_failures"],
        accepted=answers["accepted"],
        refused=answers["rejected"],
    )
