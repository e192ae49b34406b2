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
    """What the word computes, in words."""
    parent: Place
    """Index of the word that has this word as an argument, always an earlier one; -1 for the first word."""
    start: Count
    """Place in the formula at which its text begins, in characters."""
    end: Count
    """End of its text in the formula; ``start`` is the start."""


class ShownGene(Struct, frozen=True, forbid_unknown_fields=True):
    """A number of a genome, its bounds, and the default."""

    name: Text
    """Name of the gene."""
    value: float
    """The value in this genome."""
    low: float
    """Lowest value that the gene may have."""
    high: float
    """Highest value that the gene may have."""
    standard: float
    """Value that players have without evolution, for comparison."""


class ShownModule(Struct, frozen=True, forbid_unknown_fields=True):
    """Genes that belong together."""

    title: Text
    """Name of the group, for people."""
    genes: Annotated[list[ShownGene], Meta(max_length=100)]
    """The genes of the group, in the order of the genome."""


class Branch(Struct, frozen=True, forbid_unknown_fields=True):
    """A move near the root of a search, and the size of the subtree behind it."""

    parent: Place
    """Index of the parent branch, always an earlier one; -1 for moves of the root."""
    move: Text
    """The move, as bots send it."""
    given: Annotated[float, Meta(ge=0, le=10_000)]
    """Remaining depth after the move, in its last search."""
    reach: Ply
    """Plies from the root to the deepest position below the branch, without quiescence search."""
    nodes: Count
    """Number of nodes below the branch, quiescence search included."""


class Searched(Struct, frozen=True, forbid_unknown_fields=True):
    """A player's search on a position."""

    name: Text
    """Name of the searching player, for people."""
    nodes: Count
    """Number of positions that the search visited."""
    depth: Ply
    """Depth of the last finished iteration; 0: none is finished."""
    move: Text
    """The move that the search chose."""
    branches: Annotated[list[Branch], Meta(max_length=200)] = []
    """Branches of that iteration, in search order."""
    left_out: Count = 0
    """Number of further branches near the root."""
    capped: bool = False
    """Whether the node limit ended the search."""


class SearchTrace(Struct, frozen=True, forbid_unknown_fields=True):
    """A position, and the searches of a player and its rivals on it."""

    position: Text
    """The position that was searched, as text."""
    diagram: Annotated[str, Meta(max_length=1_000)]
    """The position as a diagram: a letter for each square, row by row."""
    to_move: Annotated[int, Meta(ge=0, le=1)]
    """The seat to move in the position."""
    searches: Annotated[list[Searched], Meta(min_length=1, max_length=10)]
    """The search of the player, then those of its rivals."""


SearchTraces = Annotated[list[SearchTrace], Meta(max_length=5)]


class GenomeView(Struct, frozen=True, forbid_unknown_fields=True):
    """The view of a genome that controls the depth of a search: its program, its numbers, traces of its search."""

    schema: Text
    """Name of the schema of the genome, which says what each gene controls."""
    nodes: Count
    """Average number of nodes per move."""
    formula: Annotated[str, Meta(max_length=4_000)]
    """The remaining depth after a move, as a formula."""
    program: Annotated[list[ShownWord], Meta(max_length=200)]
    """The formula as a tree: its words in prefix order."""
    modules: Annotated[list[ShownModule], Meta(max_length=10)]
    """The numbers of the genome, in groups."""
    search_traces: SearchTraces = []
    """Its searches on some positions; empty: none were made."""
