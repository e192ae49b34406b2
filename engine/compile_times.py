# SPDX-License-Identifier: GPL-3.0-or-later
"""How long compiling takes: seconds of processor time for the rules of a game, and for what each bot needs to play it.

Every job that was compiled here before takes about as long as it took then; the file ``compile-times.json`` beside the
cache directories holds that. For other jobs there are figures that were measured once; for other games a guess. How
many seconds of the clock one of processor time takes, on a machine with other work, is measured as jobs are done.
"""

import contextlib
import json
from collections.abc import Mapping

from engine import runtime

RULES = "rules"
"""The job of a game that compiles its rules; other jobs are called by the bot that they are done for."""

LOADING = 0.3
"""Seconds to load what is in the cache."""

KNOWN = {
    "tictactoe": {RULES: 0.5, "minimax-2": 1.0, "alphabeta-4": 3.0, "play-1k": 12.0},
    "nim": {RULES: 0.8, "minimax-2": 1.5, "alphabeta-4": 3.0, "play-1k": 13.0},
    "einstein": {RULES: 1.4, "minimax-2": 5.0},
    "checkers/lecture": {RULES: 3.0, "minimax-2": 2.5, "alphabeta-4": 7.0, "play-1k": 23.0},
    "checkers": {RULES: 3.5, "minimax-2": 2.5, "alphabeta-4": 7.0, "play-1k": 24.0},
    "chess": {RULES: 9.0, "alphabeta-4": 6.0, "play-1k": 24.0},
}
"""Measured; a bot that is not listed shares what is compiled for others before it."""

GUESS = {RULES: 2.0, "minimax-2": 2.0, "alphabeta-4": 4.0, "play-1k": 15.0}
"""For games that nobody measured."""

FILE = "compile-times.json"

_PRIOR = 2.0
"""Seconds of processor time by which a pace of 1 is held likely before anything was measured."""


def expected(game: str, job: str) -> float:
    """Return the seconds of processor time that a job takes where nothing of it is in the cache."""
    learned = _read().get(game, {}).get(job)
    return learned if learned is not None else KNOWN.get(game, GUESS).get(job, LOADING)


def note(game: str, job: str, seconds: float) -> None:
    """Note what a job took, as far as the file can be written.

    A job that goes on where a killed process left it takes less, so at least half of what was known is kept.
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
    """Return games in the order in which they are compiled.

    ``left``: the seconds that each game still takes; ``waiting``: how many kinds of people and programs wait for a
    game. The most awaited comes first; of equals the quickest, so that small games do not wait for large ones.
    """
    return sorted(left, key=lambda game: (-waiting.get(game, 0), left[game]))


class Pace:
    """How many seconds of the clock one second of processor time takes, by what was done so far."""

    def __init__(self) -> None:
        self._clock = self._processor = _PRIOR

    def note(self, clock: float, processor: float) -> None:
        """Take in a job that is done."""
        self._clock += clock
        self._processor += processor

    def clock(self, processor: float) -> float:
        """Return the seconds of the clock for so many of processor time."""
        return processor * max(1.0, self._clock / self._processor)


def about(seconds: float) -> str:
    """Return a time to come, for people: "about 40 s"."""
    if seconds < 5:
        return "a few seconds"
    if seconds < 90:
        return f"about {5 * round(seconds / 5)} s"
    return f"about {round(seconds / 60)} min"
