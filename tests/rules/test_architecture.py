# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/architecture.md shows the folders that there are."""

from tools.tree import BLOCK, DOCUMENT, tree


def test_the_tree_in_the_documentation_is_the_real_one() -> None:
    shown = BLOCK.search(DOCUMENT.read_text())
    assert shown is not None
    assert shown.group() == tree(), "run `make docs`"
