# SPDX-License-Identifier: GPL-3.0-or-later
"""Access to the public games of players in an arena, over its REST API."""

from datetime import datetime
from typing import Any, Protocol

from bots.client.errors import RequestRefused
from bots.client.rest import RestClient
from engine.formats import json_lines
from engine.match.record import Record

NOT_FOUND = 404
MOST = 100
"""Games of a player that are read at once; the newest."""


def is_person(name: str) -> bool:
    """Return whether a player's name is that of a person with an account."""
    return name.startswith("@")


class Library(Protocol):
    """A source of players' games."""

    def allowed(self, name: str) -> bool:
        """Return whether the games of a player may be learned: those of people only if the person allows it."""

    def newer(self, game: str, name: str) -> list[Record]:
        """Return the player's games that were not returned before, the oldest first."""

    def forget(self, game: str, name: str) -> None:
        """Return all of the player's games again when they are asked for next."""

    def lead(self, game: str, name: str, other: str) -> float:
        """Return by how many points of Elo a player is rated above another; 0 where that is not known."""

    def tell(self, model_view: Any) -> None:
        """Publish an opponent model."""


class GameLibrary:
    """The games of an arena. Its calls raise OSError, ArenaError and ValueError if the arena does not answer as one."""

    def __init__(self, arena: str, token: str = "") -> None:
        """``arena``: the address of its play socket; ``token``: the bot's own, for publishing its models."""
        self._rest = RestClient(arena, token)
        self._publishes = bool(token)
        self._numbers: dict[str, int] = {}
        self._until: dict[tuple[str, str], float] = {}
        self._seen: dict[tuple[str, str], set[str]] = {}

    def allowed(self, name: str) -> bool:
        """Return whether the games of a player may be learned: those of people only if the person allows it."""
        return not is_person(name) or self._person(name) is not None

    def newer(self, game: str, name: str) -> list[Record]:
        """Return the player's games that were not returned before, the oldest first; of many the newest."""
        number = self._number(name)
        if number is None:
            return []
        key = game, name
        seen = self._seen.get(key, set())
        found: list[Record] = []
        since = self._until.get(key)
        with self._rest.lines(
            "/matches/export",
            format="jsonl",
            game=game,
            bot=number,
            since=since,
            people="true" if is_person(name) else "false",
        ) as lines:
            for record in json_lines.read(lines):
                if len(found) == MOST:
                    break
                found.append(record)
        fresh = [record for record in reversed(found) if _mark(record) not in seen]
        if found and found[0].finished is not None:
            # the arena filters by whole seconds, and several games can end within one
            self._until[key] = datetime.fromisoformat(found[0].finished).timestamp() - 1
            self._seen[key] = set(map(_mark, found))
        return fresh

    def forget(self, game: str, name: str) -> None:
        """Return all of the player's games again when they are asked for next."""
        self._until.pop((game, name), None)
        self._seen.pop((game, name), None)

    def lead(self, game: str, name: str, other: str) -> float:
        """Return by how many points of Elo a player is rated above another; 0 where that is not known."""
        ratings = [self._rating(game, one) for one in (name, other)]
        return 0.0 if ratings[0] is None or ratings[1] is None else ratings[0] - ratings[1]

    def tell(self, model_view: Any) -> None:
        """Publish an opponent model on the arena's pages."""
        if self._publishes:
            self._rest.post("/opponent-models", model_view)

    def _person(self, name: str, game: str | None = None) -> Any:
        """Return the number and the rating of a person who allows bots to learn; None for others."""
        try:
            return self._rest.get("/people/learning", name=name, game=game)
        except RequestRefused as refused:
            if refused.status == NOT_FOUND:
                return None
            raise

    def _rating(self, game: str, name: str) -> float | None:
        if is_person(name):
            person = self._person(name, game)
            return None if person is None else person["rating"]
        number = self._number(name)
        if number is None:
            return None
        rows = [row for row in self._rest.get(f"/bots/{number}")["ratings"] if row["game"] == game and row["games"]]
        return float(max(rows, key=lambda row: row["games"])["rating"]) if rows else None

    def _number(self, name: str) -> int | None:
        """Return the number of the player of a name, None where there is none."""
        if is_person(name):
            person = self._person(name)
            return None if person is None else person["bot"]
        after: str | None = None
        while name not in self._numbers:
            page = self._rest.get("/bots", limit=100, after=after)
            self._numbers.update((row["name"], row["id"]) for row in page["items"])
            after = page["next"]
            if after is None:
                break
        return self._numbers.get(name)


def _mark(record: Record) -> str:
    return f"{record.started} {record.finished} {record.seed} {record.round} {len(record.moves)}"
