# SPDX-License-Identifier: GPL-3.0-or-later
"""The strategies of the Axelrod library (axelrod 4.13.1) that are the same as ours, and matches against a fixed row."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

with warnings.catch_warnings():
    # of the library's own source
    warnings.simplefilter("ignore")
    import axelrod as axl

__all__ = ["PEERS", "against", "axl", "tournament"]

C, D = axl.Action.C, axl.Action.D

PEERS: Mapping[str, Callable[[], Any]] = {
    "tit-for-tat": axl.TitForTat,
    "tideman-chieruzzi": axl.FirstByTidemanAndChieruzzi,
    "nydegger": axl.FirstByNydegger,
    "grofman": axl.FirstByGrofman,
    "shubik": axl.FirstByShubik,
    "stein-rapoport": axl.FirstBySteinAndRapoport,
    "grudger": axl.Grudger,
    "davis": axl.FirstByDavis,
    "graaskamp": axl.FirstByGraaskamp,
    "downing": axl.FirstByDowning,
    "feld": axl.FirstByFeld,
    "joss": axl.FirstByJoss,
    "tullock": axl.FirstByTullock,
    "unnamed": axl.FirstByAnonymous,
    "coin": axl.Random,
    "cooperator": axl.Cooperator,
    "defector": axl.Defector,
    "alternator": axl.Alternator,
    "suspicious-tit-for-tat": axl.SuspiciousTitForTat,
    "tit-for-two-tats": axl.TitFor2Tats,
    "two-tits-for-tat": axl.TwoTitsForTat,
    "generous-tit-for-tat": axl.GTFT,
    "pavlov": axl.WinStayLoseShift,
    "firm-but-fair": axl.FirmButFair,
    "soft-majority": axl.GoByMajority,
    "hard-majority": axl.HardGoByMajority,
    "gradual": axl.Gradual,
    "prober": axl.Prober,
    "zd-extort-2": axl.ZDExtort2,
    "zd-extort-4": axl.ZDExtort4,
    "zd-gtft-2": axl.ZDGTFT2,
    "zd-set-2": axl.ZDSet2,
}


def against(name: str, row: Sequence[int], seed: int) -> list[int]:
    """Return the actions of the library's strategy against a fixed row of actions of the same length, 0 for C."""
    opponent = axl.MockPlayer([D if action else C for action in row])
    match = axl.Match((PEERS[name](), opponent), turns=len(row), seed=seed)
    return [int(own == D) for own, _ in match.play()]


def tournament(names: Sequence[str], *, repetitions: int, seed: int) -> NDArray[np.float64]:
    """Return the payoffs of matches of 200 rounds by strategy, opponent and repetition, self-play included."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        played = axl.Tournament([PEERS[name]() for name in names], turns=200, repetitions=repetitions, seed=seed).play(
            progress_bar=False
        )
    return np.array([[played.payoffs[one][other] for other in range(len(names))] for one in range(len(names))]) * 200
