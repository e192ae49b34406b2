# SPDX-License-Identifier: GPL-3.0-or-later
"""The sequential probability ratio test (SPRT; A. Wald, 1945): play until one of two hypotheses is likely enough.

The hypotheses, elo0 and elo1, are of the mean score (logistic Elo) or of its lead in standard deviations (normalised
Elo). The distribution of scores is otherwise unknown, so this is the generalised test: each hypothesis uses its
maximum-likelihood distribution (M. Van den Bergh, "The Generalized Maximum Likelihood Ratio for the Expectation Value
of a Distribution", and "Normalized Elo", 2020), as in fishtest and fastchess. Counts are those of
``arena.rating.difference``: three of games or five of pairs, the worst first.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from math import log, sqrt
from typing import Literal, Self, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from arena.rating.difference import NORMALISED_UNIT, score_of

Floats = NDArray[np.float64]
Model = Literal["normalized", "logistic"]
Hypothesis = Literal["H0", "H1"]

REGULAR = 1e-3
"""The count of a score that never occurred, so that no hypothesis is impossible."""

_ROUNDS = 200
_PRECISION = 1e-12
_FIXED_POINT_ROUNDS = 50
_FIXED_POINT_PRECISION = 1e-10


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test of elo0 against elo1.

    With the likelihood ``alpha`` elo1 is accepted though elo0 is true, with ``beta`` elo0 though elo1 is true.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = "normalized"

    def __post_init__(self) -> None:
        """Raises ValueError if the hypotheses are equal or reversed, or the model is unknown."""
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo0 must be less than elo1, not {self.elo0:g} and {self.elo1:g}")
        if not (0 < self.alpha < 1 and 0 < self.beta < 1):
            raise ValueError(f"alpha and beta lie between 0 and 1, not {self.alpha:g} and {self.beta:g}")
        if self.alpha + self.beta >= 1:
            raise ValueError(f"alpha + beta must be less than 1, not {self.alpha + self.beta:g}")
        if self.model not in get_args(Model):
            raise ValueError(f"{self.model!r} is not a model; models are {', '.join(get_args(Model))}")

    @classmethod
    def parse(cls, words: Sequence[str]) -> Self:
        """Read words such as "elo0=0", "elo1=5", "alpha=0.05", "beta=0.05" and "model=logistic".

        elo0 and elo1 must be there. Raises ValueError when they make no test.
        """
        names = {each.name for each in fields(cls)}
        given: dict[str, str] = {}
        for word in words:
            name, _, value = word.partition("=")
            if name not in names or not value or name in given:
                raise ValueError(
                    f"{word!r} is not understood; write elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalized"
                )
            given[name] = value
        if missing := [name for name in ("elo0", "elo1") if name not in given]:
            raise ValueError(f"a test needs {' and '.join(missing)}")
        model = given.pop("model", "normalized")
        try:
            numbers = {name: float(value) for name, value in given.items()}
        except ValueError as error:
            raise ValueError(f"the values of a test must be numbers: {error}") from None
        return cls(**numbers, model=model)  # type: ignore[arg-type]  # __post_init__ refuses unknown models

    def __str__(self) -> str:
        unit = "normalised" if self.model == "normalized" else "logistic"
        return f"[{self.elo0:g}, {self.elo1:g}] {unit} Elo"

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which elo0 and elo1 are accepted: ln(β / (1 - α)) and ln((1 - β) / α)."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def ratio(self, counts: Sequence[int]) -> float:
        """Return the log-likelihood ratio of elo1 to elo0 after these results; 0 without games."""
        return float(log_likelihood_ratio(counts, self.elo0, self.elo1, self.model))

    def ratios(self, pairs: Iterable[int]) -> Floats:
        """Return the log-likelihood ratio after each of these pairs of games, up to the one that decides the test.

        ``pairs``: the score of each pair, in half points.
        """
        scores = np.fromiter(pairs, dtype=np.int64)
        if not len(scores):
            return np.zeros(0)
        counts = np.eye(5)[scores].cumsum(axis=0)
        found = log_likelihood_ratio(counts, self.elo0, self.elo1, self.model)
        lower, upper = self.bounds
        deciding = np.flatnonzero((found <= lower) | (found >= upper))
        return found[: deciding[0] + 1] if len(deciding) else found

    def run(self, pairs: Iterable[int]) -> "SprtState":
        """Return the state of the test after these pairs of games, each by its score in half points; a decision is
        final.
        """
        scores = list(pairs)
        ratios = self.ratios(scores)
        ratio = float(ratios[-1]) if len(ratios) else 0.0
        counts = Counter(scores[: len(ratios)])
        pentanomial = (counts[0], counts[1], counts[2], counts[3], counts[4])
        return SprtState(pentanomial, ratio, self.bounds, self.verdict(ratio))

    def verdict(self, ratio: float) -> Hypothesis | None:
        """Return which hypothesis a log-likelihood ratio makes accepted, if any."""
        lower, upper = self.bounds
        return "H1" if ratio >= upper else "H0" if ratio <= lower else None


@dataclass(frozen=True, slots=True)
class SprtState:
    """The state of a running or decided test."""

    counts: tuple[int, int, int, int, int]
    """Numbers of pairs by score, the worst first."""
    ratio: float
    """Log-likelihood ratio."""
    bounds: tuple[float, float]
    accepted: Hypothesis | None


def log_likelihood_ratio(counts: ArrayLike, elo0: float, elo1: float, model: Model) -> Floats:
    """Return the generalised log-likelihood ratio of elo1 to elo0: N·Σ p̂ᵢ·ln(p1ᵢ / p0ᵢ).

    ``counts``: along the last axis one result, the other axes many of them; the answer has the other axes.
    """
    seen = np.asarray(counts, dtype=np.float64)
    played = seen.sum(axis=-1) > 0
    regular = np.where(seen > 0, seen, REGULAR)
    number = regular.sum(axis=-1)
    share = regular / number[..., None]
    scores = np.linspace(0.0, 1.0, seen.shape[-1])
    if model == "logistic":
        low, high = (_by_mean(share, scores, score_of(elo)) for elo in (elo0, elo1))
    else:
        games_in_a_unit = 1 if seen.shape[-1] == 3 else 2
        unit = sqrt(games_in_a_unit) / NORMALISED_UNIT
        low, high = (_by_lead(share, scores, elo * unit) for elo in (elo0, elo1))
    ratio: Floats = np.where(played, number * (share * np.log(high / low)).sum(axis=-1), 0.0)
    return ratio


def _by_mean(share: Floats, scores: Floats, mean: float) -> Floats:
    """Return the likeliest distribution of this mean, p̂ᵢ / (1 + x·(aᵢ - mean))."""
    values = np.broadcast_to(scores - mean, share.shape)
    return _tilted(share, values, _tilt(share, values, np.zeros(share.shape[:-1])))


def _by_lead(share: Floats, scores: Floats, lead: float) -> Floats:
    """Return the maximum-likelihood distribution whose mean lies a given number of its standard deviations above one
    half.

    The condition is not linear in the distribution; it is linearized at the last iterate until convergence.
    """
    found, x = np.full(share.shape, 1 / len(scores)), np.zeros(share.shape[:-1])
    for _ in range(_FIXED_POINT_ROUNDS):
        before = found
        mean = (found * scores).sum(axis=-1, keepdims=True)
        deviation = np.sqrt((found * (scores - mean) ** 2).sum(axis=-1, keepdims=True))
        values = scores - 0.5 - lead / 2 * deviation * (1 + ((mean - scores) / deviation) ** 2)
        x = _tilt(share, values, x)
        found = _tilted(share, values, x)
        if np.abs(found - before).max() < _FIXED_POINT_PRECISION:
            break
    return found


def _tilted(share: Floats, values: Floats, x: Floats) -> Floats:
    tilted: Floats = share / (1 + x[..., None] * values)
    return tilted


def _tilt(share: Floats, values: Floats, guess: Floats) -> Floats:
    """Return the root x of Σ p̂ᵢ·vᵢ / (1 + x·vᵢ) = 0: p̂ᵢ / (1 + x·vᵢ) then has the mean value 0.

    The sum falls from +∞ to -∞ between the two x where a denominator is 0; Newton's method within that bracket.
    """
    low, high = -1 / values.max(axis=-1), -1 / values.min(axis=-1)
    x = np.where((guess > low) & (guess < high), guess, 0.0)
    for _ in range(_ROUNDS):
        part = values / (1 + x[..., None] * values)
        slope = (share * part**2).sum(axis=-1)
        gap = (share * part).sum(axis=-1)
        low, high = np.where(gap > 0, x, low), np.where(gap > 0, high, x)
        step = gap / slope
        found = np.abs(step) <= _PRECISION * (1 + np.abs(x))
        if found.all():
            break
        newer = x + step
        # a root that is found stays: rounding may put the last step outside the bracket, whose middle is far away
        x = np.where(found, x, np.where((newer > low) & (newer < high), newer, (low + high) / 2))
    return x
