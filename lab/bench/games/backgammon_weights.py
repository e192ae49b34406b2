# SPDX-License-Identifier: GPL-3.0-or-later
"""Fit the weights of backgammon's evaluation to GNU Backgammon's chances, those of its network without look-ahead.

``python -m lab.bench.games.backgammon_weights`` prints the module with the weights, and to the standard error
how well they fit.

The positions are of games of GNU Backgammon (the development package ``gnubg-nn``) against itself, in which a share of
the turns is random, so that the evaluation knows bad positions too. Each logit is fitted to its chance by logistic
regression (Newton's method); the chances of gammons are those among won games, and among lost games.
"""

import argparse
import random
import sys
import textwrap
from collections.abc import Sequence
from typing import NamedTuple

import gnubg_nn
import numpy as np
from numpy.typing import NDArray

from engine.game import vector
from engine.games.backgammon.board import MEN, Backgammon, pack
from engine.games.backgammon.evaluation import CUBE, FIXED, GAMMON, LOST, NAMES, RACE, RACE_ON_ROLL
from engine.games.backgammon.worth import LOGIT
from engine.kernel import compiled

PARTS = ((0, GAMMON), (GAMMON, LOST), (LOST, CUBE))
"""First feature of each logit, and the one after its last."""
NOISE = (0.0, 0.05, 0.1, 0.3)
"""Shares of random turns, of which each game has one."""
RIDGE = 1.0
"""Pull of each weight towards 0, when its feature has a mean square of 1."""
STEPS = 12
"""Steps of Newton's method."""
CAREFUL = 3
"""Number of first steps that are shortened."""
FARTHEST = 4.0
"""Largest change of a logit by a shortened step."""
HELD_OUT = 10
"""The last tenth of the positions is held out of the fit."""
START = "4HPwATDgc/ABMA"

Floats = NDArray[np.float64]
Board = tuple[Sequence[int], Sequence[int]]
"""The men of the player that waits, and of the player on roll, on the points 1 to 24 and the bar."""


class Sample(NamedTuple):
    """Positions before a roll, and what GNU Backgammon expects for the side on roll."""

    words: NDArray[np.int64]
    """(positions, 4): the men, those of the side on roll first."""
    chances: Floats
    """(positions, 5): of a win, of winning and of losing a gammon or more, of winning and of losing a backgammon."""


def following(board: Board, roll: tuple[int, int], at_random: bool, chance: random.Random) -> Board:
    """Return the board after a turn, seen by the next player: by the best turn, or by a random one."""
    turns = gnubg_nn.moves(board, *roll) if at_random else ()
    if turns:
        # these keys are of the player that moved, unlike the one of the best turn
        waiting, moved = gnubg_nn.board_from_position_key(chance.choice(turns))
        return moved, waiting
    _, key = gnubg_nn.best_move(board, *roll, n=0, b=1)
    own, other = gnubg_nn.board_from_position_key(key)
    return own, other


def sample(positions: int, seed: int) -> Sample:
    """Return all positions of complete games, at least ``positions``."""
    chance = random.Random(seed)
    words, chances = list[tuple[int, ...]](), list[tuple[float, ...]]()
    while len(words) < positions:
        board: Board = gnubg_nn.board_from_position_id(START)
        noise = chance.choice(NOISE)
        while sum(board[0]) and sum(board[1]):
            win, gammon, backgammon, lost, lost_backgammon = gnubg_nn.probabilities(board, 0)
            other, own = ([MEN - sum(men), *men] for men in board)
            words.append((*pack(own), *pack(other)))
            chances.append((win, gammon, lost, backgammon, lost_backgammon))
            roll = chance.randint(1, 6), chance.randint(1, 6)
            board = following(board, roll, chance.random() < noise, chance)
    return Sample(np.array(words, np.int64), np.array(chances))


@compiled
def _features(words, out):  # type: ignore[no-untyped-def]  # numba infers the types
    """Write the features of each position."""
    for i in range(len(words)):
        state = Backgammon(words[i, 0], words[i, 1], words[i, 2], words[i, 3], 0, 0, 0)
        vector(state, 0, out[i])


def features(found: Sample) -> NDArray[np.int64]:
    """Return the features of each position: (positions, features)."""
    out = np.zeros((len(found.words), len(NAMES)), np.int64)
    _features(found.words, out)
    return out


def logistic(logits: Floats) -> Floats:
    """Return the chances of logits."""
    return 1 / (1 + np.exp(-np.clip(logits, -30, 30)))


def regression(rows: Floats, known: Floats, targets: Floats, often: Floats) -> Floats:
    """Return the weights of ``rows`` by which logits, less the ``known`` part of each, fit the targets best.

    ``often``: how much each row counts. The loss is the cross-entropy.
    """
    scale = np.sqrt((rows**2).mean(axis=0)) + 1e-12
    rows = rows / scale
    weights = np.zeros(rows.shape[1])
    for number in range(STEPS):
        chances = logistic(rows @ weights + known)
        bend = often * np.maximum(chances * (1 - chances), 1e-4)
        curvature = rows.T @ (rows * bend[:, None]) + RIDGE * np.eye(len(weights))
        change = np.linalg.solve(curvature, rows.T @ (often * (targets - chances)) - RIDGE * weights)
        far = np.abs(rows @ change).max()
        weights += change * min(1.0, FARTHEST / max(far, 1e-9)) if number < CAREFUL else change
    return np.asarray(weights / scale)


def targets_of(chances: Floats) -> list[tuple[Floats, Floats]]:
    """Return the target of each logit, and how much each position counts for it.

    A backgammon pays one point more than a gammon, so it counts as two gammons. The sum is at most 1, as a chance is.
    """
    win, lose = chances[:, 0], 1 - chances[:, 0]
    found = [(win, np.ones(len(win)))]
    for often, gammon, backgammon in ((win, chances[:, 1], chances[:, 3]), (lose, chances[:, 2], chances[:, 4])):
        share = np.where(often > 1e-3, (gammon + backgammon) / np.maximum(often, 1e-9), 0)
        found.append((np.clip(share, 0, 1), often))
    return found


def fit(listed: NDArray[np.int64], chances: Floats, learned: NDArray[np.bool_]) -> Floats:
    """Return the weights that fit the chances of the positions that are ``learned``, with those that are fixed."""
    weights = np.zeros(len(NAMES))
    weights[list(FIXED)] = list(FIXED.values())
    for (first, last), (targets, often) in zip(PARTS, targets_of(chances), strict=True):
        free = np.setdiff1d(np.arange(first, last), list(FIXED))
        held = np.setdiff1d(np.arange(first, last), free)
        known = listed[:, held] @ weights[held] / LOGIT
        weights[free] = regression(listed[:, free] / LOGIT, known, targets, often * learned)
    return weights


def expected(listed: NDArray[np.int64], weights: Floats) -> Floats:
    """Return the expected points by the weights."""
    win, gained, lost = (logistic(listed[:, first:last] @ weights[first:last] / LOGIT) for first, last in PARTS)
    return np.asarray(win * (1 + gained) - (1 - win) * (1 + lost))


def described(listed: NDArray[np.int64], chances: Floats, weights: Floats) -> str:
    """Return how far expected points differ from GNU Backgammon's, with contact and in races."""
    points = 2 * chances[:, 0] - 1 + chances[:, 1] + chances[:, 3] - chances[:, 2] - chances[:, 4]
    errors = expected(listed, weights) - points
    race = listed[:, RACE + RACE_ON_ROLL] != 0
    lines = []
    for name, chosen in (("contact", ~race), ("races", race)):
        size, share = np.sqrt((errors[chosen] ** 2).mean()), 1 - (errors[chosen] ** 2).mean() / points[chosen].var()
        lines.append(f"{name}: {chosen.sum():,} held-out positions, error {size:.3f} points, R² {share:.3f}")
    return "\n".join(lines)


def module(weights: Floats, command: str) -> str:
    """Return the text of the module with the weights."""
    numbers = textwrap.wrap(", ".join(map(str, np.rint(weights).astype(int))) + ",", 112)
    return "\n".join(
        (
            "# SPDX-License-Identifier: GPL-3.0-or-later",
            '"""Weights of the evaluation, in units of ``worth.LOGIT``: see ``evaluation.NAMES``.',
            "",
            f"Printed by ``{command}``.",
            '"""',
            "",
            "# fmt: off",
            "WEIGHTS = (",
            *(f"    {line}" for line in numbers),
            ")",
        )
    )


def main() -> None:
    """Fit, and print the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=60_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    found = sample(chosen.positions, chosen.seed)
    listed = features(found)
    learned = np.arange(len(listed)) <= len(listed) * (HELD_OUT - 1) // HELD_OUT
    weights = fit(listed, found.chances, learned)
    print(described(listed[~learned], found.chances[~learned], weights), file=sys.stderr)
    print(
        module(
            weights, f"python -m lab.bench.games.backgammon_weights --positions {chosen.positions} --seed {chosen.seed}"
        )
    )


if __name__ == "__main__":
    main()
