# SPDX-License-Identifier: GPL-3.0-or-later
"""Results and terminations of matches, and the rules of adjudication.

Adjudication ends a match by the scores that both players report, as match runners (cutechess, fastchess) do. A player
that reports no score is never adjudicated against: a move without a score restarts every count.
"""

from collections.abc import Sequence
from enum import StrEnum
from math import inf, isfinite

from msgspec import Struct, structs

# ---------------------------------------------------------------- results


class Termination(StrEnum):
    """Reason for the end of a match."""

    DECIDED = "decided"
    """By the rules of the game."""
    REPETITION = "repetition"
    """A draw by repetition of a position."""
    NO_PROGRESS = "no-progress rule"
    """A draw by the no-progress rule (in chess the fifty-move rule): no irreversible move for too long."""
    PLY_LIMIT = "ply limit"
    """The maximum length of a match of this game: a draw, or the points so far decide."""
    RESIGNATION = "resignation"
    AGREEMENT = "agreement"
    ADJUDICATION = "adjudication"
    """By the match's rules of adjudication."""
    TIME = "time"
    ILLEGAL_MOVE = "illegal move"
    BAD_MESSAGE = "bad message"
    CRASH = "crash"
    DISCONNECT = "disconnect"
    VOID = "void"
    """An error of the server, or both bots stayed away: no result, not rated."""

    @classmethod
    def _missing_(cls, value: object) -> "Termination | None":
        """Map the names of earlier versions, which stored matches and files may contain."""
        return _FORMER.get(str(value))

    @property
    def pgn(self) -> str:
        """The value of PGN's Termination tag."""
        return _PGN.get(self, "normal")


_FORMER = {"quiet plies": Termination.NO_PROGRESS}


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
"""Terminations by which a seat can forfeit a match."""

SCORES = {"1-0": (1.0, 0.0), "0-1": (0.0, 1.0), "1/2-1/2": (0.5, 0.5)}
"""Scores of both seats by result; a void match, "*", has none."""


ONE = 1.0
"""The usual payoff of a winner. JSON omits a default by the identity of the object, so there is only this one."""


class Ending(Struct, frozen=True, omit_defaults=True):
    """The end of a match."""

    result: str
    """"1-0" (seat 0 won), "0-1", "1/2-1/2" or "*" (void)."""
    termination: Termination
    """Reason for the end."""
    detail: str = ""
    """Details, for people."""
    payoff: float = ONE
    """Payoff of the winner, in points; 1 without a winner. The loser has its negative."""
    points: tuple[float, float] | None = None
    """Payoffs of both seats in a game that is not zero-sum; None: they follow from ``payoff``."""

    def __post_init__(self) -> None:
        if self.result not in SCORES and self.result != "*":
            raise ValueError(f"{self.result!r} is not a result; results are {', '.join(SCORES)}, *")
        if (self.result == "*") != (self.termination is Termination.VOID):
            raise ValueError(f"a match that ended by {self.termination!r} cannot have the result {self.result!r}")
        structs.force_setattr(self, "payoff", checked_payoff(self.result, self.payoff, self.points))

    @property
    def scores(self) -> tuple[float, float] | None:
        """Score of each seat: 1, 0.5 or 0; None for a void match."""
        return SCORES.get(self.result)

    @property
    def payoffs(self) -> tuple[float, float] | None:
        """Payoff of each seat, in points; None for a void match."""
        return payoffs_of(self.result, self.payoff, self.points)

    @property
    def winner(self) -> int | None:
        """The seat that won, if any."""
        return {"1-0": 0, "0-1": 1}.get(self.result)


def checked_payoff(result: str, payoff: float, points: tuple[float, float] | None = None) -> float:
    """Return the payoff of the winner of a match with this result; ``ONE`` if it is 1. Raises ValueError.

    ``points``: the payoffs of both seats in a game that is not zero-sum, where the winner's payoff is 1.
    """
    if points is not None:
        if not all(map(isfinite, points)):
            raise ValueError(f"payoffs must be finite numbers (got {points})")
        if result not in SCORES:
            raise ValueError("a match without a result has no points")
        if payoff != 1:
            raise ValueError(f"a match has either the points of both seats or a payoff of the winner (got {payoff:g})")
    if not 0 < payoff < inf:
        raise ValueError(f"the payoff of the winner must be above 0 (got {payoff:g})")
    if payoff != 1 and result not in ("1-0", "0-1"):
        raise ValueError(f"a match with the result {result!r} has no winner with a payoff of {payoff:g}")
    return ONE if payoff == ONE else payoff


def payoffs_of(result: str, payoff: float, points: tuple[float, float] | None = None) -> tuple[float, float] | None:
    """Return the payoff of each seat, by the result and the payoff of the winner or by the ``points`` of both seats;
    None for a void match.
    """
    if points is not None:
        return points
    scores = SCORES.get(result)
    if scores is None:
        return None
    first = payoff * (scores[0] - scores[1])
    return first, -first


# ---------------------------------------------------------------- adjudication


class DrawRule(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Draw rule: for ``moves`` moves of each side in a row, both sides report a score of at most ``score`` points.

    Like draw offers, it has no effect in games that are not zero-sum: the seats would have to agree on the payoffs.
    """

    score: float
    """Largest absolute score, in pawn units."""
    moves: int
    """Number of moves of each side in a row."""
    after: int = 0
    """The rule applies after this many full moves."""

    def __post_init__(self) -> None:
        _check(self.score, self.moves)
        if self.after < 0:
            raise ValueError(f"`after` must not be negative (got {self.after})")


class ResignRule(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Resign rule: a side loses if it reports ``-score`` points or less with ``moves`` of its moves in a row."""

    score: float
    """Score at which a side is lost, in pawn units, as a positive number."""
    moves: int
    """Number of moves in a row."""
    both: bool = True
    """Whether the opponent's last ``moves`` reports must also be ``score`` points or more."""

    def __post_init__(self) -> None:
        _check(self.score, self.moves)


class Adjudication(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The rules of adjudication of a match; None: the rule does not apply."""

    draw: DrawRule | None = None
    """The draw rule."""
    resign: ResignRule | None = None
    """The resign rule."""
    plies: int | None = None
    """Ply limit: a match ends with this many plies, the opening included: as a draw, or by the points so far."""

    def __post_init__(self) -> None:
        if self.plies is not None and self.plies < 1:
            raise ValueError(f"the ply limit must be 1 or more (got {self.plies})")


def drawn(rule: DrawRule, scores: Sequence[float | None], ply: int) -> bool:
    """Return whether a match is a draw by the draw rule.

    ``scores``: the score that the mover reported with each move, newest last, None for none; ``ply``: number of moves
    made, the opening included.
    """
    newest = scores[-2 * rule.moves :]
    long_enough = len(newest) == 2 * rule.moves and ply >= 2 * rule.after
    return long_enough and all(score is not None and abs(score) <= rule.score for score in newest)


def resigned(rule: ResignRule, scores: Sequence[float | None]) -> bool:
    """Return whether the mover of the newest move loses by the resign rule; ``scores`` as in ``drawn``."""
    own, other = scores[::-2][: rule.moves], scores[-2::-2][: rule.moves]
    if len(own) < rule.moves or not all(score is not None and score <= -rule.score for score in own):
        return False
    return not rule.both or (
        len(other) == rule.moves and all(score is not None and score >= rule.score for score in other)
    )


def _check(score: float, moves: int) -> None:
    if not 0 <= score < 1e9:
        raise ValueError(f"the score of a rule of adjudication must be 0 to 1e9 (got {score:g})")
    if moves < 1:
        raise ValueError(f"a rule of adjudication needs 1 move or more (got {moves})")
