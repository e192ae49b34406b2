# SPDX-License-Identifier: GPL-3.0-or-later
"""The current operator action: written to the audit log in the same transaction as its changes."""

import contextlib
import getpass
import re
import socket
import time
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import msgspec
from sqlalchemy import Connection, insert

from arena.store import tables
from arena.store.tables import storable

STARTS, STOPS = "the server starts", "the server stops"
COMMAND_LINE = "command line on {0}"
"""Actions of the server, and the origin of commands; pages translate these texts."""

MAX_DETAILS = 4_000
"""Letters that the details of an action may take; longer ones are left out, for their content is in the records."""

_SECRET = re.compile("token|secret|password", re.IGNORECASE)


@dataclass(slots=True)
class Action:
    """An action of an operator, for the audit log."""

    account: str
    """The name of an account of the arena or of the machine, or of a process of the arena."""
    origin: str
    """From where: an address, or a command line."""
    what: str
    details: Mapping[str, Any] = field(default_factory=dict)
    written: bool = False


_current: ContextVar[Action | None] = ContextVar("action", default=None)


@contextlib.contextmanager
def acting(action: Action) -> Iterator[Action]:
    """Attribute all writes in this context to an action; the first transaction adds it to the audit log."""
    token = _current.set(action)
    try:
        yield action
    finally:
        _current.reset(token)


@contextlib.contextmanager
def preparing() -> Iterator[None]:
    """Attribute the writes in this context to no action: they prepare one, which may still be refused."""
    token = _current.set(None)
    try:
        yield
    finally:
        _current.reset(token)


def pending() -> Action | None:
    """Return the action that goes on and is not written down yet."""
    action = _current.get()
    return None if action is None or action.written else action


def note(connection: Connection, action: Action) -> None:
    """Write an action down."""
    row = {
        "time": time.time(),
        "account": storable(action.account)[:200],
        "origin": storable(action.origin)[:200],
        "action": storable(action.what)[:200],
        "details": storable(_details(action.details)),
    }
    connection.execute(insert(tables.audit_log), row)


def by_this_process(what: str, details: Mapping[str, Any] | None = None) -> Action:
    """Return an action of the user who runs this process."""
    return Action(_user(), COMMAND_LINE.format(socket.gethostname()), what, details or {})


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user without a name, as in containers
        return "unknown user"


def _details(details: Mapping[str, Any]) -> str:
    text = msgspec.json.encode(_without_secrets(dict(details))).decode()
    if len(text) <= MAX_DETAILS:
        return text
    return msgspec.json.encode({"left out": f"{len(text)} letters"}).decode()


def _without_secrets(value: Any) -> Any:
    """Return a value without fields that are named token, secret or password."""
    if isinstance(value, Mapping):
        return {key: _without_secrets(each) for key, each in value.items() if not _SECRET.search(str(key))}
    if isinstance(value, list | tuple):
        return [_without_secrets(each) for each in value]
    return value
