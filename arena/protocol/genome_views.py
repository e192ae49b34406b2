# SPDX-License-Identifier: MIT
"""The view of an evolved player: its genome in parts, and its search on a position.

The verifier computes it, the arena stores it, and pages draw it.
"""

from typing import Annotated

from msgspec import Meta, Struct

Text = Annotated[str, Meta(max_length=200)]
Count = Annotated[int, Meta(ge=0, le=2**53)]
Place = Annotated[int, Meta(ge=-1, le=10_000)]
Ply = Annotated[int, Meta(ge=0, le=10_000)]


class ShownWord(Struct, frozen=True, forbid_unknown_fields=True):
    """A word or a number of a program, in a formula and in a tree."""

    label: Text
    """Text of the word alone."""
    meaning: Text
    parent: Place
    """Index of the word that has this word as an argument, always an earlier one; -1 for the first word."""
    start: Count
    end: Count
    """End of its text in the formula; ``start`` is the start."""


class ShownGene(Struct, frozen=True, forbid_unknown_fields=True):
    """A number of a genome, its bounds, and the default."""

    name: Text
    value: float
    low: float
    high: float
    standard: float


class ShownModule(Struct, frozen=True, forbid_unknown_fields=True):
    """Genes that belong together."""

    title: Text
    genes: Annotated[list[ShownGene], Meta(max_length=100)]


class Branch(Struct, frozen=True, forbid_unknown_fields=True):
    """A move near the root of a search, and the size of the subtree behind it."""

    parent: Place
    """Index of the parent branch, always an earlier one; -1 for moves of the root."""
    move: Text
    given: Annotated[float, Meta(ge=0, le=10_000)]
    """Remaining depth after the move, in its last search."""
    reach: Ply
    """Plies from the root to the deepest position below the branch, without quiescence search."""
    nodes: Count
    """Number of nodes below the branch, quiescence search included."""


class Searched(Struct, frozen=True, forbid_unknown_fields=True):
    """A player's search on a position."""

    name: Text
    nodes: Count
    depth: Ply
    """Depth of the last finished iteration; 0: none is finished."""
    move: Text
    branches: Annotated[list[Branch], Meta(max_length=200)] = []
    """Branches of that iteration, in search order."""
    left_out: Count = 0
    """Number of further branches near the root."""
    capped: bool = False
    """Whether the node limit ended the search."""


class SearchTrace(Struct, frozen=True, forbid_unknown_fields=True):
    """A position, and the searches of a player and its rivals on it."""

    position: Text
    diagram: Annotated[str, Meta(max_length=1_000)]
    to_move: Annotated[int, Meta(ge=0, le=1)]
    searches: Annotated[list[Searched], Meta(min_length=1, max_length=10)]
    """The search of the player, then those of its rivals."""


SearchTraces = Annotated[list[SearchTrace], Meta(max_length=5)]


class GenomeView(Struct, frozen=True, forbid_unknown_fields=True):
    """The view of a genome that controls the depth of a search: its program, its numbers, traces of its search."""

    schema: Text
    nodes: Count
    """Average number of nodes per move."""
    formula: Annotated[str, Meta(max_length=4_000)]
    """The remaining depth after a move, as a formula."""
    program: Annotated[list[ShownWord], Meta(max_length=200)]
    """The formula as a tree: its words in prefix order."""
    modules: Annotated[list[ShownModule], Meta(max_length=10)]
    search_traces: SearchTraces = []
