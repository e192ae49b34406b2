# SPDX-License-Identifier: GPL-3.0-or-later
"""Proof of the sandboxes: hostile programs in every kind of sandbox, as root and as an ordinary user."""

import asyncio
import os
from collections import Counter
from typing import Any, Literal, NamedTuple

import pytest

from bots.sandbox.cgroups import Groups, NoGroups
from bots.sandbox.process import Tier
from lab.proofs.ledger import Ledger
from tests.bots.sandbox.test_battery import NOBODY, battery, held


class Kind(NamedTuple):
    """A kind of sandbox, and the user who starts it."""

    tier: Tier
    limits: Literal["groups", "watchdog"]
    user: int | None = None
    """None: the user of this process."""

    def __str__(self) -> str:
        """Return its name, for people."""
        limits = "control groups" if self.limits == "groups" else "watchdog"
        root = self.user is None and os.geteuid() == 0
        return f"{self.tier} with {limits}, as {'root' if root else 'an ordinary user'}"


KINDS = (
    Kind("bubblewrap", "groups"),
    Kind("namespaces", "watchdog", NOBODY),
    Kind("bubblewrap", "watchdog", NOBODY),
    Kind("namespaces", "watchdog"),
    Kind("bubblewrap", "watchdog"),
    Kind("namespaces", "groups"),
)


async def prove_sandboxes(ledger: Ledger) -> None:
    """Hostile programs in sandboxes

    Programs try to use up the machine, to read data of others, to reach other processes, to change the system, and to
    evade the filter of system calls. Each runs in every kind of sandbox, beside a program that plays by the rules. None
    reads or changes anything outside, all their processes end, the other program's answers stay right, and no process,
    file or control group is left.
    """
    ran: list[list[dict[str, Any]]] = []
    for kind in KINDS[: ledger.times(len(KINDS))]:
        try:
            told = await asyncio.to_thread(attacked, kind)
        except (NoGroups, pytest.skip.Exception) as reason:
            ledger.note(str(kind), f"not run: {reason}")
            continue
        *made, left = told
        ran.append(made)
        ledger.note(str(kind), f"{len(made)} programs held; the other program answered {left['answered']:,} times")
    for attempts in zip(*(sorted(made, key=lambda attack: str(attack["name"])) for made in ran), strict=True):
        ledger.note(attempts[0]["name"], f"held in {len(attempts)}: {endings(attempts)}")


def attacked(kind: Kind) -> list[dict[str, Any]]:
    """Run the attacks in a kind of sandbox; return what came of each. Fails if one of them succeeds.

    Raises NoGroups, and pytest's exception for skipped tests.
    """
    if kind.user is not None and os.geteuid() != 0:
        pytest.skip("only root becomes another user")
    if kind.limits == "groups":
        Groups.find()
    told = battery(kind.tier, kind.limits, kind.user)
    held(told)
    return told


def endings(attempts: tuple[dict[str, Any], ...]) -> str:
    """Return how often a program ended by itself, by a limit, or by the end of its match."""
    counted = Counter(map(ending, attempts))
    return "; ".join(how if len(counted) == 1 else f"{how} ({number})" for how, number in counted.most_common())


def ending(attempt: dict[str, Any]) -> str:
    """Return how a program ended, for people."""
    ended: str = attempt["ended"]
    if ended in ("it was still running", "its input is full"):
        return "it was stopped after a second"
    if ended.startswith(("it ended with exit status", "it ended without playing")):
        refused = attempt["tried"]
        return f"it ended, refused attempts: {refused}" if refused else "it ended"
    if ended.startswith(("it used", "it made")):
        return "it was killed at a limit"
    return ended
