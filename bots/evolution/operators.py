# SPDX-License-Identifier: GPL-3.0-or-later
"""Mutation and crossover of genomes. All operators use the given random generator and respect the bounds."""

from collections.abc import Sequence
from hashlib import sha256
from math import exp, sqrt
from random import Random as Chance

from bots.evolution.genome import Kind, Values

__all__ = ["Chance", "adapted", "blended", "chance_for", "crossed", "kicked", "mutated"]

HALF_WIDTH = 0.5
"""Kendall and Whitwell's RAND: uniform from -1/2 to 1/2."""


def chance_for(seed: int, *parts: object) -> Chance:
    """Return a random generator that depends only on a seed and its purpose."""
    text = "/".join(map(str, (seed, *parts)))
    return Chance(int.from_bytes(sha256(text.encode()).digest()))


def mutated(kind: Kind, values: Values, deviations: Sequence[float], factor: float, chance: Chance) -> Values:
    """Return w(y) + RAND[-1/2, 1/2] · σ(y) · factor for every gene (Kendall and Whitwell).

    ``deviations``: the population's standard deviation of each gene. A draw is made for fixed genes too.
    """
    return kind.fitted(
        [
            value + chance.uniform(-HALF_WIDTH, HALF_WIDTH) * deviation * factor
            for value, deviation in zip(values, deviations, strict=True)
        ]
    )


def kicked(kind: Kind, values: Values, step: float, chance: Chance) -> Values:
    """Return values changed by normal deviates, ``step`` times the width of each gene's first range."""
    return kind.fitted(
        [
            value + chance.gauss(0.0, 1.0) * step * (gene.first[1] - gene.first[0])
            for gene, value in zip(kind.genes, values, strict=True)
        ]
    )


def adapted(step: float, genes: int, chance: Chance) -> float:
    """Return an inherited step after log-normal self-adaptation (H.-P. Schwefel).

    step · e^(τ·N(0, 1)), with τ = 1/√genes; 1 without genes.
    """
    return step * exp(chance.gauss(0.0, 1.0) / sqrt(max(1, genes)))


def crossed(first: Values, second: Values, chance: Chance) -> Values:
    """Return a genome that has each gene from one parent or the other."""
    return tuple(one if chance.random() < 0.5 else other for one, other in zip(first, second, strict=True))


def blended(kind: Kind, first: Values, second: Values, chance: Chance) -> Values:
    """Return a point on the line between two genomes."""
    share = chance.random()
    return kind.fitted([share * one + (1 - share) * other for one, other in zip(first, second, strict=True)])
