# SPDX-License-Identifier: GPL-3.0-or-later
"""How a match ended: the result, and why."""

from enum import StrEnum

from msgspec import Struct


class Termination(StrEnum):
    """Why a match ended."""

    DECIDED = "decided"
    """By the rules of the game."""
    REPETITION = "repetition"
    """A draw: a position stood too often."""
    QUIET_PLIES = "quiet plies"
    """A draw: too long without an irreversible move."""
    PLY_LIMIT = "ply limit"
    """Adjudicated a draw for its length."""
    RESIGNATION = "resignation"
    AGREEMENT = "agreement"
    ADJUDICATION = "adjudication"
    """Ended by ``engine.adjudication``, where that was agreed on."""
    TIME = "time"
    ILLEGAL_MOVE = "illegal move"
    BAD_MESSAGE = "bad message"
    CRASH = "crash"
    DISCONNECT = "disconnect"
    VOID = "void"
    """The server's own fault: no result, not rated."""

    @property
    def pgn(self) -> str:
        """The value of PGN's Termination tag."""
        return _PGN.get(self, "normal")


_PGN = {
    Termination.PLY_LIMIT: "adjudication",
    Termination.ADJUDICATION: "adjudication",
    Termination.TIME: "time forfeit",
    Termination.ILLEGAL_MOVE: "rules infraction",
    Termination.BAD_MESSAGE: "rules infraction",
    Termination.CRASH: "abandoned",
    Termination.DISCONNECT: "abandoned",
    Termination.VOID: "unterminated",
}

FORFEITS = frozenset({Termination.ILLEGAL_MOVE, Termination.BAD_MESSAGE, Termination.CRASH, Termination.DISCONNECT})
"""Terminations that ``Match.forfeit`` takes."""

SCORES = {"1-0": (1.0, 0.0), "0-1": (0.0, 1.0), "1/2-1/2": (0.5, 0.5)}
"""What both seats score by a result; a void match, "*", is not among them."""


class Ending(Struct, frozen=True, omit_defaults=True):
    """How a match ended. ``result`` is "1-0" (seat 0 won), "0-1", "1/2-1/2" or "*" (void); ``detail`` is for people."""

    result: str
    termination: Termination
    detail: str = ""

    def __post_init__(self) -> None:
        if self.result not in SCORES and self.result != "*":
            raise ValueError(f"{self.result!r} is no result")
        if (self.result == "*") != (self.termination is Termination.VOID):
            raise ValueError(f"a match that ended by {self.termination!r} cannot have the result {self.result!r}")

    @property
    def scores(self) -> tuple[float, float] | None:
        """What each seat scored: 1, 0.5 or 0; None when void."""
        return SCORES.get(self.result)

    @property
    def winner(self) -> int | None:
        """The seat that won, if any."""
        return {"1-0": 0, "0-1": 1}.get(self.result)
