# SPDX-License-Identifier: GPL-3.0-or-later
"""A piece of work in another process: results and exceptions as pickles."""

import pickle
from collections.abc import Callable
from typing import Any


def unpickled_call(work: Callable[..., Any], arguments: bytes) -> bytes:
    """Call a function with pickled arguments; return the pickled exception, or None, and the result."""
    try:
        return pickle.dumps((None, work(*pickle.loads(arguments))))  # of our own parent
    except Exception as error:
        return pickled_error(error)


def pickled_error(error: Exception) -> bytes:
    """Return an exception like a result; one that cannot be pickled as a RuntimeError with its text."""
    try:
        body = pickle.dumps((error, None))
        pickle.loads(body)  # made here
    except Exception:
        return pickle.dumps((RuntimeError(f"{type(error).__name__}: {error}"), None))
    return body
