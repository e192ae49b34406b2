# SPDX-License-Identifier: GPL-3.0-or-later
"""Switches of a search: bits that compiled code reads at run time, and the named algorithms made of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntFlag
from typing import TypeVar


class Switch(IntFlag):
    """Techniques that a search adds to plain minimax. Switches that are not called inexact keep minimax's value."""

    CUTS = 1
    """Alpha-beta cuts."""
    TABLE = 2
    """Transposition table; a value is reused only at equal remaining depth."""
    TABLE_MOVE = 4
    """The best move of the table is tried early."""
    GAINS = 8
    """Moves with an immediate gain, such as captures, are tried earlier."""
    KILLERS = 16
    """Killer moves: the last two moves that caused a cutoff at the same ply are tried early."""
    HISTORY = 32
    """History heuristic: moves are ordered by how often they caused a cutoff."""
    NULL_WINDOWS = 64
    """Principal variation search: moves after the first are searched with a null window first."""
    DEEPENING = 128
    """Iterative deepening: depths 1, 2, 3, ...; the tables are kept between iterations."""
    ASPIRATION = 256
    """Aspiration windows: an iteration starts with a window around the value of the previous one."""
    QUIESCENCE = 512
    """Quiescence search: at depth 0 the search continues with moves that have a gain. Inexact."""
    REPETITION = 1024
    """A position that occurs for the third time is a draw. Inexact with a table, which does not store paths."""
    PROBES = 2048
    """In games with dice: the most promising move after each roll is searched first (Star2)."""
    STATIC_ORDERING = 4096
    """In games with dice: moves are ordered by the static evaluation of the resulting states."""
    SEE = 1 << 13
    """Static exchange evaluation: losing captures are tried last; quiescence search skips them."""
    COUNTER_MOVES = 1 << 14
    """The counter move, which last refuted the previous move, is tried early."""
    CONTINUATION_HISTORY = 1 << 15
    """Continuation history: moves are ordered by their success after each of the last two moves."""
    DEEPER_BOUNDS = 1 << 16
    """Bounds of deeper searches in the table are used too. Inexact, as are all switches below."""
    DELTA = 1 << 17
    """Delta pruning: quiescence search skips captures that cannot raise the score to alpha."""
    CHECK_EXTENSIONS = 1 << 18
    """Checks and other moves that threaten are extended by a ply."""
    SINGULAR = 1 << 19
    """Singular extensions: the table's move is extended if all other moves are much worse."""
    MULTI_CUT = 1 << 20
    """Multi-cut: a shallower search that finds a second move above beta ends the search of a position."""
    NULL_MOVE = 1 << 21
    """Null-move pruning: a position is cut off if passing still reaches beta."""
    LATE_MOVE_REDUCTIONS = 1 << 22
    """Late move reductions (LMR): late moves are searched to a smaller depth first."""
    LATE_MOVE_COUNT = 1 << 23
    """Late move count pruning (LMP): at small depths late quiet moves are skipped."""
    FUTILITY = 1 << 24
    """Futility and SEE pruning: at small depths the search skips moves that lose too much material by static exchange
    evaluation, and quiet moves if the score is far below alpha."""
    REVERSE_FUTILITY = 1 << 25
    """Reverse futility pruning: at small depths a position is cut off if the score is far above beta."""
    RAZORING = 1 << 26
    """Razoring: at small depths quiescence search decides if the score is far below alpha."""
    INTERNAL_REDUCTION = 1 << 27
    """Internal iterative reduction: positions without a table move are searched a ply less deep."""
    CORRECTION_HISTORY = 1 << 28
    """Correction history: static evaluations are corrected by past errors in positions with the same structure."""
    PROBABLE_FIRST = 1 << 29
    """Probable moves of a modelled opponent are tried right after the table's move."""
    PROBABLE_EXTENSIONS = 1 << 30
    """Probable moves of a modelled opponent are extended by a ply."""
    IMPROBABLE_REDUCTIONS = 1 << 31
    """Improbable moves of a modelled opponent are searched to a smaller depth first."""
    ROOT_VERIFICATION = 1 << 32
    """The best root move is verified, a few plies less deep, by a search without the opponent model."""
    ROOT_EXPECTATION = 1 << 33
    """A root move's value is the expectation over the opponent's probable answers."""
    PROGRAM = 1 << 34
    """A program sets the depth of each branch. Without a program it has no effect."""


ORDERING = Switch.GAINS | Switch.KILLERS | Switch.HISTORY
"""Move ordering without a table."""

STAR2 = Switch.PROBES | Switch.STATIC_ORDERING
"""Switches for games with dice; other games ignore them."""

INEXACT = Switch.QUIESCENCE | Switch.REPETITION | ~Switch(Switch.DEEPER_BOUNDS - 1)
"""Switches that may change the value: it can differ from minimax's."""

OPPONENT_MODEL = (
    Switch.PROBABLE_FIRST
    | Switch.PROBABLE_EXTENSIONS
    | Switch.IMPROBABLE_REDUCTIONS
    | Switch.ROOT_VERIFICATION
    | Switch.ROOT_EXPECTATION
)
"""Switches that use a model of the opponent; without a model they have no effect."""

AnySwitch = TypeVar("AnySwitch", bound=IntFlag)
"""``Switch``, or the switches of Monte Carlo tree search."""

SELECTIVE = ~Switch(Switch.SEE - 1)
"""Switches that only the selective search has; a set with any of them uses it."""


@dataclass(frozen=True, slots=True)
class Algorithm:
    """A named set of switches."""

    description: str
    switches: Switch


SOLVE = "solve"
"""The algorithm of the solver, ``engine.search.solver``. In games that it cannot solve it is like "advanced"."""

_ADVANCED = Switch.CUTS | ORDERING | STAR2 | Switch.TABLE | Switch.TABLE_MOVE | Switch.NULL_WINDOWS | Switch.DEEPENING

ALGORITHMS: Mapping[str, Algorithm] = {
    "minimax": Algorithm("searches every position to the full depth", Switch(0)),
    "alphabeta": Algorithm("alpha-beta, fail-soft", Switch.CUTS),
    "ordering": Algorithm("alpha-beta with move ordering", Switch.CUTS | ORDERING),
    "quiescence": Algorithm("alpha-beta with quiescence search", Switch.CUTS | Switch.QUIESCENCE),
    "transposition": Algorithm("minimax with a transposition table", Switch.TABLE),
    "advanced": Algorithm(
        "alpha-beta with ordering, a transposition table, null windows and iterative deepening",
        _ADVANCED,
    ),
    SOLVE: Algorithm(
        "proves the value to the end of the game, in games with a solver (Connect Four, bridge); else like advanced",
        _ADVANCED,
    ),
    "expectiminimax": Algorithm("in games with dice: minimax that averages over the rolls", Switch(0)),
    "star1": Algorithm("expectiminimax with alpha-beta cuts, from bounds of the average over the rolls", Switch.CUTS),
    "star2": Algorithm(
        "star1 with move ordering and iterative deepening; for narrower bounds, it first searches one good move after "
        "each roll",
        Switch.CUTS | STAR2 | Switch.DEEPENING,
    ),
    "play": Algorithm(
        "selective search, for playing strength; its values can differ from minimax's",
        Switch.CUTS
        | ORDERING
        | STAR2
        | Switch.TABLE
        | Switch.TABLE_MOVE
        | Switch.NULL_WINDOWS
        | Switch.DEEPENING
        | Switch.ASPIRATION
        | Switch.QUIESCENCE
        | Switch.REPETITION
        | SELECTIVE & ~(Switch.CHECK_EXTENSIONS | Switch.PROGRAM | OPPONENT_MODEL),
    ),
}


PROGRAMMED = ALGORITHMS["play"].switches | Switch.PROGRAM
"""The switches of searches with a depth program: those of the selective search, which extends no checks by itself."""


def altered(switches: AnySwitch, words: str) -> AnySwitch:
    """Parse a list of switches: "+aspiration,-null-move" changes a set; without signs, the list is the new set.

    Names may be in any case, with "-" or "_" between words. Raises ValueError for unknown names, and if only some names
    have signs.
    """
    parts = [word.strip() for word in words.split(",") if word.strip()]
    signed = [part for part in parts if part[0] in "+-"]
    if signed and signed != parts:
        raise ValueError(
            "write + or - before every switch, to add and remove switches of the algorithm, or before none, to replace "
            "them all"
        )
    kind = type(switches)
    # the switch of programs comes with a program
    named = [name for name in kind.__members__ if not (kind is Switch and name == Switch.PROGRAM.name)]
    if not signed:
        switches = kind(0)
    for part in parts:
        name = part.lstrip("+-").replace("-", "_").replace(" ", "_").upper()
        if name not in named:
            known = ", ".join(switch.lower().replace("_", "-") for switch in named)
            raise ValueError(f"no switch is called {part.lstrip('+-')[:40]!r}; there are {known}")
        switches = switches & ~kind[name] if part[0] == "-" else switches | kind[name]
    return switches
