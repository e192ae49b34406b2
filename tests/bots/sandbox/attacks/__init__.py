# SPDX-License-Identifier: GPL-3.0-or-later
"""Hostile programs: each tries to leave its sandbox, to harm the machine, or to disturb its neighbours.

A program prints ``ESCAPED`` with what it got if it succeeds; it may end as it likes, or not at all.
"""

from tests.bots.sandbox.attacks.attack import SECRET, Attack
from tests.bots.sandbox.attacks.calls import system_calls
from tests.bots.sandbox.attacks.exhaustion import resources, streams
from tests.bots.sandbox.attacks.reach import files, network, reading

__all__ = ["SECRET", "Attack", "attacks"]


def attacks(outside: str, parent: int) -> list[Attack]:
    """Return all. ``outside``: a directory of the machine that holds a secret; ``parent``: a process outside."""
    return [
        *resources(),
        *streams(),
        *reading(outside, parent),
        *network(),
        *files(outside),
        *system_calls(parent),
    ]
