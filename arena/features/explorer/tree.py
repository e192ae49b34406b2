# SPDX-License-Identifier: GPL-3.0-or-later
"""Types of a recorded search: its tree, node by node, and its iterations."""

from typing import Literal

from msgspec import Struct

Kind = Literal["max", "min", "chance"]
"""The side to move where the search began is max."""

Reason = Literal["root", "move", "again", "quiescence", "null-move", "verification", "singular", "razoring", "probe"]
"""Why a search visits a position."""

Event = Literal[
    "searched",
    "cut",
    "leaf",
    "over",
    "table",
    "repetition",
    "quiet",
    "stand-pat",
    "static-cut",
    "null-cut",
    "multi-cut",
    "razored",
    "unfinished",
]
"""How the visit of a position ended."""

Score = int | float
"""In the evaluation's points, as max sees it."""


class ExplainedNode(Struct, frozen=True, kw_only=True):
    """A visit of a position. The list of nodes is in the order of the visits."""

    parent: int | None
    """Place of the parent in the list; null at a root."""
    iteration: int
    """Depth of the iteration that this visit is a part of."""
    move: str
    """The move that led here, as bots send it; empty at a root, after a null move, and for another search of the same
    position."""
    said: str
    """The same as people write it."""
    via: list[str]
    """The moves before it, below the parent: a probe looks two plies ahead."""
    kind: Kind
    """max: the side that searches moves; min: its opponent moves; chance: dice are rolled."""
    ply: int
    """Number of plies from the root to this position."""
    depth: int
    """Remaining depth in plies."""
    alpha: Score | None
    """Lower bound at entry, as max sees it: max has at least this elsewhere. Null: none."""
    beta: Score | None
    """Upper bound at entry, as max sees it: min allows at most this elsewhere. Null: none."""
    value: Score | None
    """The value that the visit returned: a bound if it is not between alpha and beta. Null: unfinished."""
    static: Score | None
    """The static evaluation, where the search asked for it."""
    reason: Reason
    """Why the search visits the position: an ordinary `move`, `again` with another window or depth, or the technique
    that asks."""
    event: Event
    """How the visit ended: its moves were `searched`, or what made that needless, such as a `cut`, the `table` or a
    `leaf`."""
    cut: Literal["alpha", "beta"] | None
    """Which bound the value reached, so that further moves were not searched."""
    reduced: int
    """Plies that this visit is shallower than the parent's remaining depth allows; negative: deeper."""
    scored: int
    """Children that were evaluated to order the moves; each counts as a visited position."""
    unsearched: dict[str, int]
    """Number of moves that were not searched, by reason: `cut`, `futility`, `late`, `losing`, `excluded`."""
    diagram: str
    """The position, as the board of the game draws it."""
    squares: list[int]
    """The squares of the move."""
    words: str
    """What the search does here."""


class ExplainedIteration(Struct, frozen=True):
    """A finished iteration of the search."""

    depth: int
    """Depth of the iteration, in plies."""
    nodes: int
    """Number of positions that it visited."""
    value: Score
    """Value of the position by this iteration, as max sees it."""


class Explanation(Struct, frozen=True, kw_only=True):
    """The tree that a search walked."""

    game: str
    position: str
    """The position that was searched, as text."""
    to_move: int
    """The seat to move: this side is max. At a chance node max is seat 0."""
    algorithm: str
    """Name of the search algorithm."""
    evaluation: str
    """Name of the evaluation at the leaves of the search."""
    switches: list[str]
    """The techniques of the search."""
    depth: int
    """Depth that the search was asked for, in plies."""
    complete: bool
    """Whether the search ended; otherwise the tree was too large, and has the first nodes alone."""
    value: Score | None
    """Null if the search did not end."""
    win: Score
    """Values from this one on are those of won games."""
    line: list[str]
    """The best line, as people write it."""
    nodes: int
    """Visited positions of all iterations: the nodes of the tree, and the children that they evaluated to order moves.
    `arena search` counts the same."""
    iterations: list[ExplainedIteration]
    """The finished iterations, the shallowest first; a single one without iterative deepening."""
    tree: list[ExplainedNode]
    """The visits, in their order; `parent` of each is a place in this list."""
