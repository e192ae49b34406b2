# SPDX-License-Identifier: GPL-3.0-or-later
"""Pagination cursors: opaque text that says where the next page of a list starts.

A cursor holds the key of the last row, not an offset. So each page costs the same, and rows added meanwhile are neither
repeated nor skipped.
"""

import base64
from typing import Annotated, TypeVar

import msgspec

from arena.store.errors import BadCursor

T = TypeVar("T")

Id = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
"""A key that every database can hold."""


def write_cursor(key: object) -> str:
    """Return the cursor for the key of the last row of a page."""
    return base64.urlsafe_b64encode(msgspec.json.encode(key)).rstrip(b"=").decode()


def read_id(cursor: str) -> int:
    """Return the id in a cursor. Raises BadCursor when it holds none."""
    return read_cursor(cursor, Id)


def read_cursor(cursor: str, kind: type[T]) -> T:
    """Return the key in a cursor. Raises BadCursor when it holds none of this kind."""
    try:
        return msgspec.json.decode(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)), type=kind)
    except ValueError as error:
        raise BadCursor("the cursor is none that this list gave") from error
