# SPDX-License-Identifier: GPL-3.0-or-later
"""Tag sections of PGN and PDN: the seven standard tags, then the additional tags of match runners.

``Tags`` reads them, ``write`` writes them from a record. Tags without a field in ``Record`` are kept in
``Record.tags``.
"""

import math
import re
from collections.abc import Iterator

from engine.ending import Termination
from engine.record import RESULTS, Player, Record

SEVEN = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
"""The seven standard tags, in order."""

_PAIR = re.compile(r'\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]')
_DATE = re.compile(r"(\d{4})(?:\.(\d\d)(?:\.(\d\d))?)?(?:\.\?\?)*")
_UNTOLD = re.compile(r"[\x00-\x1f\x7f]+")


def pairs(line: str) -> list[tuple[str, str]]:
    """Return the tag pairs of a line, usually one; unpaired surrogates become "?"."""
    whole = line.encode(errors="replace").decode()
    return [(name, re.sub(r"\\(.)", r"\1", value)) for name, value in _PAIR.findall(whole)]


def line(name: str, value: str) -> str:
    """Write a tag pair as a line."""
    escaped = _UNTOLD.sub(" ", value).replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]\n'


# ---------------------------------------------------------------- from a record


def write(record: Record, seats: tuple[str, str], special: dict[str, str]) -> Iterator[str]:
    """Yield the tag section of a record line by line.

    ``seats``: the names of the colours by seat; ``special``: additional tags of the format.
    """
    names = dict(zip(seats, (player.name for player in record.players), strict=True))
    given = {
        "Event": record.event,
        "Site": record.site,
        "Date": date(record.started),
        "Round": record.round,
        "Result": record.result,
        **names,
    }
    for name in SEVEN:
        yield line(name, given[name] or "?")
    for name, value in {**special, **_more(record, seats), **record.tags}.items():
        if name not in SEVEN:
            yield line(name, value)


def date(moment: str | None) -> str:
    """Convert an ISO 8601 date, perhaps incomplete, to "2024.05.01", with "??" for missing parts."""
    parts = (moment or "").partition("T")[0].split("-")
    return ".".join((parts[i : i + 1] or [""])[0] or "????"[: 4 if i == 0 else 2] for i in range(3))


def _more(record: Record, seats: tuple[str, str]) -> dict[str, str]:
    more: dict[str, str | None] = {}
    for seat, player in zip(seats, record.players, strict=True):
        more[f"{seat}Elo"] = None if player.rating is None else f"{player.rating:.0f}"
        more[f"{seat}Version"] = player.version or None
    more["TimeControl"] = record.time_control
    if record.termination:
        more["Termination"] = record.termination.pgn
        more["TerminationDetails"] = record.termination + (f": {record.detail}" if record.detail else "")
    if record.start is not None:
        more["SetUp"], more["FEN"] = "1", record.start
    more["PlyCount"] = str(len(record.opening) + len(record.moves))
    more["GameStartTime"] = record.started if record.started and "T" in record.started else None
    more["GameEndTime"] = record.finished
    more["Seed"] = None if record.seed is None else str(record.seed)
    return {name: value for name, value in more.items() if value is not None}


# ---------------------------------------------------------------- to a record


class Tags(dict[str, str]):
    """The tags of a game; taken tags are removed, the rest goes to the record."""

    def take(self, name: str) -> str:
        """Return and remove a tag; "" if it is missing, empty or unknown ("?", "-")."""
        value = self.pop(name, "").strip()
        return "" if value in {"?", "-"} else value

    def number(self, name: str) -> float | None:
        """Take a number; None if it is not a number."""
        value = self.take(name)
        try:
            number = float(value) if value.isascii() else math.nan
        except ValueError:
            return None
        return number if math.isfinite(number) else None

    def player(self, seat: str) -> Player:
        """Take name, version and rating of a player."""
        return Player(self.take(seat) or "?", self.take(f"{seat}Version"), self.number(f"{seat}Elo"))

    def result(self) -> str | None:
        """Take the result; None if it is not a result."""
        value = self.take("Result")
        return value if value in RESULTS else None

    def termination(self) -> tuple[Termination | None, str]:
        """Take the termination and its detail."""
        standard = self.take("Termination")
        reason, _, detail = self.take("TerminationDetails").partition(": ")
        try:
            known: Termination | None = Termination(reason)
        except ValueError:
            known = None
        return known or (Termination.TIME if standard == "time forfeit" else None), detail if known else ""

    def start(self) -> str | None:
        """Take the initial position."""
        self.pop("SetUp", None)
        return self.take("FEN") or None

    def started(self) -> str | None:
        """Take the start time."""
        found = _DATE.fullmatch(self.take("Date"))
        day = "-".join(part for part in found.groups() if part) if found else None
        return self.take("GameStartTime") or day

    def seed(self) -> int | None:
        """Take the seed."""
        value = self.take("Seed")
        return int(value) if value.isdecimal() and value.isascii() and len(value) < 40 else None
