# SPDX-License-Identifier: GPL-3.0-or-later
"""Formatting of numbers, times, names and results for the first paint of pages; the same as ``static/format.js``.

Texts and the signs of numbers are those of the language that the page is rendered in (``web.language``).
"""

import math
import re
import time
from typing import Protocol

from arena.protocol.watching import Ending
from web.language import Text, current, spoken, t

MINUS = "\u2212"

_SCORES = {"1-0": "1–0", "0-1": "0–1", "1/2-1/2": "½–½"}
_VERDICTS = {"1-0": ("win", "loss"), "0-1": ("loss", "win"), "1/2-1/2": ("draw", "draw")}
_POINTS = {"win": "1", "loss": "0", "draw": "½", "void": "–"}
_REASONS = {
    "decided": "",
    "time": Text("on time"),
    "adjudication": Text("by adjudication"),
    "no-progress rule": Text("by the no-progress rule"),
    "ply limit": Text("by the ply limit"),
    "illegal move": Text("by an illegal move"),
    "bad message": Text("by invalid messages"),
    "crash": Text("by a crash"),
    "disconnect": Text("by disconnection"),
    "void": "",
}
_LARGE = ((1e18, "E"), (1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))
_PER_MOVE = re.compile(r"([\d.]+)/move")
_FULL = 0.9995
"""From this share of a size on, three digits round up to the size."""


class _Named(Protocol):
    @property
    def name(self) -> str: ...


def control(text: str | None) -> str:
    """Return a time control as people read it: "1800/move v 2/move" → "30 min v 2 s per move"; others as they are."""
    if not text:
        return t("no clock")
    sides = [_PER_MOVE.fullmatch(side) for side in text.split(" v ")]
    if None in sides:
        return text
    words = [_per_move(side[1]) for side in sides if side is not None]
    return t("{0} per move", f" {t('v')} ".join(words))


def _per_move(seconds: str) -> str:
    number = current().number
    return f"{number(seconds)} s" if float(seconds) % 60 else f"{number(f'{float(seconds) / 60:g}')} min"


def count(value: float) -> str:
    """Return a number rounded to an integer, "12,345" or "−8"; halves round away from zero."""
    whole = math.floor(abs(value) + 0.5)
    return (MINUS if value < 0 < whole else "") + current().number(f"{whole:,}")


def rating(value: float | None, provisional: bool = False) -> str:
    """Return a rating as text; a provisional rating gets a "?"."""
    return "–" if value is None else count(value) + ("?" if provisional else "")


def signed(value: float, digits: int = 0) -> str:
    """Return a number with its sign: "+8", "−1,234", "±0"."""
    text = f"{abs(value):,.{digits}f}"
    return ("±" if not text.strip("0.") else "+" if value > 0 else MINUS) + current().number(text)


def tone(change: float) -> str:
    """Return the CSS class of a rating change."""
    return "muted" if abs(change) < 0.5 else "win" if change > 0 else "loss"


def half(value: float) -> str:
    """2.5 → "2½", 0.5 → "½", -3 → "−3"; other fractions with two digits."""
    sign, size = "−" if value < 0 else "", abs(value)
    whole = int(size)
    if 2 * size % 1:
        return sign + current().number(f"{size:.2f}")
    return f"{sign}{whole}" if size == whole else f"{sign}{whole or ''}½"


def large(value: float | None) -> str:
    """Return 3200000 as "3.2 M"."""
    if value is None:
        return "–"
    for size, letter in _LARGE:
        if value >= _FULL * size:
            return current().number(f"{value / size:.{0 if value >= 99.95 * size else 1}f} {letter}")
    return count(value)


def points_text(score: float | None) -> str:
    """Return a score that a bot reported; scores of 1000 pawn units or more mean a forced win."""
    if score is None:
        return "–"
    return signed(score, 2) if abs(score) < 1000 else t("wins") if score > 0 else t("loses")


def named(player: _Named) -> str:
    """Return a player's name, or "Hidden player" while the match hides names."""
    return player.name or t("Hidden player")


def clock(milliseconds: float) -> str:
    """Return the time on a clock: "1:42"; below twenty seconds "12.7"."""
    left = max(0, int(milliseconds))
    if left < 20_000:
        return current().number(f"{left // 100 / 10:.1f}")
    minutes, seconds = divmod(left // 1000, 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}" if minutes >= 60 else f"{minutes}:{seconds:02}"


def ago(then: float) -> str:
    """Return the age of a Unix time: "12 s ago"."""
    seconds = max(0, int(time.time() - then))
    if seconds >= 86_400:
        return t("{0} d ago", seconds // 86_400)
    if seconds >= 3600:
        return t("{0} h ago", seconds // 3600)
    return t("{0} min ago", seconds // 60) if seconds >= 60 else t("{0} s ago", seconds)


def verdict(result: str | None, seat: int) -> str:
    """Return a result from the side of a seat: win, loss, draw or void."""
    return _VERDICTS.get(result or "", ("void", "void"))[seat]


def score(result: str | None) -> str:
    """Return a result as text: "1–0"."""
    return _SCORES.get(result or "") or t("void")


def points(result: str | None, seat: int) -> str:
    """Return the points of a seat: "1", "0", "½" or "–"."""
    return _POINTS[verdict(result, seat)]


def reason(termination: str) -> str:
    """Return how a match ended, as text after "won" or "Draw"; empty when it ended by the rules of the game."""
    return str(spoken(_REASONS[termination])) if termination in _REASONS else t("by {0}", termination)


def how(ending: Ending | None) -> str:
    """Return how a match ended, as text after "won" or "Draw", with the points of the winner if they are not 1, or of
    both players, the winner's first, if the game is not zero-sum; without them if the decision tells them first.
    """
    if ending is None:
        return ""
    decision = ending.decision
    way = t(decision.words, *map(half, decision.values)) if decision else reason(ending.termination)
    return ", ".join(filter(None, (way, _points(ending))))


def _points(ending: Ending) -> str:
    told = ending.decision.values[:1] if ending.decision else []
    if ending.points is not None:
        first, second = ending.points[::-1] if ending.result == "0-1" else ending.points
        return "" if first in told else t("{0} to {1} points", f"{first:g}", f"{second:g}")
    return "" if ending.payoff in (1, *told) else t("{0} points", f"{ending.payoff:g}")
