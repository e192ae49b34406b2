# SPDX-License-Identifier: GPL-3.0-or-later
"""The states of a match in play, and the events that lead from one state to another.

This module is pure: it knows no clock, no store and no connection. The referee holds one state, calls ``step`` with
each event, and performs the effects.
"""

from collections.abc import Mapping
from enum import Enum, unique
from types import MappingProxyType

# Theory
# ======
#
# A match goes round in one circle. WAITING: no player is asked for a move. TO_MOVE: one player is asked, and its clock
# runs. COMMITTING: its move is on the way into the database, and no clock runs. When the move is committed, the match
# is WAITING again, and the referee tells both sides and the spectators of the move. A circle takes no time in WAITING
# unless the next turn has to wait: for a side that is not connected yet, for a processor, or for the pause in which
# people follow a match of built-in bots.
#
# Three rules follow from the table, and the tests check them:
#
# 1. The referee commits an event of the match before it sends it to anybody. It sends a move on COMMITTED, and the end
#    of the match when the store has answered in ENDING. No state between the two handles messages, so nobody sees a
#    match that a crash would undo.
# 2. Messages, timers and connections come at any time, but only WAITING and TO_MOVE handle them. In other states they
#    lie in the referee's mailbox in the order in which they came. Each carries the time at which it came, so waiting
#    for the store costs a player nothing.
# 3. OVER and SUSPENDED are final.
#
# The states in detail:
#
# STARTING          Nothing is handled. What dice showed before the first move is being stored, if anything.
# WAITING           All events are committed. No clock runs. Turns begin here.
# TO_MOVE           All events are committed. The player to move has been asked; its clock runs. A move can come, the
#                   flag can fall. Where both choose at the same time, the second is asked here, and the first choice
#                   waits here, told to nobody, until the other one comes.
# COMMITTING        A move, or a draw offer made while no clock ran, is being stored. No clock runs.
# RETRYING          The store failed while COMMITTING. It is asked again, in growing intervals. No clock runs.
# COMMITTING_OFFER  A draw offer, or the refusal of one, was made during a turn and is being stored. The turn goes on,
#                   so its clock runs. If the flag falls or a move comes, that is handled after the commit.
# RETRYING_OFFER    The store failed while COMMITTING_OFFER. It is asked again; the clock of the turn runs on.
# ENDING            The match has an ending. One transaction stores it with the events before it, the changes of the
#                   ratings and the match that follows; then the referee tells all. A store that fails is asked again.
# ADOPTING_END      Somebody ended the match in the store, as `arena matches abort` does. That end is read and told.
# BROKEN            The server failed in this match: its code raised, or the store refused or gave up. The match is made
#                   void, once. If that fails too, the players learn it, and the match stays live in the store: the
#                   next start of the server resumes it.
# OVER              The referee has told players and spectators the end of the match. Final.
# SUSPENDED         The match stands as the store has it, and a later start of the server, or the server that owns the
#                   database now, resumes it. Final.


@unique
class RefereeState(Enum):
    """A state of a match in play."""

    # a member is one object; Enum's own hash is Python code, and each move looks up about twenty members
    __hash__ = object.__hash__

    STARTING = "starting"
    WAITING = "waiting"
    TO_MOVE = "to move"
    COMMITTING = "committing"
    RETRYING = "retrying"
    COMMITTING_OFFER = "committing an offer"
    RETRYING_OFFER = "retrying an offer"
    ENDING = "ending"
    ADOPTING_END = "adopting an end"
    BROKEN = "broken"
    OVER = "over"
    SUSPENDED = "suspended"


@unique
class RefereeEvent(Enum):
    """Something that changes the state of a match."""

    __hash__ = object.__hash__

    BEGUN = "begun"
    """Both sides may sit down: what dice showed before the first move is stored."""
    TURN_GIVEN = "turn given"
    """The player to move is asked for a move."""
    CHOSEN = "chosen"
    """One of two players who choose at the same time has chosen. Nothing is stored or told before the other has."""
    MOVED = "moved"
    """The player to move made a move, and the match goes on."""
    LAST_MOVE = "last move"
    """The player to move made a move that ended the match, by the rules, by being illegal, or by being late."""
    OFFER_CHANGED = "offer changed"
    """A player offered a draw or declined one."""
    FLAG_FELL = "flag fell"
    """The time of the player to move ran out."""
    RESIGNED = "resigned"
    """A player resigned, or reported that it failed."""
    DRAW_AGREED = "draw agreed"
    """Both players agreed to a draw."""
    FORFEITED = "forfeited"
    """A player loses because it stayed away, or does not follow the protocol."""
    VOIDED = "voided"
    """The match ends without a result: an operator aborted it, both sides stayed away, or the server was late."""
    DECIDED = "decided"
    """The match was resumed, and the stored moves had decided it already."""
    COMMITTED = "committed"
    """The store has committed the events."""
    STORE_FAILED = "store failed"
    """The store could not commit; it may if it is asked again."""
    END_ANNOUNCED = "end announced"
    """The end is stored and announced."""
    ENDED_IN_STORE = "ended in the store"
    """The store answered that the match has ended there."""
    SUSPENDED = "suspended"
    """The server stops, and leaves the match for its next start."""
    SUPERSEDED = "superseded"
    """The store answered that another server owns the database now."""
    BROKE = "broke"
    """The code of the server raised, or the store refused or gave up."""


_STORE_ANSWERS = {
    RefereeEvent.ENDED_IN_STORE: RefereeState.ADOPTING_END,
    RefereeEvent.SUPERSEDED: RefereeState.SUSPENDED,
    RefereeEvent.BROKE: RefereeState.BROKEN,
}
"""Answers of the store that end the play from any state that waits for it."""

_ENDS = {
    RefereeEvent.RESIGNED: RefereeState.ENDING,
    RefereeEvent.DRAW_AGREED: RefereeState.ENDING,
    RefereeEvent.FORFEITED: RefereeState.ENDING,
    RefereeEvent.VOIDED: RefereeState.ENDING,
}
"""Ends that come in turn or not."""

TRANSITIONS: Mapping[RefereeState, Mapping[RefereeEvent, RefereeState]] = MappingProxyType(
    {
        RefereeState.STARTING: {RefereeEvent.BEGUN: RefereeState.WAITING, **_STORE_ANSWERS},
        RefereeState.WAITING: {
            RefereeEvent.TURN_GIVEN: RefereeState.TO_MOVE,
            RefereeEvent.OFFER_CHANGED: RefereeState.COMMITTING,
            RefereeEvent.DECIDED: RefereeState.ENDING,
            **_ENDS,
            RefereeEvent.SUSPENDED: RefereeState.SUSPENDED,
            RefereeEvent.BROKE: RefereeState.BROKEN,
        },
        RefereeState.TO_MOVE: {
            RefereeEvent.TURN_GIVEN: RefereeState.TO_MOVE,
            RefereeEvent.CHOSEN: RefereeState.TO_MOVE,
            RefereeEvent.MOVED: RefereeState.COMMITTING,
            RefereeEvent.OFFER_CHANGED: RefereeState.COMMITTING_OFFER,
            RefereeEvent.LAST_MOVE: RefereeState.ENDING,
            RefereeEvent.FLAG_FELL: RefereeState.ENDING,
            **_ENDS,
            RefereeEvent.SUSPENDED: RefereeState.SUSPENDED,
            RefereeEvent.BROKE: RefereeState.BROKEN,
        },
        RefereeState.COMMITTING: {
            RefereeEvent.COMMITTED: RefereeState.WAITING,
            RefereeEvent.STORE_FAILED: RefereeState.RETRYING,
            **_STORE_ANSWERS,
        },
        RefereeState.RETRYING: {RefereeEvent.COMMITTED: RefereeState.WAITING, **_STORE_ANSWERS},
        RefereeState.COMMITTING_OFFER: {
            RefereeEvent.COMMITTED: RefereeState.TO_MOVE,
            RefereeEvent.STORE_FAILED: RefereeState.RETRYING_OFFER,
            **_STORE_ANSWERS,
        },
        RefereeState.RETRYING_OFFER: {RefereeEvent.COMMITTED: RefereeState.TO_MOVE, **_STORE_ANSWERS},
        RefereeState.ENDING: {RefereeEvent.END_ANNOUNCED: RefereeState.OVER, **_STORE_ANSWERS},
        RefereeState.ADOPTING_END: {
            RefereeEvent.END_ANNOUNCED: RefereeState.OVER,
            RefereeEvent.SUPERSEDED: RefereeState.SUSPENDED,
            RefereeEvent.BROKE: RefereeState.BROKEN,
        },
        RefereeState.BROKEN: {RefereeEvent.END_ANNOUNCED: RefereeState.OVER, RefereeEvent.BROKE: RefereeState.OVER},
        RefereeState.OVER: {},
        RefereeState.SUSPENDED: {},
    }
)
"""By state: the events that may come, and the state that each leads to."""

HANDLING = frozenset({RefereeState.WAITING, RefereeState.TO_MOVE})
"""States in which the referee handles messages, timers and connections. In others these wait in its mailbox."""

CLOCK_RUNS = frozenset({RefereeState.TO_MOVE, RefereeState.COMMITTING_OFFER, RefereeState.RETRYING_OFFER})
"""States in which a player has been asked for a move, and its clock runs."""

CLOSED = frozenset(
    {RefereeState.ENDING, RefereeState.ADOPTING_END, RefereeState.BROKEN, RefereeState.OVER, RefereeState.SUSPENDED}
)
"""States in which play has ended: no turn goes on, and none will be given."""

FINAL = frozenset({RefereeState.OVER, RefereeState.SUSPENDED})
"""Final states."""


class NoTransition(Exception):
    """An event came in a state that has no entry for it: an error in the referee."""

    def __init__(self, state: RefereeState, event: RefereeEvent) -> None:
        super().__init__(f"a match that is {state.value!r} has no transition for the event {event.value!r}")
        self.state = state
        self.event = event


def step(state: RefereeState, event: RefereeEvent) -> RefereeState:
    """Return the state that follows when an event comes. Raises NoTransition where the table has no entry."""
    try:
        return TRANSITIONS[state][event]
    except KeyError:
        raise NoTransition(state, event) from None
