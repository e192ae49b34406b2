# SPDX-License-Identifier: GPL-3.0-or-later
"""Switches and parameters of Monte Carlo tree search, and the named algorithms made of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntFlag
from typing import NamedTuple


class TreeSwitch(IntFlag):
    """Techniques that Monte Carlo tree search adds to plain UCT. Compiled code reads the bits at run time."""

    SOLVER = 1
    """Bounds of won, lost and drawn positions are proved and passed up the tree."""
    REUSE = 2
    """The part of the tree below the position of the next search is kept."""
    RAVE = 4
    """Rapid action value estimation: a move's value is mixed with its value when played at any later time."""
    PUCT = 8
    """Moves are explored in proportion to their prior probability."""
    PRIOR = 16
    """Prior probabilities come from the evaluation of each move; without this switch all moves have the same."""
    WIDENING = 32
    """Progressive widening: only the moves with the highest priors are tried, more of them with each visit."""
    ANSWERS = 64
    """Informed playouts: moves answer the last one by the game's kernel ``answer``, such as captures and patterns in
    Go.
    """
    HEURISTIC = 128
    """Heuristic prior: a move's value, and with RAVE its value at any later time, start from virtual playouts, whose
    results the game guesses."""


class TreeParameters(NamedTuple):
    """Numbers of Monte Carlo tree search; compiled code reads them at run time."""

    exploration: float = 0.7
    """Weight of exploration. The values of moves are from 0 to 1."""
    equivalence: float = 1000.0
    """RAVE: number of visits at which a move's own value and its value at any later time have equal weight, if that is
    the mean of many playouts."""
    heuristic: float = 1.0
    """Heuristic prior: weight of the game's virtual playouts."""
    first_play: float = 10.0
    """First play urgency without priors: the value of a move that was not tried yet."""
    reduction: float = 0.1
    """First play urgency with PUCT: the value of an untried move is that of its position, less this."""
    expansion: float = 2.0
    """A position gets its moves as nodes at this visit."""
    playout_plies: float = -1.0
    """Random plies of a playout before the evaluation decides; below 0: to the end of the game."""
    scale: float = 1.5
    """The score, in pawn units, with which a side wins three games in four."""
    temperature: float = 1.0
    """Difference in score, in pawn units, that multiplies a prior by e."""
    uniform: float = 0.1
    """Share of the priors that all moves have equally, for sacrifices."""
    widening: float = 3.0
    """Progressive widening: factor of the number of moves that are tried."""
    widening_power: float = 0.4
    """Progressive widening: exponent of the visits of the position; factor × visits ** exponent moves are tried."""


@dataclass(frozen=True, slots=True)
class TreeAlgorithm:
    """A named set of switches with its parameters."""

    description: str
    switches: TreeSwitch
    parameters: TreeParameters = field(default_factory=TreeParameters)


_ALWAYS = TreeSwitch.SOLVER | TreeSwitch.REUSE

TREE_ALGORITHMS: Mapping[str, TreeAlgorithm] = {
    "uct": TreeAlgorithm("Monte Carlo tree search with random playouts and upper confidence bounds", _ALWAYS),
    "rave": TreeAlgorithm(
        "uct that also learns from moves played later in playouts",
        _ALWAYS | TreeSwitch.RAVE | TreeSwitch.ANSWERS | TreeSwitch.HEURISTIC,
        TreeParameters(exploration=0.1),
    ),
    "puct": TreeAlgorithm(
        "Monte Carlo tree search in which the evaluation gives the priors of moves and the values of leaves",
        _ALWAYS | TreeSwitch.PUCT | TreeSwitch.PRIOR,
        TreeParameters(exploration=0.6, playout_plies=0.0, expansion=1.0),
    ),
}
