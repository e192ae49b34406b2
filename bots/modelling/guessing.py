# SPDX-License-Identifier: GPL-3.0-or-later
"""Opponent models for rock-paper-scissors: predictions of the other's next action from the actions so far.

Actions are 0, 1 and 2; each loses against the next one. A predictor learns each round, in order.
"""

from collections.abc import Sequence
from typing import Protocol

ACTIONS = 3

DECAY = 0.97
"""Weight of a round, relative to the next one, in the scores of predictors."""
FADE = 0.98
"""Weight of a round, relative to the next one, in frequencies."""
DEEPEST = 5
"""Rounds of the longest context of a Markov model."""
LONGEST = 20
"""Rounds of the longest match of histories."""

Round = tuple[int, int]
"""The own and the other's action."""


def beating(action: int) -> int:
    """Return the action that beats another."""
    return (action + 1) % ACTIONS


class Predictor(Protocol):
    """Predicts the other's next action."""

    def learn(self, own: int, other: int) -> None:
        """Take the next round."""

    def predict(self) -> list[float]:
        """Return the probability of each action of the other."""


class FrequencyModel:
    """Frequencies of the other's actions; older ones count less."""

    def __init__(self, fade: float = FADE) -> None:
        self._fade = fade
        self._counts = [0.0] * ACTIONS

    def learn(self, own: int, other: int) -> None:
        """Take the next round."""
        self._counts = [self._fade * count for count in self._counts]
        self._counts[other] += 1

    def predict(self) -> list[float]:
        """Return the probability of each action of the other."""
        return _normalised(self._counts)


class MarkovModel:
    """Frequencies of the other's actions after the same last rounds (a context): the longest one that has occurred.

    Counts of shorter contexts are the prior of longer ones, as in prediction by partial matching (J. G. Cleary and I.
    H. Witten, 1984).
    """

    def __init__(self, deepest: int = DEEPEST) -> None:
        self._deepest = deepest
        self._counts: dict[tuple[Round, ...], list[float]] = {}
        self._recent: tuple[Round, ...] = ()

    def learn(self, own: int, other: int) -> None:
        """Take the next round."""
        for context in self._contexts():
            self._counts.setdefault(context, [0.0] * ACTIONS)[other] += 1
        self._recent = (*self._recent, (own, other))[-self._deepest :]

    def predict(self) -> list[float]:
        """Return the probability of each action of the other."""
        found = [1 / ACTIONS] * ACTIONS
        for context in self._contexts():
            counts = self._counts.get(context)
            if counts is None:
                break
            found = _normalised([count + one for count, one in zip(counts, found, strict=True)])
        return found

    def _contexts(self) -> list[tuple[Round, ...]]:
        """Return the contexts of the next round, the shortest first."""
        return [self._recent[len(self._recent) - length :] for length in range(len(self._recent) + 1)]


class MetaModel:
    """Iocaine Powder's idea (D. Egnor, 1999): predictors of both players, and what follows if each sees through the
    other, scored by the rounds so far.

    Base predictions come from frequencies and from the longest earlier match of the newest rounds: of the own actions,
    the other's, or both. From a prediction of the other's action follow three answers, by how many times both think
    ahead, and likewise from a prediction of the own action. The answer with the best score is played.
    """

    def __init__(self) -> None:
        self._rounds: list[Round] = []
        self._frequencies = FrequencyModel(), FrequencyModel()
        self._answers: list[int] = []
        self._scores: list[float] = []

    def learn(self, own: int, other: int) -> None:
        """Take the next round, and score all answers by it."""
        answers = self._answers or self._all_answers()
        self._scores = self._scores or [0.0] * len(answers)
        for place, answer in enumerate(answers):
            gained = ((answer - other + 1) % ACTIONS) - 1
            self._scores[place] = DECAY * self._scores[place] + gained
        self._rounds.append((own, other))
        self._frequencies[0].learn(other, own)
        self._frequencies[1].learn(own, other)
        self._answers = []

    def predict(self) -> list[float]:
        """Return the other's action that the best answer beats, with probability 1; equal ones without any."""
        self._answers = self._all_answers()
        if not self._scores or max(self._scores) <= 0:
            return [1 / ACTIONS] * ACTIONS
        best = max(range(len(self._answers)), key=lambda place: self._scores[place])
        expected = (self._answers[best] - 1) % ACTIONS
        return [float(action == expected) for action in range(ACTIONS)]

    def _all_answers(self) -> list[int]:
        answers = []
        for predicted in self._predictions(1):
            answers += [(predicted + 1 + 2 * level) % ACTIONS for level in range(ACTIONS)]
        for predicted in self._predictions(0):
            # the other beats the own action; the answer beats that
            answers += [(predicted + 2 + 2 * level) % ACTIONS for level in range(ACTIONS)]
        return answers

    def _predictions(self, whose: int) -> list[int]:
        """Return predictions of the next action of the own side (0) or the other side (1)."""
        found = self._frequencies[whose].predict()
        common = found.index(max(found))
        rows: list[Sequence[object]] = [
            self._rounds,
            [own for own, _ in self._rounds],
            [other for _, other in self._rounds],
        ]
        return [common, *(self._rounds[at][whose] if (at := _match(row)) is not None else common for row in rows)]


def _match(row: Sequence[object]) -> int | None:
    """Return the place after the longest earlier occurrence of the newest items of a row, the latest of equal ones."""
    best, place = 0, None
    for end in range(len(row) - 1, 0, -1):
        length = 0
        while length < min(end, LONGEST) and row[end - 1 - length] == row[len(row) - 1 - length]:
            length += 1
        if length > best:
            best, place = length, end
            if best == LONGEST:
                break
    return place


def _normalised(counts: Sequence[float]) -> list[float]:
    total = sum(counts)
    return [count / total for count in counts] if total else [1 / len(counts)] * len(counts)
