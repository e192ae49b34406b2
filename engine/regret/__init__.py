# SPDX-License-Identifier: GPL-3.0-or-later
"""Equilibria of two-player zero-sum games with hidden information, by counterfactual regret minimisation (CFR).

A game becomes a public tree in flat arrays once (``tree``). The algorithms (``minimisation``) and the exact best
response (``response``) work on these arrays, so their code is compiled once for all games.
"""

from engine.regret.response import Evaluated, evaluate
from engine.regret.solver import ALGORITHMS, CFR_PLUS, MCCFR, RegretSolver
from engine.regret.tree import MOST_NODES, GameTree, build

__all__ = [
    "ALGORITHMS",
    "CFR_PLUS",
    "MCCFR",
    "MOST_NODES",
    "Evaluated",
    "GameTree",
    "RegretSolver",
    "build",
    "evaluate",
]
