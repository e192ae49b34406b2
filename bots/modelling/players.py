# SPDX-License-Identifier: GPL-3.0-or-later
"""Finding a player's games among others: names are spelled in many ways."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from engine.record import Record


def plain(name: str) -> str:
    """Return a name in small letters without accents, its words parted by single spaces."""
    letters = unicodedata.normalize("NFKD", name)
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return " ".join(re.sub(r"[,.;_\s]+", " ", bare).casefold().split())


@dataclass(frozen=True, slots=True)
class Who:
    """A pattern that the names of one player match.

    With ``*`` or ``?`` it stands for the whole name; otherwise each of its words begins a word of the name, in any
    order, so that "fischer r" finds "Fischer, Robert James". Alternatives are parted by "|". Letters' case, accents and
    commas count for nothing.
    """

    pattern: str

    def __post_init__(self) -> None:
        if not any(plain(one) for one in self.pattern.split("|")):
            raise ValueError(f"{self.pattern[:40]!r} is no name")

    def matches(self, name: str) -> bool:
        """Return whether this is a name of the player."""
        return any(_matches(plain(one), plain(name)) for one in self.pattern.split("|"))

    def seat(self, record: Record) -> int | None:
        """Return where the player sat; None where on no seat, or, by the pattern, on both."""
        first, second = (self.matches(player.name) for player in record.players)
        return None if first == second else int(second)


def _matches(pattern: str, name: str) -> bool:
    if "*" in pattern or "?" in pattern:
        return fnmatchcase(name, pattern)
    words = name.split()
    return bool(pattern) and all(any(word.startswith(part) for word in words) for part in pattern.split())


def most_frequent(records: Iterable[Record]) -> str:
    """Return the name that most games bear. Raises ValueError when there are no games."""
    names = Counter(player.name for record in records for player in record.players if player.name != "?")
    if not names:
        raise ValueError("there are no games")
    return names.most_common(1)[0][0]


def variants(records: Iterable[Record], who: Who) -> dict[str, int]:
    """Return the spellings that a pattern found, with the games of each, the most frequent first."""
    found = Counter(player.name for record in records for player in record.players if who.matches(player.name))
    return dict(found.most_common())
