# SPDX-License-Identifier: GPL-3.0-or-later
"""How an arena is: whether matches of each game can start, whether its database works, and if not, why."""

from collections.abc import Mapping
from typing import NamedTuple


class Readiness(NamedTuple):
    """Whether matches of a game can start."""

    ready: bool
    reason: str
    """Why not, for people; "" when they can."""


class Health(NamedTuple):
    """How an arena is."""

    ready: bool
    """Whether matches of every offered game can start, and those that a restart left were taken up."""
    games: Mapping[str, Readiness]
    trouble: str
    """Why the database does not work, for people; "" when it does."""
    reasons: list[str]
    """All reasons why the server is not ready, for people, including running compilations."""
    problems: list[str]
    """Those of the reasons that do not pass by themselves."""


def assess(
    games: Mapping[str, tuple[bool, str, bool]], *, prepared: bool, trouble: str, lost: str, warming: str
) -> Health:
    """Return how an arena is.

    ``games``: of each game whether its rules are loaded, why they are not, and whether that failed; ``prepared``:
    whether the matches of before a restart were taken up; ``trouble`` with the database, and why it is ``lost`` to
    another server; ``warming``: what else is being prepared, which keeps no match from starting.
    """
    stored = lost or trouble
    found = {
        name: Readiness(loaded and not stored, stored if loaded else reason)
        for name, (loaded, reason, _) in games.items()
    }
    failed = [f"{name}: {reason}" for name, (loaded, reason, failing) in games.items() if failing and not loaded]
    waiting = [f"{name}: {reason}" for name, (loaded, reason, failing) in games.items() if not loaded and not failing]
    problems = [*([stored] if stored else []), *failed]
    reasons = [*problems, *waiting]
    if not prepared and not waiting:
        reasons.append("matches of before the restart are being taken up")
    if warming:
        reasons.append(f"built-in bots are being prepared: {warming}")
    ready = prepared and not stored and all(each.ready for each in found.values())
    return Health(ready, found, stored, reasons, problems)
