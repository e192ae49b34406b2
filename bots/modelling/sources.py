# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of games as studies and models read them: one player's games of one game, and what was left out."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bots.game_files import read
from bots.modelling.players import Who, most_frequent, variants
from bots.modelling.replay import Skips
from engine.formats.format import Unreadable
from engine.record import Record


@dataclass(frozen=True)
class Source:
    """The games of a player in a file."""

    path: Path
    who: Who
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
    who = Who(most_frequent(everything) if player is None else player)
    own = [record for record in everything if who.seat(record) is not None]
    skips["without the player on one seat"] += len(everything) - len(own)
    if not own:
        raise ValueError(f"{path} has no game of {who.pattern!r}")
    kinds = [record.game for record in own]
    wanted = game or max(set(kinds), key=kinds.count)
    taken = [record for record in own if record.game == wanted]
    for kind in set(kinds) - {wanted}:
        skips[f"of {kind[:40]}, not {wanted}"] += kinds.count(kind)
    if not taken:
        raise ValueError(f"{path} has no game of {wanted} by {who.pattern!r}")
    return Source(path, who, wanted, taken, variants(taken, who), Skips(+skips))


def files(path: Path) -> Iterator[Path]:
    """Yield the file, or the files of games in the folder by name. Raises ValueError when the folder has none."""
    if not path.is_dir():
        yield path
        return
    found = [one for one in sorted(path.iterdir()) if one.suffix.lower() in {".pgn", ".pdn", ".jsonl"}]
    if not found:
        raise ValueError(f"there are no files of games in {path}")
    yield from found
