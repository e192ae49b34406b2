# SPDX-License-Identifier: GPL-3.0-or-later
"""The events of a tournament. A tournament is its description and its events."""

from typing import NamedTuple, Self

from msgspec import Struct, json

from engine.match.ending import ONE


class Slot(NamedTuple):
    """A game's place: round, board and game, each from 1; written "3.1.2", as PGN's Round."""

    round: int
    board: int
    game: int

    def __str__(self) -> str:
        return f"{self.round}.{self.board}.{self.game}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read what ``str`` wrote. Raises ValueError."""
        parts = text.split(".")
        if len(parts) != 3 or not all(part.isdecimal() and part.isascii() for part in parts):
            raise ValueError(f"{text[:40]!r} is not the number of a game: round, board and game")
        return cls(*map(int, parts))


class Pairing(Struct, frozen=True, array_like=True):
    """Two paired players, by their numbers: ``first`` moves first in games 1, 3, ...; ``second`` is None if the first
    player has a bye.
    """

    first: int
    second: int | None


class _Event(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="type", tag=str.lower):
    """Something that happened."""


class Paired(_Event, frozen=True):
    """A round was paired; its boards are numbered from 1 in this order."""

    pairings: tuple[Pairing, ...]
    """The pairings."""


class Played(_Event, frozen=True):
    """A game ended."""

    slot: Slot
    """The game."""
    result: str
    """"1-0" (seat 0 won), "0-1" or "1/2-1/2"."""
    match: int
    """Number of the match."""
    payoff: float = ONE
    """Payoff of the winner, in points."""
    points: tuple[float, float] | None = None
    """Payoffs of both seats in a game that is not zero-sum."""


class Unplayed(_Event, frozen=True):
    """A game without play."""

    slot: Slot
    """The game."""
    scores: tuple[float, float]
    """The score of each player, the first one first."""
    reason: str = ""
    """The reason, for people."""


class Withdrew(_Event, frozen=True):
    """A player has withdrawn."""

    player: int
    """Number of the entry."""
    reason: str = ""
    """The reason, for people."""


class Finished(_Event, frozen=True):
    """The tournament is over; no event follows."""

    reason: str = ""
    """The reason, for people; empty: all games were played."""


Event = Paired | Played | Unplayed | Withdrew | Finished

_encoder = json.Encoder()
_decoder: json.Decoder[Event] = json.Decoder(Event)


def encode_event(event: Event) -> bytes:
    """Write an event as JSON."""
    return _encoder.encode(event)


def decode_event(text: bytes | str) -> Event:
    """Read an event that ``encode_event`` wrote. Raises ValueError when it is none."""
    return _decoder.decode(text)
