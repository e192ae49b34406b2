# SPDX-License-Identifier: GPL-3.0-or-later
"""Adjudication: ending a match that both players hold to be over, as runners of matches do (cutechess, fastchess).

It goes by what players report of their searches. A player that reports nothing is never adjudicated against its will:
silence ends every count.
"""

from collections.abc import Sequence

from msgspec import Struct


class DrawRule(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A draw: for ``moves`` moves of each side in a row, both reported at most ``score`` points for anybody."""

    score: float
    moves: int
    after: int = 0
    """Full moves of the game before which nothing is drawn by this rule."""

    def __post_init__(self) -> None:
        _check(self.score, self.moves)
        if self.after < 0:
            raise ValueError(f"a draw cannot be adjudicated after {self.after} moves")


class ResignRule(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A loss: for ``moves`` moves in a row, a side reported to be at least ``score`` points behind."""

    score: float
    moves: int
    both: bool = True
    """Whether its opponent must have reported to be as far ahead, for as long."""

    def __post_init__(self) -> None:
        _check(self.score, self.moves)


class Adjudication(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The rules in force; None: not this one."""

    draw: DrawRule | None = None
    resign: ResignRule | None = None
    plies: int | None = None
    """A match of so many plies, those of the opening included, is a draw."""

    def __post_init__(self) -> None:
        if self.plies is not None and self.plies < 1:
            raise ValueError(f"a match cannot be limited to {self.plies} plies")


def drawn(rule: DrawRule, scores: Sequence[float | None], ply: int) -> bool:
    """Tell whether a match is a draw, by the scores that players reported with their moves, the newest last.

    Each score is the mover's, None where it told none; ``ply`` counts the moves made, those of the opening included.
    """
    newest = scores[-2 * rule.moves :]
    long_enough = len(newest) == 2 * rule.moves and ply >= 2 * rule.after
    return long_enough and all(score is not None and abs(score) <= rule.score for score in newest)


def resigned(rule: ResignRule, scores: Sequence[float | None]) -> bool:
    """Tell whether the mover of the newest move has lost, by the scores that players reported with their moves."""
    own, other = scores[::-2][: rule.moves], scores[-2::-2][: rule.moves]
    if len(own) < rule.moves or not all(score is not None and score <= -rule.score for score in own):
        return False
    return not rule.both or (
        len(other) == rule.moves and all(score is not None and score >= rule.score for score in other)
    )


def _check(score: float, moves: int) -> None:
    if not 0 <= score < 1e9:
        raise ValueError(f"matches cannot be adjudicated by a score of {score:g}")
    if moves < 1:
        raise ValueError(f"matches cannot be adjudicated after {moves} moves")
