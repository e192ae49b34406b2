# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of games: all games of a file, or those of one player: its names, its games, and the skipped games."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from engine import formats
from engine.formats import Unreadable
from engine.match.record import Record


def read(path: Path, left_out: list[Unreadable]) -> Iterator[Record]:
    """Read the games of a file in the format that its name ends in; those that cannot be read are noted.

    Raises ValueError when its name ends in no format's, and OSError when the file cannot be read.
    """
    found = next((each for name, each in formats.catalogue().items() if f".{name}" == path.suffix.lower()), None)
    if found is None:
        raise ValueError(f"{path} is not a file of games, which end in .{', .'.join(formats.catalogue())}")
    with path.open(encoding="utf-8", errors="replace") as file:
        yield from found.read(file, left_out.append)


def plain(name: str) -> str:
    """Return a name in small letters without accents, its words parted by single spaces."""
    letters = unicodedata.normalize("NFKD", name)
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return " ".join(re.sub(r"[,.;_\s]+", " ", bare).casefold().split())


@dataclass(frozen=True, slots=True)
class PlayerName:
    """A pattern that the names of one player match.

    With ``*`` or ``?`` it stands for the whole name; otherwise each of its words begins a word of the name, in any
    order, so that "fischer r" finds "Fischer, Robert James". Alternatives are parted by "|". Letters' case, accents and
    commas count for nothing.
    """

    pattern: str

    def __post_init__(self) -> None:
        if not any(plain(one) for one in self.pattern.split("|")):
            raise ValueError(f"{self.pattern[:40]!r} is not a name")

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


def variants(records: Iterable[Record], name: PlayerName) -> dict[str, int]:
    """Return the spellings that a pattern found, with the games of each, the most frequent first."""
    found = Counter(player.name for record in records for player in record.players if name.matches(player.name))
    return dict(found.most_common())


class Skips(Counter[str]):
    """Numbers of skipped games by reason."""

    def told(self) -> str:
        """Return the reasons and numbers as text, "" if no game was skipped."""
        return "; ".join(f"{count:,} {reason}" for reason, count in self.most_common())


@dataclass(frozen=True)
class Source:
    """The games of a player in a file."""

    path: Path
    player: PlayerName
    game: str
    records: list[Record]
    names: dict[str, int]
    """The spellings of its name that were found, with the games of each."""
    skips: Skips
    """What was left out, and why."""


def source(path: Path, player: str | None = None, game: str | None = None) -> Source:
    """Read a player's games: those of the pattern, or of the name that most games bear.

    ``game``: the only one that is taken; None: that of most of the player's games. Raises ValueError, with a message
    for people, when there are none, and OSError when the file cannot be read.
    """
    unreadable: list[Unreadable] = []
    everything = list(read(path, unreadable))
    skips = Skips()
    if unreadable:
        skips[f"unreadable, the first on line {unreadable[0].line}: {unreadable[0].reason}"] = len(unreadable)
    name = PlayerName(most_frequent(everything) if player is None else player)
    own = [record for record in everything if name.seat(record) is not None]
    skips["without the player on one seat"] += len(everything) - len(own)
    if not own:
        raise ValueError(f"{path} has no game of {name.pattern!r}")
    kinds = [record.game for record in own]
    wanted = game or max(set(kinds), key=kinds.count)
    taken = [record for record in own if record.game == wanted]
    for kind in set(kinds) - {wanted}:
        skips[f"of {kind[:40]}, not {wanted}"] += kinds.count(kind)
    if not taken:
        raise ValueError(f"{path} has no game of {wanted} by {name.pattern!r}")
    return Source(path, name, wanted, taken, variants(taken, name), Skips(+skips))


def files(path: Path) -> Iterator[Path]:
    """Yield the file, or the files of games in the folder by name. Raises ValueError when the folder has none."""
    if not path.is_dir():
        yield path
        return
    found = [one for one in sorted(path.iterdir()) if one.suffix.lower() in {".pgn", ".pdn", ".jsonl"}]
    if not found:
        raise ValueError(f"there are no files of games in {path}")
    yield from found
