# SPDX-License-Identifier: GPL-3.0-or-later
"""Tag sections of PGN and PDN: the seven standard tags, then the additional tags of match runners.

``Tags`` reads them, ``write`` writes them from a record. Tags without a field in ``Record`` are kept in
``Record.tags``.
"""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from engine.match.ending import Termination
from engine.match.record import RESULTS, Player, Record


class Tag(NamedTuple):
    """A tag that is written from a record."""

    name: str
    meaning: str
    """For the documentation, in Markdown."""
    value: Callable[[Record], str | None]
    """Returns its value; None or empty: unknown."""


class PlayerTag(NamedTuple):
    """A tag of a player: its name follows the colour, as in "WhiteElo"."""

    name: str
    meaning: str
    """For the documentation, in Markdown, after "White's " or "Black's "."""
    value: Callable[[Player], str | None]
    """Returns its value; None: the tag is left out."""


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


def date(moment: str | None) -> str:
    """Convert an ISO 8601 date, perhaps incomplete, to "2024.05.01", with "??" for missing parts."""
    parts = (moment or "").partition("T")[0].split("-")
    return ".".join((parts[i : i + 1] or [""])[0] or "????"[: 4 if i == 0 else 2] for i in range(3))


# ---------------------------------------------------------------- from a record

EVENT = (
    Tag("Event", "name of the event, such as the tournament", lambda record: record.event),
    Tag("Site", "place of the game, or address of the server", lambda record: record.site),
    Tag("Date", "day of its start; `??` for unknown parts", lambda record: date(record.started)),
    Tag("Round", "round, board and game in the event", lambda record: record.round),
)
"""The first standard tags."""

COLOURS = ("White", "Black")
"""The standard tags with the names of the players."""

RESULT = Tag("Result", "`1-0`, `0-1`, `1/2-1/2`, or `*` for a game without a result", lambda record: record.result)
"""The last standard tag."""

OF_PLAYERS = (
    PlayerTag(
        "Elo",
        "rating before the game, in whole points",
        lambda player: None if player.rating is None else f"{player.rating:.0f}",
    ),
    PlayerTag("Version", "version, to which the rating belongs", lambda player: player.version or None),
)

MORE = (
    Tag(
        "TimeControl",
        "as the arena writes it: `60+0.5` (seconds and increment), `40/60+0.5` (for 40 moves), `5/move` or "
        "`10M instructions/move`",
        lambda record: record.time_control,
    ),
    Tag(
        "Termination",
        "the kind of end, in the words of PGN",
        lambda record: record.termination.pgn if record.termination else None,
    ),
    Tag(
        "TerminationDetails",
        "the termination by the rules of the arena, and the details after a colon",
        lambda record: record.termination and record.termination + (f": {record.detail}" if record.detail else ""),
    ),
    Tag(
        "Points",
        "payoffs of both seats in a game that is not zero-sum, as in `480 455`",
        lambda record: None if record.points is None else " ".join(map(repr, record.points)),
    ),
    Tag(
        "SetUp",
        "`1`: the game began at the position of `FEN`",
        lambda record: None if record.start is None else "1",
    ),
    Tag("FEN", "the initial position; without it, the usual start of the game", lambda record: record.start),
    Tag("PlyCount", "number of moves, opening included", lambda record: str(len(record.opening) + len(record.moves))),
    Tag(
        "GameStartTime",
        "start of the game, by ISO 8601",
        lambda record: record.started if record.started and "T" in record.started else None,
    ),
    Tag("GameEndTime", "end of the game, by ISO 8601", lambda record: record.finished),
    Tag(
        "Seed",
        "seed of the game, which determines its random choices",
        lambda record: None if record.seed is None else str(record.seed),
    ),
)
"""The tags behind those of the format and of the players. A tag without a value is left out."""

SEVEN = (*(tag.name for tag in EVENT), *COLOURS, RESULT.name)
"""The names of the seven standard tags, in order. Their unknown values are "?"."""


def write(record: Record, seats: tuple[str, str], special: Sequence[Tag] = ()) -> Iterator[str]:
    """Yield the tag section of a record line by line.

    ``seats``: the names of the colours by seat; ``special``: additional tags of the format.
    """
    names = dict(zip(seats, (player.name for player in record.players), strict=True))
    given = {tag.name: tag.value(record) for tag in (*EVENT, RESULT)} | names
    for name in SEVEN:
        yield line(name, given[name] or "?")
    players = list(zip(seats, record.players, strict=True))
    more = {tag.name: tag.value(record) for tag in special}
    more |= {f"{seat}{tag.name}": tag.value(player) for seat, player in players for tag in OF_PLAYERS}
    more |= {tag.name: tag.value(record) for tag in MORE} | record.tags
    for name, value in more.items():
        if name not in SEVEN and value is not None:
            yield line(name, value)


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

    def points(self) -> tuple[float, float] | None:
        """Take the payoffs of both seats; None if they are not two numbers."""
        try:
            first, second = map(float, self.take("Points").split())
        except ValueError:
            return None
        return (first, second) if math.isfinite(first) and math.isfinite(second) else None

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
