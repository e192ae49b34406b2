# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers, times and names as people read them, for the first paint of a page: as ``static/format.js`` writes them."""

import math
import time
from typing import Protocol

MINUS = "\u2212"

_SCORES = {"1-0": "1–0", "0-1": "0–1", "1/2-1/2": "½–½"}
_VERDICTS = {"1-0": ("win", "loss"), "0-1": ("loss", "win"), "1/2-1/2": ("draw", "draw")}
_POINTS = {"win": "1", "loss": "0", "draw": "½", "void": "–"}
_REASONS = {
    "decided": "",
    "time": "on time",
    "adjudication": "by adjudication",
    "quiet plies": "as nothing was captured for long",
    "ply limit": "at the limit of plies",
    "illegal move": "after an illegal move",
    "bad message": "after bad messages",
    "crash": "after a crash",
    "disconnect": "after a lost connection",
    "void": "",
}
_LARGE = ((1e18, "E"), (1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))
_FULL = 0.9995
"""Of a size, from which three digits are rounded up to it."""


class _Named(Protocol):
    @property
    def name(self) -> str: ...


def count(value: float) -> str:
    """Return a number without a fraction: "12,345"; halves go away from zero."""
    whole = math.floor(abs(value) + 0.5)
    return f"{-whole if value < 0 else whole:,}"


def rating(value: float | None, provisional: bool = False) -> str:
    """Return a rating, with "?" behind it while it is uncertain."""
    return "–" if value is None else count(value) + ("?" if provisional else "")


def signed(value: float, digits: int = 0) -> str:
    """Return a number with its sign: "+8", "−3", "±0"."""
    text = f"{abs(value):.{digits}f}"
    return ("±" if float(text) == 0 else "+" if value > 0 else MINUS) + text


def tone(change: float) -> str:
    """Return the class of a change of rating."""
    return "muted" if abs(change) < 0.5 else "win" if change > 0 else "loss"


def large(value: float | None) -> str:
    """Return 3200000 as "3.2 M"."""
    if value is None:
        return "–"
    for size, letter in _LARGE:
        if value >= _FULL * size:
            return f"{value / size:.{0 if value >= 99.95 * size else 1}f} {letter}"
    return count(value)


def points_text(score: float | None) -> str:
    """Return a score that a bot reported; one beyond any board's material is a win in sight."""
    if score is None:
        return "–"
    return signed(score, 2) if abs(score) < 1000 else "wins" if score > 0 else "loses"


def named(player: _Named) -> str:
    """Return a player's name, or what stands for it while a match hides who plays."""
    return player.name or "Hidden player"


def clock(milliseconds: float) -> str:
    """Return a clock: "1:42", and below twenty seconds "12.7"."""
    left = max(0, int(milliseconds))
    if left < 20_000:
        return f"{left // 100 / 10:.1f}"
    minutes, seconds = divmod(left // 1000, 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}" if minutes >= 60 else f"{minutes}:{seconds:02}"


def ago(then: float) -> str:
    """Return how long ago a Unix time is: "12 s ago"."""
    seconds = max(0, int(time.time() - then))
    for size, unit in ((86_400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds // size} {unit} ago"
    return f"{seconds} s ago"


def verdict(result: str | None, seat: int) -> str:
    """Return what a result is to a seat: win, loss, draw or void."""
    return _VERDICTS.get(result or "", ("void", "void"))[seat]


def score(result: str | None) -> str:
    """Return a result as it is printed."""
    return _SCORES.get(result or "", "void")


def points(result: str | None, seat: int) -> str:
    """Return the points that a seat got."""
    return _POINTS[verdict(result, seat)]


def reason(termination: str) -> str:
    """Return how a match ended, as it stands behind "won" or "Draw"; nothing when the rules ended it."""
    return _REASONS.get(termination, f"by {termination}")
