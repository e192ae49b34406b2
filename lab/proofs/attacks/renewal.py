# SPDX-License-Identifier: GPL-3.0-or-later
"""Hooks of schemathesis: they renew the sender after requests that end it, and count the answers by status.

Schemathesis gets the first secret of the sender as a header. The hooks replace it by the present one where a request
has it; requests that the checks send without it, or with another one, stay as they are. In every second request that
needs a password or a one-time code, the hooks put in the right one. Schemathesis loads this file by its path.
"""

import asyncio
import atexit
import os
import threading
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import schemathesis

from arena.store import Store
from tests.features.accounts.senders import Secret, Sender, renew, secret_for

SECRETS: dict[str, dict[str, Secret]] = {
    "POST /api/v1/accounts": {"code": "invitation"},
    "POST /api/v1/password-resets": {"code": "reset"},
    "POST /api/v1/email-confirmations": {"code": "email"},
    "POST /api/v1/sessions": {"name": "name", "password": "password"},
    "POST /api/v1/account/second-factor": {"password": "password"},
    "POST /api/v1/account/second-factor/confirm": {"code": "step"},
    "POST /api/v1/account/second-factor/remove": {"password": "password"},
    "POST /api/v1/account/delete": {"password": "password"},
    "POST /api/v1/account/password": {"old": "password"},
    "POST /api/v1/account/email": {"password": "password"},
}
"""Fields of a body that need a secret, by operation."""
ENDING = ("/api/v1/account", "/api/v1/sessions", "/api/v1/password-resets", "/api/v1/bots/")
"""Requests with such paths can end the sender, if they succeed."""


class Renewal:
    """The sender of this run of schemathesis."""

    def __init__(self, sender: Sender, database: str, written: Path) -> None:
        self.sender = sender
        self.first = sender.secret
        self.stale = True
        self.renewals = 0
        self.statuses = Counter[int]()
        self._bots = list(sender.bots)
        """Those that the settings of schemathesis name."""
        self._sent = Counter[str]()
        self._runner = asyncio.Runner()
        self._store = self._runner.run(Store.open(database))
        self._written = written
        self._turn = threading.Lock()

    def prepare(self, case: schemathesis.Case[Any]) -> None:
        """Let the sender act, and complete a request."""
        with self._turn:
            if self.stale:
                self.renewals += self._runner.run(renew(self._store, self.sender))
                self.stale = False
            label = case.operation.label
            self._sent[label] += 1
            if self._sent[label] % 2 and isinstance(case.body, dict):
                for name, kind in SECRETS.get(label, {}).items():
                    self._fill(case, name, kind)
            number = str((case.path_parameters or {}).get("id"))
            if case.operation.path.startswith("/api/v1/bots/") and number in map(str, self._bots):
                case.path_parameters["id"] = self.sender.bots[list(map(str, self._bots)).index(number)]

    def _fill(self, case: schemathesis.Case[Any], name: str, kind: Secret) -> None:
        if isinstance(case.body, dict) and isinstance(case.body.get(name), str):
            secret = self._runner.run(secret_for(self._store, self.sender, kind))
            if secret is not None:
                case.body = {**case.body, name: secret}

    def authorise(self, request: Any) -> Any:
        """Replace the first secret by the present one, in a request that is about to be sent.

        A browser with the cookie of a session sends no token, which schemathesis would add.
        """
        for name in ("Authorization", "Cookie"):
            shown = request.headers.get(name)
            if self.first and isinstance(shown, str) and self.first in shown:
                request.headers[name] = shown.replace(self.first, self.sender.secret)
                if name == "Cookie":
                    request.headers.pop("Authorization", None)
        return request

    def note(self, case: schemathesis.Case[Any], status: int) -> None:
        """Count an answer; the next request renews the sender if this one may have ended it."""
        with self._turn:
            self.statuses[status] += 1
            changed = case.operation.method.upper() == "POST" and case.operation.path.startswith(ENDING)
            self.stale = self.stale or status == 401 or (changed and status == 200)

    def write(self) -> None:
        """Write the counts to the file."""
        statuses = {str(status): count for status, count in sorted(self.statuses.items())}
        self._written.write_bytes(msgspec.json.encode({"renewals": self.renewals, "statuses": statuses}))


@cache
def renewal() -> Renewal:
    """Return the sender that the environment describes."""
    sender = msgspec.json.decode(os.environ["PROOF_SENDER"], type=Sender)
    made = Renewal(sender, os.environ["PROOF_DATABASE"], Path(os.environ["PROOF_ANSWERS"]))
    atexit.register(made.write)
    return made


@schemathesis.hook
def before_call(context: schemathesis.HookContext, case: schemathesis.Case[Any], kwargs: dict[str, Any]) -> None:
    """Send the request as the sender that acts now."""
    renewal().prepare(case)
    kwargs["auth"] = renewal().authorise


@schemathesis.hook
def after_call(context: schemathesis.HookContext, case: schemathesis.Case[Any], response: Any) -> None:
    """Count the answer."""
    renewal().note(case, response.status_code)
