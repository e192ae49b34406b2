# SPDX-License-Identifier: GPL-3.0-or-later
"""Accounting of thread time: a context variable, inherited by subtasks, that charges the client of a request."""

from collections.abc import Callable
from contextvars import ContextVar


def _nobody(seconds: float) -> None:
    """Forget it."""


SPEND: ContextVar[Callable[[float], None]] = ContextVar("spend", default=_nobody)
"""Called on the event loop with the seconds of a processor that a thread took for the current task."""
