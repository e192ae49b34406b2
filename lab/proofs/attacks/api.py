# SPDX-License-Identifier: GPL-3.0-or-later
"""Proofs of the REST API by its OpenAPI document: schemathesis makes the requests, as each kind of sender."""

import asyncio
import contextlib
import json
import os
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

import msgspec
from aiohttp import ClientSession

from arena.store import Store
from lab.proofs.clients import playing, undisturbed
from lab.proofs.ledger import Ledger
from tests.end_to_end.server import Server
from tests.features.accounts.mailbox import mailbox
from tests.features.accounts.senders import SENDERS, Sender, renew

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
    """Requests that are valid as far as the document can tell, and were answered."""


GENE = {"name": "man", "low": 0, "high": 10, "standard": 1}
POPULATION = {"name": "home", "game": "tictactoe", "schema": "tictactoe/lines", "dynamics": "any", "seed": 1, "size": 2}
HOOKS = Path(__file__).with_name("renewal.py")


async def prove_api(ledger: Ledger) -> None:
    """REST API by sender

    Every operation of the OpenAPI document answers as the document says, to nobody, to a bot's token, to an island's
    token, and to tokens and sessions of an owner, an organiser and an administrator: a documented status, content type
    and shape, never a failure of the server (5xx). It refuses invalid parameters, and requests without the secret.
    schemathesis makes the requests from the document, with a fixed seed; those of a session come from a page of the
    arena. No request is left out: after one that ends the sender (it signs out, deletes the account, changes the
    password), the next one comes from the repaired account with a new session or token. Every second request that needs
    a password or a one-time code has the right one. The arena has all features: finished matches, accounts, bots and
    uploaded versions of each account, an SMTP server, and what the requests themselves make. Limits for each account
    are so high that no request reaches them, but for those of mails and of estimates of passwords. Matches of
    other bots continue undisturbed beside the requests without a secret.
    """
    options = (*OPTIONS, "--ladder", "false", *NO_LIMITS)
    async with mailbox() as box, ledger.serving(*options, *_mail(box.port)) as server:
        await server.ready()
        async with playing(server, 1, rate=20):
            await asyncio.sleep(3)
        senders = [Sender(kind, role, server.url) for kind, role in SENDERS]
        async with await Store.open(server.database) as store:
            for sender in senders:
                await renew(store, sender)
            await _furnish(store, senders)
        total = Counter[str]()
        for sender in senders:
            async with await Store.open(server.database) as store:
                await renew(store, sender)
            async with contextlib.AsyncExitStack() as matches:
                # administrators may end them
                allowed = sender.kind == "nobody"
                beside = await matches.enter_async_context(playing(server, TABLES, rate=20)) if allowed else None
                report = await _sent_by(sender, server, ledger)
            if beside is not None:
                undisturbed(beside)
                ledger.note(f"moves of the matches beside {sender.name}", beside.moves)
            ledger.note(f"requests, {sender.name}", report.requests)
            ledger.note(f"valid requests answered, {sender.name}", report.accepted)
            answers = msgspec.json.decode((ledger.folder / sender.name / ANSWERS).read_bytes(), type=Answers)
            ledger.note_counts(f"answers by status, {sender.name}", answers.statuses)
            ledger.note(f"times with a new secret, {sender.name}", answers.renewals)
            assert not [status for status in answers.statuses if int(status) >= HTTPStatus.INTERNAL_SERVER_ERROR]
            total.update(requests=report.requests, wrong=report.wrong)
            total["operations"] = report.operations
        failures = _failures(server)
    ledger.note("operations, all tried by each sender", total["operations"])
    ledger.note("requests", total["requests"])
    ledger.note("answers that are not as the document says", total["wrong"])
    ledger.note("failures in the log of the server", failures)
    assert not failures


ANSWERS = "answers.json"


class Answers(msgspec.Struct, frozen=True):
    """What the hooks of schemathesis counted."""

    renewals: int
    statuses: dict[str, int]


def _mail(port: int) -> tuple[str, ...]:
    """Return the options of an arena that mails to a mailbox on this machine."""
    server = "--smtp-host", "127.0.0.1", "--smtp-port", str(port), "--smtp-encryption", "none"
    return *server, "--mail-from", "arena@example.org", "--mail-url", "https://arena.example.org"


async def _sent_by(sender: Sender, server: Server, ledger: Ledger) -> SchemathesisCounts:
    """Run schemathesis as a sender."""
    folder = ledger.place(sender.name)
    (folder / "schemathesis.toml").write_text(_settings(sender.bots))
    environment = {
        "SCHEMATHESIS_HOOKS": str(HOOKS),
        "PROOF_SENDER": msgspec.json.encode(sender).decode(),
        "PROOF_DATABASE": server.database,
        "PROOF_ANSWERS": str(folder / ANSWERS),
    }
    return await _run_schemathesis(server, folder, ledger.times(EXAMPLES, 3), sender.headers, environment)


def _settings(bots: list[int]) -> str:
    """Return a configuration by which most requests name something that there is, or that may be made."""
    return f"""\
[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 406, 409, 413, 415, 426, 429]

[dictionaries]
numbers = {{ values = {sorted({1, 2, 3, *bots})} }}
versions = {{ values = [1] }}
games = {{ values = ["tictactoe", "nim"] }}
names = {{ values = ["newcomer", "owner-0", "cup"] }}
passwords = {{ values = ["the password of a newcomer"] }}
addresses = {{ values = ["somebody@example.org"] }}

[parameters]
"path.id" = {{ dictionary = "numbers", probability = 0.67 }}
"path.version" = {{ dictionary = "versions", probability = 0.67 }}
"body.game" = {{ dictionary = "games", probability = 0.67 }}
"body.name" = {{ dictionary = "names", probability = 0.33 }}
"body.password" = {{ dictionary = "passwords", probability = 0.67 }}
"body.new" = {{ dictionary = "passwords", probability = 0.67 }}
"body.email" = {{ dictionary = "addresses", probability = 0.67 }}
"""


async def _furnish(store: Store, senders: Sequence[Sender]) -> None:
    """Make a tournament of bots and a population, as an organiser."""
    organiser = next(sender for sender in senders if (sender.kind, sender.role) == ("token", "organiser"))
    found = [await store.bots.get(sender.bots[0]) for sender in senders]
    entries = [{"name": bot.name} for bot in found if bot is not None]
    tournament = {"name": "cup", "game": "nim", "format": {"kind": "round-robin"}, "entries": entries}
    await _post(organiser, "tournaments", tournament)
    await _post(organiser, "populations", {**POPULATION, "genes": [GENE, {**GENE, "name": "king"}]})


async def _post(sender: Sender, path: str, body: object) -> None:
    async with (
        ClientSession(headers=sender.headers) as http,
        http.post(f"{sender.url}/api/v1/{path}", json=body) as response,
    ):
        assert response.status == 200, await response.text()


def _failures(server: Server) -> int:
    return server.log.count("request failed") + server.log.count("database error")


# ---------------------------------------------------------------- schemathesis


async def _run_schemathesis(
    server: Server,
    folder: Path,
    examples: int,
    headers: Mapping[str, str],
    environment: Mapping[str, str],
) -> SchemathesisCounts:
    """Run schemathesis with headers of a sender, and with variables of the environment; return its counts."""
    written = folder / "report.json"
    command = [
        str(Path(sys.executable).with_name("schemathesis")), "run", f"{server.url}/api/v1/openapi.json",
        "--max-examples", str(examples), "--seed", "1", "--continue-on-failure", "--warnings", "off",
        "--report-json-path", str(written), "--request-timeout", str(PATIENCE), "--workers", "1",
        # A schema cannot tell which cursors a list gave, nor which formats a game has. A new population has no newest
        # generation yet, which the other check takes for a part of it.
        "--exclude-checks", "positive_data_acceptance,ensure_resource_availability",
    ]  # fmt: skip
    command += [word for name, value in headers.items() for word in ("--header", f"{name}: {value}")]
    process = await asyncio.create_subprocess_exec(
        *command,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        cwd=folder,
        env={**os.environ, **environment},
    )
    async with asyncio.timeout(PATIENCE):
        output, _ = await process.communicate()
    (folder / "output.txt").write_bytes(output)
    assert process.returncode == 0, output.decode()[-6000:]
    report = json.loads(written.read_text())
    return SchemathesisCounts(
        operations=report["operations"]["tested"],
        requests=report["test_cases"]["generated"],
        wrong=report["test_cases"]["with_failures"],
        accepted=sum(phase["accepted"] for route in report["valid_rates"].values() for phase in route.values()),
    )
