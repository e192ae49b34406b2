# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of a move's time that are not thinking time: network and server. They are stored with the move.

``engine.match`` knows elapsed time only. Stored moves have two fields more, which it ignores when it reads them.
"""

from typing import NamedTuple

from msgspec import json, structs

from engine.match.events import DrawDeclined, DrawOffered, Ended, Moved, Resumed
from engine.match.machine import Match


class Timing(NamedTuple):
    """The times of a turn, in milliseconds."""

    network: int
    """Round-trip time of messages to the player: the shortest of the last measurements."""
    waited: int
    """Time between the previous move and the start of this turn: storing that move, the pause between moves of
    built-in bots, and the wait for a free processor.
    """


class TimedMove(Moved, frozen=True, tag="moved"):
    """A move as it is stored, with its ``Timing``."""

    network: int = 0
    """Round-trip time of messages to the player, in milliseconds."""
    waited: int = 0
    """Time from the move before to the turn, in milliseconds."""


RecordedEvent = TimedMove | DrawOffered | DrawDeclined | Ended | Resumed

_decoder: json.Decoder[RecordedEvent] = json.Decoder(RecordedEvent)


def decode_recorded(text: bytes | str) -> RecordedEvent:
    """Read a stored event. Raises ValueError if it is not an event."""
    return _decoder.decode(text)


def timed(move: Moved, timing: Timing) -> TimedMove:
    """Return a move with its timing."""
    return TimedMove(**structs.asdict(move), network=timing.network, waited=timing.waited)


def explain(match: Match, elapsed: int, uncharged: int, timing: Timing) -> None:
    """Add the parts of the last turn's time to the end of a match that was lost on time.

    ``elapsed``: milliseconds of that turn; ``uncharged``: how many of them its clock is not charged with.
    """
    ending = match.ending
    assert ending is not None
    detail = (
        f"the last turn took {elapsed / 1000:.3f} s, of which {min(elapsed, uncharged) / 1000:.3f} s are not charged; "
        f"round trip of the network {timing.network / 1000:.3f} s; the turn came {timing.waited / 1000:.3f} s after "
        "the move before it"
    )
    match.ending = structs.replace(ending, detail=detail)
    match.events[-1] = Ended(match.ending)
