# SPDX-License-Identifier: GPL-3.0-or-later
"""Standard input of commands that another program starts and talks to."""

import sys
from collections.abc import Iterator

LONGEST_LINE = 1 << 20
"""Maximum length of a line in bytes; a longer line is read in pieces, which are invalid and refused."""


def lines() -> Iterator[str]:
    """Yield the lines of standard input."""
    while line := sys.stdin.buffer.readline(LONGEST_LINE):
        yield line.decode(errors="replace")
