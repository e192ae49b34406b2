# SPDX-License-Identifier: GPL-3.0-or-later
"""The order for the launcher of sandboxes, which runs the same interpreter."""

import marshal
import struct
from typing import Any, TypedDict, cast


class Order(TypedDict):
    """What to run."""

    command: list[str]
    environment: dict[str, str]
    directories: list[list[str]]
    """Source and place of what the program may read."""
    hidden: list[str]
    """Directories in these that are shown empty."""
    links: list[list[str]]
    """Content and place of symbolic links."""
    home: str
    temporary: int
    inodes: int
    user: int | None
    """The user to become; None where no root runs it."""
    limits: dict[str, int]
    """Name of a resource limit → number."""


def encoded(order: Order) -> bytes:
    """Return what the launcher reads: the length in eight bytes, and the order."""
    body = marshal.dumps(cast(Any, order))  # its types do not know typed dictionaries
    return struct.pack("Q", len(body)) + body
