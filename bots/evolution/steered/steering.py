# SPDX-License-Identifier: GPL-3.0-or-later
"""Search parameters of evolved players in one table, and the fixed rivals.

``PARAMETERS`` is the only place that lists search parameters. Genomes, genome files and pages name a parameter by its
row; compiled code reads it by its index, which ``place`` returns at import.

The fixed rivals use the same search code, so all players count nodes in the same way: ``f-negascout-N`` searches N
plies by fail-soft NegaScout (A. Reinefeld, 1983) and orders moves by captured value, then killers and history;
``alpha-beta-N`` has neither move ordering nor null windows. Both have the quiescence search of the evolved players, the
game's default evaluation, no hash table, and a fixed depth instead of a node limit.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

from engine.evaluation import Evaluation
from engine.game import Game
from engine.search.programs.program import Program

PLAIN: Program = ("horizon",)
"""The depth program that searches every branch to the same depth."""

NEVER = 10.0
"""A margin of this many pawn units switches its rule off."""
ALL = 1_000.0
"""More moves than any position has: with this late move count no move is skipped."""

Values = tuple[float, ...]
"""A value for each row of ``PARAMETERS``."""


class Parameter(NamedTuple):
    """A search parameter. Margins are in pawn units, depths and reductions in plies."""

    name: str
    default: float
    """The value for the fixed rivals, which prune and reduce nothing."""
    low: float
    high: float
    """``low`` and ``high`` are the bounds of the parameter."""
    first: tuple[float, float]
    """The range from which a first generation draws its values."""
    switch: bool = False
    """Whether the parameter is a switch: values above 1/2 switch it on. Refining does not change switches."""
    gene: bool = True
    """Whether evolution can change the parameter."""
    about: str = ""
    """The effect of the parameter."""


def _weight(name: str, default: float, about: str) -> Parameter:
    return Parameter(name, default, 0.0, 400.0, (0.0, 100.0), about=about)


def _switch(name: str, about: str) -> Parameter:
    return Parameter(name, 0.0, 0.0, 1.0, (0.0, 1.0), switch=True, about=about)


def _margin(
    name: str, low: float, high: float, first: tuple[float, float], about: str, default: float = 0.0
) -> Parameter:
    return Parameter(name, default, low, high, first, about=about)


PARAMETERS = (
    # terms of the ordering score: the move with the highest sum is tried first
    _weight("capture weight", 100.0, "added for each pawn unit of the move's immediate gain"),
    _weight("losing capture penalty", 0.0, "subtracted for a capture that loses by static exchange evaluation (SEE)"),
    _weight("first killer weight", 40.0, "added for the last quiet move that caused a cutoff at the same ply"),
    _weight("second killer weight", 30.0, "added for the quiet move that was the first killer before"),
    _weight("history weight", 10.0, "factor of the move's history, which is from -1 to 1"),
    _weight("counter move weight", 0.0, "added for the move that last refuted the opponent's previous move"),
    _weight("losing quiet move penalty", 0.0, "subtracted for a quiet move that loses by SEE"),
    _weight("continuation history weight", 0.0, "factor of the move's history after the opponent's previous move"),
    _weight("second continuation history weight", 0.0, "factor of the move's history after the mover's previous move"),
    _weight("safe capture weight", 0.0, "added for a capture that keeps its whole gain by SEE"),
    # switches and the use of nodes
    _switch(
        "full-depth re-search",
        "search a branch again at the usual depth if the program reduced it and its value exceeds alpha",
    ),
    _switch("null move", "search a null move if the static evaluation is at least beta; the program sets its depth"),
    Parameter(
        "iteration share", 0.5, 0.1, 1.0, (0.2, 0.6), about="start no iteration after this share of the node limit"
    ),
    _switch("principal variation first", "try the moves of the last iteration's best line first"),
    _switch("keep killers", "keep killer moves from one move of the game to the next"),
    _switch("search tree memory", "keep a refutation table: best moves and bounds of searched lines"),
    Parameter(
        "stable move share",
        0.0,
        0.0,
        0.5,
        (0.0, 0.2),
        about="subtracted from the iteration share for each of the last two iterations with an unchanged best move",
    ),
    # pruning and reductions; margins do not apply on the principal variation
    _margin(
        "reverse futility margin",
        0.05,
        NEVER,
        (0.3, 1.2),
        "cut off a position whose static evaluation exceeds beta by this much for each remaining ply",
        NEVER,
    ),
    _margin(
        "futility base",
        0.0,
        NEVER,
        (0.0, 1.0),
        "skip a move if static evaluation + immediate gain + this base + depth × futility margin is below alpha",
        NEVER,
    ),
    _margin("futility margin", 0.0, 5.0, (0.2, 0.8), "added to the futility base for each remaining ply"),
    _margin(
        "late move count",
        1.0,
        ALL,
        (2.0, 10.0),
        "skip quiet moves after this number × (1 + depth² / 2) of searched moves",
        ALL,
    ),
    _margin(
        "SEE margin",
        0.05,
        NEVER,
        (0.3, 1.5),
        "skip a move that loses more than this for each remaining ply, by SEE",
        NEVER,
    ),
    _margin(
        "quiescence SEE margin",
        0.0,
        NEVER,
        (0.3, 1.5),
        "in quiescence search, return beta if static evaluation + SEE value of a capture exceeds beta by this much",
        NEVER,
    ),
    _margin(
        "delta margin",
        0.0,
        NEVER,
        (0.3, 1.5),
        "in quiescence search, skip a capture if static evaluation + its SEE value + this margin is below alpha",
        NEVER,
    ),
    _margin(
        "LMR slope",
        0.0,
        2.0,
        (0.3, 0.9),
        "late move reduction (LMR) in plies: this × ln depth × ln (1 + number of moves searched before)",
    ),
    _margin("LMR move count", 0.0, 20.0, (1.0, 4.0), "reduce moves only after this number of searched moves"),
    _margin(
        "null move reduction",
        0.0,
        4.0,
        (1.0, 3.0),
        "plies subtracted from the depth that the program sets for a null move",
    ),
    _margin(
        "aspiration window",
        0.1,
        NEVER,
        (0.3, 1.2),
        "half the width of the first window, from the third iteration on",
        NEVER,
    ),
    _margin("LMR history", 0.0, 3.0, (0.0, 1.0), "LMR: plies less for each 1 of the move's history"),
    _margin("LMR cut node", 0.0, 3.0, (0.0, 1.0), "LMR: plies more at expected cut nodes"),
    _margin("LMR open window", 0.0, 3.0, (0.0, 1.0), "LMR: plies less at principal-variation nodes"),
    _margin(
        "LMR not improving",
        0.0,
        3.0,
        (0.0, 1.0),
        "LMR: plies more, and late move count / (1 + this), if the score is not above that of two plies before",
    ),
    _margin(
        "history margin",
        0.01,
        NEVER,
        (0.1, 1.0),
        "skip quiet moves with a history below minus this × depth",
        NEVER,
    ),
    _margin(
        "internal iterative reduction",
        0.0,
        3.0,
        (0.0, 1.0),
        "plies less at PV and expected cut nodes with depth 3 or more and no stored best move",
    ),
    _margin(
        "null move score reduction",
        0.0,
        3.0,
        (0.0, 1.0),
        "plies subtracted from a null move's depth for each pawn unit of the score above beta, 2 plies at most",
    ),
    _margin(
        "history rate",
        0.0,
        0.5,
        (0.01, 0.2),
        "step of histories towards 1 or -1 after a cutoff: this × depth², 1/2 at most",
        1 / 64,
    ),
    _margin(
        "reverse futility improving",
        0.0,
        3.0,
        (0.0, 1.0),
        "plies that reverse futility does not count if the score is above that of two plies before",
    ),
    _margin(
        "pruning LMR share",
        0.0,
        1.0,
        (0.0, 1.0),
        "share of a move's LMR that is subtracted from the depth for futility and SEE margins",
    ),
    _margin(
        "evasion history weight",
        0.0,
        3.0,
        (0.0, 1.0),
        "in quiescence search, pawn units added to the ordering score of an evasion for each 1 of its history",
    ),
    Parameter(
        "null window",
        1.0,
        0.0,
        1.0,
        (1.0, 1.0),
        switch=True,
        gene=False,
        about="search moves after the first with a null window first (principal variation search)",
    ),
)
"""All search parameters. Add new rows at the end, because random genomes draw their values in this order."""

GENES = tuple(row for row in PARAMETERS if row.gene)

_PLACES = {row.name: number for number, row in enumerate(PARAMETERS)}
DEFAULTS: Values = tuple(row.default for row in PARAMETERS)


def from_genes(values: Values) -> Values:
    """Return the values of all parameters, from values of ``GENES``; the other parameters get their defaults."""
    genes = iter(values)
    return tuple(next(genes) if row.gene else row.default for row in PARAMETERS)


def place(name: str) -> int:
    """Return the index of a parameter. Raises KeyError, with a message that names it, for an unknown one."""
    if name not in _PLACES:
        raise KeyError(f"there is no search parameter {name[:60]!r}")
    return _PLACES[name]


CONTINUATION_HISTORY_WEIGHT = place("continuation history weight")
SECOND_CONTINUATION_HISTORY_WEIGHT = place("second continuation history weight")
ORDERING = tuple(range(place("safe capture weight") + 1))
"""The indices of the weights of move ordering."""
_PRUNING = tuple(
    place(name)
    for name in ("futility base", "reverse futility margin", "SEE margin", "history margin", "late move count")
)


def parameters(values: Values = DEFAULTS, /, **changes: float) -> Values:
    """Return a copy of parameter values (the defaults, unless given) with changes.

    ``null_move=1`` changes the row "null move": keywords are row names in lower case, with underscores. Raises KeyError
    for an unknown one.
    """
    keys = {_identifier(name): number for name, number in _PLACES.items()}
    changed = list(values)
    for name, value in changes.items():
        if name.lower() not in keys:
            raise KeyError(f"there is no search parameter {name[:60]!r}")
        changed[keys[name.lower()]] = float(value)
    return tuple(changed)


def _identifier(name: str) -> str:
    return name.lower().replace(" ", "_").replace("-", "_")


@dataclass(frozen=True, slots=True)
class Steering:
    """The settings of a player's search."""

    program: Program
    """The program that sets the depth of each branch."""
    parameters: Values
    """A value for each row of ``PARAMETERS``; see ``parameters``."""
    evaluation: Evaluation
    depth: int | None = None
    """The depth of the only iteration; None: iterative deepening within the node limit."""

    def value(self, name: str) -> float:
        """Return the value of a parameter. Raises KeyError."""
        return self.parameters[place(name)]

    def on(self, name: str) -> bool:
        """Whether a switch is on. Raises KeyError."""
        return self.value(name) > 0.5

    def changed(self, **changes: float) -> "Steering":
        """Return a copy with other parameters; see ``parameters``."""
        return replace(self, parameters=parameters(self.parameters, **changes))

    @property
    def prunes(self) -> bool:
        """Whether any pruning rule is on (futility, reverse futility, SEE, history, late move count)."""
        return any(self.parameters[number] < PARAMETERS[number].high for number in _PRUNING)


EVALUATIONS = ("evochess", "lecture")
"""Default evaluations: the first of these that a game has, else the first in the game's own list."""


def default_evaluation(game: Game) -> Evaluation:
    """Return the evaluation whose weights evolve in a game, with its default weights."""
    for name in EVALUATIONS:
        if name in game.evaluations:
            return game.evaluations[name]
    return next(iter(game.evaluations.values()))


def negascout(game: Game, depth: int) -> Steering:
    """Return the search of the rival ``f-negascout-N``."""
    return Steering(PLAIN, DEFAULTS, default_evaluation(game), depth=depth)


def alpha_beta(game: Game, depth: int) -> Steering:
    """Return the search of the rival ``alpha-beta-N``."""
    unordered = [0.0 if number in ORDERING else value for number, value in enumerate(parameters(null_window=0.0))]
    return Steering(PLAIN, tuple(unordered), default_evaluation(game), depth=depth)
