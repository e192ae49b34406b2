# SPDX-License-Identifier: GPL-3.0-or-later
"""The events of a match, and the search info that players report with their moves. Times are in milliseconds."""

from msgspec import Struct, json

from engine.match.ending import Ending


class Expected(Struct, frozen=True):
    """An answer that a player expects, and its probability."""

    move: str
    """The answer."""
    probability: float
    """Its probability."""


class Candidate(Struct, frozen=True):
    """A move that a tree search tried."""

    move: str
    visits: int
    """Number of playouts that began with the move."""
    win: float
    """Expected result of the player, from 0 to 1; a draw counts half."""


class Info(Struct, frozen=True, omit_defaults=True):
    """Search info that a player reports; None: it reports none."""

    score: float | None = None
    """In pawn units, for the player."""
    depth: int | None = None
    """Depth of the search, in plies."""
    nodes: int | None = None
    """Number of positions that the search visited."""
    pv: tuple[str, ...] = ()
    """The principal variation, from the played move on."""
    expected: tuple[Expected, ...] = ()
    """Expected answers of the opponent, the most probable first."""
    candidates: tuple[Candidate, ...] = ()
    """The best moves of a tree search, the best first."""


class _Event(Struct, frozen=True, omit_defaults=True, tag_field="type", tag=str.lower):
    """An event of a match."""


class Moved(_Event, frozen=True):
    """A move was made."""

    ply: int
    """Number of moves after it, the opening included."""
    seat: int
    """The mover; -1 (``CHANCE``) for a roll."""
    move: str
    """The move or the roll, in the game's notation."""
    elapsed: int = 0
    """Time of the move, in milliseconds; 0: not measured."""
    clock: int | None = None
    """Remaining time of the mover, with increment; None without a clock."""
    instructions: int | None = None
    """Instructions that the move used, if the match has a limit of instructions for each move."""
    info: Info | None = None
    """Search info of the player."""


class DrawOffered(_Event, frozen=True):
    """A seat offered a draw; the offer is valid until the other seat answers or moves."""

    seat: int
    """The seat that offers."""


class DrawDeclined(_Event, frozen=True):
    """A seat declined the other seat's offer."""

    seat: int
    """The seat that declines."""


class Ended(_Event, frozen=True):
    """The match is over; the last event."""

    ending: Ending
    """How it ended."""


class Resumed(_Event, frozen=True):
    """Another server referees the match from here on; the clocks are those of the last move before."""

    epoch: int
    """Number of the referee: the first one has 1, each further one the next number."""
    node: str
    """The name of the server."""


Event = Moved | DrawOffered | DrawDeclined | Ended | Resumed

_encoder = json.Encoder()
_decoder: json.Decoder[Event] = json.Decoder(Event)


def encode_event(event: Event) -> bytes:
    """Write an event as JSON."""
    return _encoder.encode(event)


def decode_event(text: bytes | str) -> Event:
    """Read an event from JSON. Raises ValueError if it is not an event."""
    return _decoder.decode(text)
