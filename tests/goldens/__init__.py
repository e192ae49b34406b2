# SPDX-License-Identifier: GPL-3.0-or-later
"""Golden files: values, nodes and moves of all searches on 200 positions each of chess and checkers.

The searches are deterministic, so a change that only moves code or makes it faster leaves the files as they are. A
change that means to search differently writes them again: `python -m tests.goldens --write SEARCH`.
"""
