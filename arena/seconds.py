# SPDX-License-Identifier: GPL-3.0-or-later
"""The beginnings of seconds, at which parts of the arena do what they do every second.

An idle process then wakes once a second for all of them: to wake costs more than most of this work.
"""

import asyncio
import random

_PHASE = random.random()
"""Seconds; so that not all processes of a machine wake at once."""

_EARLY = 0.01
"""Seconds by which a timer may ring too early. What is left of its second is skipped then."""


def until_next_second() -> float:
    """Return for how many seconds to sleep until the next second of this process begins, about 1 at most."""
    left = 1.0 - (asyncio.get_running_loop().time() + _PHASE) % 1.0
    return left if left > _EARLY else left + 1.0
