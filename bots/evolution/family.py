# SPDX-License-Identifier: GPL-3.0-or-later
"""Families of kinds of genomes: what a module of ``bots.evolution.kinds`` declares."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bots.evolution.genome import Genotype, Kind, Values
from bots.evolution.matrix import Matrix

if TYPE_CHECKING:
    from bots.evolution.breeding import Breed

NODES = 1_000
"""Default average number of nodes per move of searches."""
PARAMETERS, WEIGHTS, BOTH = CHANGING = ("search", "weights", "both")
"""The numbers of a given search that dynamics of numbers may change."""


def _no_guest(name: str, path: Path) -> Genotype:
    raise ValueError(f"--guest: {path} cannot be given, because genomes of {name} have no guests")


def _no_weights(name: str, path: Path) -> Values:
    raise ValueError(f"--weights: {path} cannot be given, because genomes of {name} begin with random weights")


def _no_matrix(name: str, path: Path) -> Matrix:
    raise ValueError(
        f"--matrix: {path} cannot be given, because games decide the fitness of genomes of {name}; "
        "choose --schema matrix/pure or matrix/mixed"
    )


@dataclass(frozen=True, slots=True)
class Family:
    """Kinds of genomes that differ in their game or in an evaluation."""

    pattern: str
    """The form of their names: game, slash, and a word."""
    description: str
    names: Callable[[str], Sequence[str]]
    """Return the names of the kinds of a game, the usual one first."""
    make: Callable[["Breed"], Kind]
    """Return the kind of a run. Raises ValueError for invalid settings."""
    usual: bool = False
    """Whether runs that name no kind use this family, if its players suit the dynamics."""
    rivals: bool = False
    """Whether players can meet the frozen rivals of a level."""
    guest: Callable[[str, Path], Genotype] = _no_guest
    """Return the genome of a file for the kind of a name. Raises KeyError, ValueError and OSError."""
    weights: Callable[[str, Path], Values] = _no_weights
    """Return first weights from a file for the kind of a name. Raises KeyError, ValueError and OSError."""
    matrix: Callable[[str, Path], Matrix] = _no_matrix
    """Return the payoffs of a file for the kind of a name. Raises ValueError and OSError."""
    game: str = ""
    """The first part of the names of its kinds, where it is no game of the arena."""
