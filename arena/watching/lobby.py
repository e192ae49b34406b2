# SPDX-License-Identifier: GPL-3.0-or-later
"""Lobby messages: encoded once for all spectators with the same parameters, whole or as changes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from msgspec import UNSET, structs

from arena.protocol.codec import encode
from arena.protocol.watching import Lobby, LobbyChanged

LOBBIES_KEPT = 50
"""Maximum number of cached lobbies of different parameters, which clients choose."""


class LobbyFrames:
    """The lobby messages for each game, or all, and each number of boards."""

    def __init__(self, make: Callable[[str | None, int], Lobby]) -> None:
        """``make``: returns the present lobby of a game, or of all, with a number of boards."""
        self._make = make
        self._kept: dict[tuple[str | None, int], _Lobbies] = {}

    def frame(self, game: str | None, boards: int, version: int, seen: int | None = None) -> str:
        """Return the message about the lobby of a version: the changes since version ``seen``, if they are known, else
        the whole lobby.
        """
        wanted = game, boards
        kept = self._kept.get(wanted)
        if kept is None or kept.now.version != version:
            if kept is None and len(self._kept) >= LOBBIES_KEPT:
                self._kept.clear()
            lobby = structs.replace(self._make(game, boards), version=version)
            kept = self._kept[wanted] = _Lobbies(lobby, kept.now if kept is not None else None)
        return kept.changes() if kept.before is not None and kept.before.version == seen else kept.whole()

    def __len__(self) -> int:
        """Return the number of cached lobbies."""
        return len(self._kept)


@dataclass(slots=True)
class _Lobbies:
    """The present lobby, the one before, and the messages about them once they are encoded."""

    now: Lobby
    before: Lobby | None
    _whole: str = ""
    _changes: str = ""

    def whole(self) -> str:
        if not self._whole:
            self._whole = encode(self.now)
        return self._whole

    def changes(self) -> str:
        assert self.before is not None
        if not self._changes:
            self._changes = encode(changed(self.before, self.now))
        return self._changes


def changed(before: Lobby, now: Lobby) -> LobbyChanged:
    """Return the changes from a lobby to a later one."""
    known = {seen.match: seen for seen in before.boards}
    order = [seen.match for seen in now.boards]
    parts: dict[str, Any] = {}
    for name in _PARTS:
        value = getattr(now, name)
        parts[name] = UNSET if value == getattr(before, name) else value
    return LobbyChanged(
        version=now.version,
        since=before.version,
        boards=[seen for seen in now.boards if known.get(seen.match) != seen],
        order=UNSET if order == [seen.match for seen in before.boards] else order,
        **parts,
    )


_PARTS = [name for name in Lobby.__struct_fields__ if name not in ("boards", "version")]
