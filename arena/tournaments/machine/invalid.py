# SPDX-License-Identifier: GPL-3.0-or-later
"""The error for a setting of a tournament that is not possible."""

from collections.abc import Iterator
from contextlib import contextmanager


class InvalidSetting(ValueError):
    """A setting is not possible; the message says why."""

    def __init__(self, field: str, message: str) -> None:
        """``field``: the path of the setting in the description, such as "format.rounds"."""
        super().__init__(message)
        self.field = field


@contextmanager
def invalid(field: str) -> Iterator[None]:
    """Convert a ValueError to an InvalidSetting of a field."""
    try:
        yield
    except ValueError as error:
        raise InvalidSetting(field, str(error)) from None
