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
    """As people write it alone."""
    meaning: Text
    parent: Place
    """The place in the program of the word that this is an argument of, always an earlier one; -1 for the first."""
    start: Count
    end: Count
    """The range of the formula's text that it stands for."""


class ShownGene(Struct, frozen=True, forbid_unknown_fields=True):
    """A number of a genome, its bounds, and what people use."""

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
    """The place among the branches of the one that it grows from, always an earlier one; -1 for those of the root."""
    move: Text
    given: Annotated[float, Meta(ge=0, le=10_000)]
    """The depth that was left after the move at last."""
    reach: Ply
    """Plies from the root to the farthest position behind it, those that only quiescence search came to left out."""
    nodes: Count
    """Visited behind it, quiescence search included."""


class Searched(Struct, frozen=True, forbid_unknown_fields=True):
    """A player's search on a position."""

    name: Text
    nodes: Count
    depth: Ply
    """Of the last finished iteration; 0 where none was."""
    move: Text
    branches: Annotated[list[Branch], Meta(max_length=200)] = []
    """Of that iteration, in the order in which they were tried."""
    left_out: Count = 0
    """Branches near the root beyond those."""
    capped: bool = False
    """Whether it was given no more nodes, and would have gone on."""


class SearchTrace(Struct, frozen=True, forbid_unknown_fields=True):
    """A position, and the searches of a player and its rivals on it."""

    position: Text
    diagram: Annotated[str, Meta(max_length=1_000)]
    to_move: Annotated[int, Meta(ge=0, le=1)]
    searches: Annotated[list[Searched], Meta(min_length=1, max_length=10)]
    """The player's, then those of its rivals."""


SearchTraces = Annotated[list[SearchTrace], Meta(max_length=5)]


class GenomeView(Struct, frozen=True, forbid_unknown_fields=True):
    """The view of a genome that controls the depth of a search: its program, its numbers, traces of its search."""

    schema: Text
    nodes: Count
    """A move, on average."""
    formula: Annotated[str, Meta(max_length=4_000)]
    """The depth that is left after a move."""
    program: Annotated[list[ShownWord], Meta(max_length=200)]
    """The formula as a tree: its words in prefix order."""
    modules: Annotated[list[ShownModule], Meta(max_length=10)]
    search_traces: SearchTraces = []
