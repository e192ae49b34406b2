# SPDX-License-Identifier: GPL-3.0-or-later
"""Estimates of compile times: processor time for the rules of a game, and for the code of each bot.

The file ``compile-times.json`` beside the cache directories stores the time of each job that was compiled before. Other
jobs have measured defaults, other games a guess. ``Pace`` measures the ratio of wall time to processor time.
"""

import contextlib
import json
from collections.abc import Mapping
from enum import StrEnum

from engine.native import runtime

RULES = "rules"
"""The job that compiles the rules of a game; other jobs have the names of bots."""

LOADING = 0.3
"""Seconds to load compiled code from the cache."""

KNOWN = {
    "tictactoe": {RULES: 0.5, "minimax-2": 1.1, "alphabeta-4": 2.7, "play-1k": 11.0},
    "nim": {RULES: 0.5, "minimax-2": 1.2, "alphabeta-4": 2.7, "play-1k": 11.0},
    "einstein": {RULES: 0.7, "minimax-2": 3.0},
    "checkers/lecture": {RULES: 1.4, "minimax-2": 1.0, "alphabeta-4": 3.0, "play-1k": 12.0},
    "checkers": {RULES: 1.1, "minimax-2": 1.0, "alphabeta-4": 3.0, "play-1k": 12.0},
    "chess": {RULES: 4.5, "alphabeta-4": 3.1, "play-1k": 13.0},
}
"""Measured defaults in seconds; a bot that is not listed uses code that was compiled for other bots."""

GUESS = {RULES: 1.5, "minimax-2": 1.5, "alphabeta-4": 3.0, "play-1k": 12.0}
"""Defaults of other games."""

FILE = "compile-times.json"


class About(StrEnum):
    """Durations as text; pages translate them."""

    SHORT = "a few seconds"
    SECONDS = "about {0} s"
    MINUTES = "about {0} min"


_PRIOR = 2.0
"""Weight, in seconds of processor time, of the initial ratio 1."""


def expected(game: str, job: str) -> float:
    """Return the estimated processor time of a job in seconds, with an empty cache."""
    learned = _read().get(game, {}).get(job)
    return learned if learned is not None else KNOWN.get(game, GUESS).get(job, LOADING)


def note(game: str, job: str, seconds: float) -> None:
    """Store the processor time of a job, if the file is writable.

    A job that continues the work of a killed process takes less, so the estimate falls at most by half.
    """
    times = _read()
    jobs = times.setdefault(game, {})
    jobs[job] = round(max(seconds, jobs.get(job, 0.0) / 2), 2)
    with contextlib.suppress(OSError):
        runtime.write_whole(runtime.use_cache().parent / FILE, json.dumps(times, indent=1).encode())


def _read() -> dict[str, dict[str, float]]:
    try:
        found = json.loads((runtime.use_cache().parent / FILE).read_bytes())
        return {str(game): {str(job): float(seconds) for job, seconds in jobs.items()} for game, jobs in found.items()}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}


def in_order(left: Mapping[str, float], waiting: Mapping[str, int]) -> list[str]:
    """Return games in the order of compilation.

    ``left``: remaining seconds of each game; ``waiting``: number of waiting users and programs. The game with most
    waiting comes first; of equals the quickest, so that small games do not wait for large ones.
    """
    return sorted(left, key=lambda game: (-waiting.get(game, 0), left[game]))


class Pace:
    """Ratio of wall time to processor time, measured from finished jobs."""

    def __init__(self) -> None:
        self._clock = self._processor = _PRIOR

    def note(self, clock: float, processor: float) -> None:
        """Add a finished job."""
        self._clock += clock
        self._processor += processor

    def clock(self, processor: float) -> float:
        """Convert processor time to wall time."""
        return processor * max(1.0, self._clock / self._processor)


def about(seconds: float) -> str:
    """Return a duration as text: "about 40 s"."""
    if seconds < 5:
        return About.SHORT
    if seconds < 90:
        return About.SECONDS.format(5 * round(seconds / 5))
    return About.MINUTES.format(round(seconds / 60))
