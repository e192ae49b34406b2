# SPDX-License-Identifier: GPL-3.0-or-later
"""The strategies of the Axelrod library (axelrod 4.13.1) that are the same as ours, and matches against a fixed row.

The library takes ten seconds to import, as it reads the source of all its strategies: only tests that use it do so.
"""

import importlib
import warnings
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

PEERS: Mapping[str, str] = {
    "tit-for-tat": "TitForTat",
    "tideman-chieruzzi": "FirstByTidemanAndChieruzzi",
    "nydegger": "FirstByNydegger",
    "grofman": "FirstByGrofman",
    "shubik": "FirstByShubik",
    "stein-rapoport": "FirstBySteinAndRapoport",
    "grudger": "Grudger",
    "davis": "FirstByDavis",
    "graaskamp": "FirstByGraaskamp",
    "downing": "FirstByDowning",
    "feld": "FirstByFeld",
    "joss": "FirstByJoss",
    "tullock": "FirstByTullock",
    "unnamed": "FirstByAnonymous",
    "coin": "Random",
    "cooperator": "Cooperator",
    "defector": "Defector",
    "alternator": "Alternator",
    "suspicious-tit-for-tat": "SuspiciousTitForTat",
    "tit-for-two-tats": "TitFor2Tats",
    "two-tits-for-tat": "TwoTitsForTat",
    "generous-tit-for-tat": "GTFT",
    "pavlov": "WinStayLoseShift",
    "firm-but-fair": "FirmButFair",
    "soft-majority": "GoByMajority",
    "hard-majority": "HardGoByMajority",
    "gradual": "Gradual",
    "prober": "Prober",
    "zd-extort-2": "ZDExtort2",
    "zd-extort-4": "ZDExtort4",
    "zd-gtft-2": "ZDGTFT2",
    "zd-set-2": "ZDSet2",
}


@cache
def library() -> Any:
    """Return the library."""
    with warnings.catch_warnings():
        # of the library's own source
        warnings.simplefilter("ignore")
        return importlib.import_module("axelrod")


def peer(name: str) -> Any:
    """Return a new player of the library's strategy that is the same as ours of this name."""
    return getattr(library(), PEERS[name])()


def against(name: str, row: Sequence[int], seed: int) -> list[int]:
    """Return the actions of the library's strategy against a fixed row of actions of the same length, 0 for C."""
    axl = library()
    cooperate, defect = axl.Action.C, axl.Action.D
    opponent = axl.MockPlayer([defect if action else cooperate for action in row])
    match = axl.Match((peer(name), opponent), turns=len(row), seed=seed)
    return [int(own == defect) for own, _ in match.play()]


def tournament(names: Sequence[str], *, repetitions: int, seed: int) -> NDArray[np.float64]:
    """Return the payoffs of matches of 200 rounds by strategy, opponent and repetition, self-play included."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        entrants = [peer(name) for name in names]
        played = library().Tournament(entrants, turns=200, repetitions=repetitions, seed=seed).play(progress_bar=False)
    return np.array([[played.payoffs[one][other] for other in range(len(names))] for one in range(len(names))]) * 200
