# SPDX-License-Identifier: GPL-3.0-or-later
"""Work that parts of the arena do every second begins at the same moment for all of them.

A process without load then wakes up once a second. To wake up costs more than most of this work.
"""

import asyncio
import random

_PHASE = random.random()
"""Seconds that differ between processes, so that those of a machine do not wake up at once."""

_EARLY = 0.01
"""A timer may ring this many seconds early. Then the sleep lasts until the end of the next second."""


def until_next_second() -> float:
    """Return for how many seconds to sleep until the next second of this process begins, about 1 at most."""
    left = 1.0 - (asyncio.get_running_loop().time() + _PHASE) % 1.0
    return left if left > _EARLY else left + 1.0
