# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks into a tree: which nodes it has, and whether its counts agree."""

import numpy as np

from engine.search.tree import TreeSearcher
from engine.search.tree.memory import LEAF, ROOT, TOP, USED, Tree


def tree_of(searcher: TreeSearcher) -> Tree:
    """Return the arrays of a searcher's tree."""
    return searcher._tree


def nodes_below(tree: Tree, node: int = ROOT) -> list[int]:
    """Return a node and all nodes below it."""
    found = [node]
    for each in found:
        if tree.first[each] >= 0:
            found.extend(range(tree.first[each], tree.first[each] + tree.counts[each]))
    return found


def free_nodes(tree: Tree) -> list[int]:
    """Return the nodes in the free lists."""
    found: list[int] = []
    for size, block in enumerate(tree.free.tolist()):
        while block != LEAF:
            found.extend(range(block, block + size))
            block = int(tree.first[block])
    return found


def check_memory(tree: Tree) -> None:
    """Assert that each node is in use or free, and not both."""
    used = nodes_below(tree)
    assert sorted([*used, *free_nodes(tree)]) == list(range(int(tree.control[TOP])))
    assert len(used) == tree.control[USED]


def check_counts(tree: Tree) -> None:
    """Assert that a node's visits are its children's and those that ended there, and its value within its bounds."""
    for node in nodes_below(tree):
        assert tree.low[node] <= tree.high[node]
        if tree.first[node] >= 0:
            block = slice(int(tree.first[node]), int(tree.first[node] + tree.counts[node]))
            assert np.sum(tree.visits[block]) <= tree.visits[node]
        assert 0 <= tree.totals[node] <= int(tree.visits[node]) << 20
