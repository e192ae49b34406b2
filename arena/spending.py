# SPDX-License-Identifier: GPL-3.0-or-later
"""Who pays for work that is done in threads: whoever starts a task may say so, and what the task starts inherits it."""

from collections.abc import Callable
from contextvars import ContextVar


def _nobody(seconds: float) -> None:
    """Forget it."""


SPEND: ContextVar[Callable[[float], None]] = ContextVar("spend", default=_nobody)
"""Called on the event loop with the seconds of a processor that a thread took for the current task."""
