# SPDX-License-Identifier: GPL-3.0-or-later
"""How an evolved player searches: one table of search parameters, the depth program, and the frozen rivals.

``PARAMETERS`` is the only place that lists search parameters. Genomes, genome files and pages name a parameter by its
row; compiled code reads it by its place, which ``place`` finds at import.

The frozen rivals use the same terms, so that all players count positions in the same way: ``f-negascout-N`` searches N
plies by fail-soft NegaScout (A. Reinefeld, 1983) and orders moves by captured value, then killers and history;
``alpha-beta-N`` has neither move ordering nor null windows. Both have the quiescence search of the evolved players and
the game's default evaluation, no hash table, and a fixed depth instead of a budget of nodes.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

from bots.evolution.programs.program import Program
from engine.evaluation import Evaluation
from engine.game import Game

PLAIN: Program = ("horizon",)
"""Searches every branch to the same depth."""

NEVER = 10.0
"""A margin of so many pawn units switches the rule off."""
ALL = 1_000.0
"""More moves than any position has."""

Values = tuple[float, ...]
"""A value for each row of ``PARAMETERS``."""


class Parameter(NamedTuple):
    """A search parameter. Margins are in pawn units, depths and reductions in plies."""

    name: str
    default: float
    """The value of the rivals, which prune and reduce nothing."""
    low: float
    high: float
    """The bounds of the parameter."""
    first: tuple[float, float]
    """The bounds of the values of the first generation."""
    switch: bool = False
    """Whether the parameter switches something on, when it is above 1/2. Refining leaves switches alone."""
    gene: bool = True
    """Whether evolution can change the parameter."""
    about: str = ""


def _weight(name: str, default: float, about: str) -> Parameter:
    return Parameter(name, default, 0.0, 400.0, (0.0, 100.0), about=about)


def _switch(name: str, about: str) -> Parameter:
    return Parameter(name, 0.0, 0.0, 1.0, (0.0, 1.0), switch=True, about=about)


def _margin(
    name: str, low: float, high: float, first: tuple[float, float], about: str, default: float = 0.0
) -> Parameter:
    return Parameter(name, default, low, high, first, about=about)


PARAMETERS = (
    # move ordering: the move with the highest sum is tried first
    _weight("capture weight", 100.0, "for each pawn unit that the move captures"),
    _weight("losing capture penalty", 0.0, "taken off a capture that loses by static exchange evaluation (SEE)"),
    _weight("first killer weight", 40.0, "the quiet move that refuted a position at this ply last"),
    _weight("second killer weight", 30.0, "the quiet move before that"),
    _weight("history weight", 10.0, "times the history of the move, from -1 to 1"),
    _weight("counter move weight", 0.0, "the move that last refuted the opponent's last move"),
    _weight("losing quiet move penalty", 0.0, "taken off a quiet move that loses by SEE"),
    _weight("continuation history weight", 0.0, "times the history of the move after the opponent's last move"),
    _weight("second continuation history weight", 0.0, "times its history after the own move before that"),
    _weight("safe capture weight", 0.0, "a capture that keeps all that it wins by SEE"),
    # switches and the use of nodes
    _switch("full-depth re-search", "search a branch again at the usual depth when a shallower search exceeds alpha"),
    _switch("null move", "try to pass where the score is at least beta; the program sets the depth of that"),
    Parameter("iteration share", 0.5, 0.1, 1.0, (0.2, 0.6), about="start no iteration after this share of the nodes"),
    _switch("principal variation first", "try the best line of the last iteration first"),
    _switch("keep killers", "keep the killers from one move of the game to the next"),
    _switch("search tree memory", "keep the tree of the search, and take moves and bounds from it"),
    Parameter(
        "stable move share",
        0.0,
        0.0,
        0.5,
        (0.0, 0.2),
        about="taken off the iteration share for each of the last two iterations that kept the best move",
    ),
    # pruning and reductions, off the principal variation
    _margin(
        "reverse futility margin",
        0.05,
        NEVER,
        (0.3, 1.2),
        "return a score that exceeds beta by so much for each ply left",
        NEVER,
    ),
    _margin(
        "futility base",
        0.0,
        NEVER,
        (0.0, 1.0),
        "skip a move whose score, immediate gain and margin stay below alpha",
        NEVER,
    ),
    _margin("futility margin", 0.0, 5.0, (0.2, 0.8), "added to the futility base for each ply left"),
    _margin(
        "late move count",
        1.0,
        ALL,
        (2.0, 10.0),
        "skip quiet moves after so many, and as many more times half the squared depth",
        ALL,
    ),
    _margin(
        "SEE margin",
        0.05,
        NEVER,
        (0.3, 1.5),
        "skip a move that loses more for each ply left, by SEE",
        NEVER,
    ),
    _margin(
        "quiescence SEE margin",
        0.0,
        NEVER,
        (0.3, 1.5),
        "in quiescence search, return beta for a capture that exceeds it by so much, by SEE",
        NEVER,
    ),
    _margin(
        "delta margin",
        0.0,
        NEVER,
        (0.3, 1.5),
        "in quiescence search, skip a capture that stays below alpha with so much added, by SEE",
        NEVER,
    ),
    _margin("LMR slope", 0.0, 2.0, (0.3, 0.9), "late move reduction: times the logarithms of depth and move number"),
    _margin("LMR move count", 0.0, 20.0, (1.0, 4.0), "reduce moves after so many"),
    _margin("null move reduction", 0.0, 4.0, (1.0, 3.0), "search a pass so many plies less deep than the program says"),
    _margin(
        "aspiration window", 0.1, NEVER, (0.3, 1.2), "half the first window's width, from the third iteration", NEVER
    ),
    _margin("LMR history", 0.0, 3.0, (0.0, 1.0), "reduce by so much less for each 1 of history"),
    _margin("LMR cut node", 0.0, 3.0, (0.0, 1.0), "reduce by so much more where a cutoff is expected"),
    _margin("LMR open window", 0.0, 3.0, (0.0, 1.0), "reduce by so much less where the window is open"),
    _margin(
        "LMR not improving",
        0.0,
        3.0,
        (0.0, 1.0),
        "reduce by so much more, and divide the late move count by 1 plus this, where the score does not improve",
    ),
    _margin(
        "history margin",
        0.01,
        NEVER,
        (0.1, 1.0),
        "skip quiet moves with a history below minus this for each ply",
        NEVER,
    ),
    _margin(
        "internal iterative reduction",
        0.0,
        3.0,
        (0.0, 1.0),
        "search so much less deep where no best move is known, in PV and cut nodes from three plies on",
    ),
    _margin("null move score reduction", 0.0, 3.0, (0.0, 1.0), "reduce a pass further for each pawn unit above beta"),
    _margin(
        "history rate", 0.0, 0.5, (0.01, 0.2), "how fast histories change, times the squared depth, 1/2 at most", 1 / 64
    ),
    _margin(
        "reverse futility improving", 0.0, 3.0, (0.0, 1.0), "plies fewer for reverse futility where the score improves"
    ),
    _margin("pruning LMR share", 0.0, 1.0, (0.0, 1.0), "share of the reduction that margins take off the depth"),
    _margin(
        "evasion history weight",
        0.0,
        3.0,
        (0.0, 1.0),
        "in quiescence search, pawn units for each 1 of history when the order of evasions is decided",
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
"""All search parameters. New ones go to the end: genomes at random draw their values in this order."""

GENES = tuple(row for row in PARAMETERS if row.gene)

_PLACES = {row.name: number for number, row in enumerate(PARAMETERS)}
DEFAULTS: Values = tuple(row.default for row in PARAMETERS)


def from_genes(values: Values) -> Values:
    """Return the parameters of a genome, whose values follow GENES; the others have their defaults."""
    own = iter(values)
    return tuple(next(own) if row.gene else row.default for row in PARAMETERS)


def place(name: str) -> int:
    """Return the place of a parameter. Raises KeyError, with a message that names it, for an unknown one."""
    if name not in _PLACES:
        raise KeyError(f"there is no search parameter {name[:60]!r}")
    return _PLACES[name]


CONTINUATION_HISTORY_WEIGHT = place("continuation history weight")
SECOND_CONTINUATION_HISTORY_WEIGHT = place("second continuation history weight")
ORDERING = tuple(range(place("safe capture weight") + 1))
"""The places of the weights of move ordering."""
_PRUNING = tuple(
    place(name)
    for name in ("futility base", "reverse futility margin", "SEE margin", "history margin", "late move count")
)


def parameters(values: Values = DEFAULTS, /, **changes: float) -> Values:
    """Return values, the defaults unless others are given, with changes.

    ``null_move=1`` changes the row "null move": identifiers are in lower case, with underscores. Raises KeyError for an
    unknown one.
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
    """How a player searches."""

    program: Program
    """Gives every branch its depth."""
    parameters: Values
    """A value for each row of ``PARAMETERS``; see ``parameters``."""
    evaluation: Evaluation
    depth: int | None = None
    """Searches this depth at once; None: one depth after the other, as far as nodes allow."""

    def value(self, name: str) -> float:
        """Return the value of a parameter. Raises KeyError."""
        return self.parameters[place(name)]

    def on(self, name: str) -> bool:
        """Whether a switch is on. Raises KeyError."""
        return self.value(name) > 0.5

    def changed(self, **changes: float) -> "Steering":
        """Return the same with other parameters; see ``parameters``."""
        return replace(self, parameters=parameters(self.parameters, **changes))

    @property
    def prunes(self) -> bool:
        """Whether anything is pruned by margins against the window, or by count."""
        return any(self.parameters[number] < PARAMETERS[number].high for number in _PRUNING)


EVALUATIONS = ("evochess", "lecture")
"""The evaluations that players of a game begin with: the first that it has, else the game's own first."""


def default_evaluation(game: Game) -> Evaluation:
    """Return the evaluation whose weights are bred in a game, at its defaults."""
    for name in EVALUATIONS:
        if name in game.evaluations:
            return game.evaluations[name]
    return next(iter(game.evaluations.values()))


def negascout(game: Game, depth: int) -> Steering:
    """Return the rival ``f-negascout`` of a depth."""
    return Steering(PLAIN, DEFAULTS, default_evaluation(game), depth=depth)


def alpha_beta(game: Game, depth: int) -> Steering:
    """Return the rival ``alpha-beta`` of a depth."""
    unordered = [0.0 if number in ORDERING else value for number, value in enumerate(parameters(null_window=0.0))]
    return Steering(PLAIN, tuple(unordered), default_evaluation(game), depth=depth)
