# SPDX-License-Identifier: GPL-3.0-or-later
"""Spans: what the arena does and how long that takes. The spans of one cause are a trace, over all its servers.

The core and the features say where a span begins and ends. A tracer records it; there is one for the process, as there
is one log. Without a tracer a span costs a few calls. A trace context goes to other servers as the text of the header
``traceparent`` (W3C Trace Context, https://www.w3.org/TR/trace-context/).
"""

from types import TracebackType
from typing import Protocol, Self

TRACEPARENT = "traceparent"
"""The header of an HTTP request with the trace context of its sender."""

Attribute = str | int | float | bool


class Span:
    """A span that nobody records. A span ends once: by ``end``, or as a context manager, inside which it is the current
    one.
    """

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    def end(self) -> None:
        """End it."""

    def event(self, name: str) -> None:
        """Note that something happened now."""

    def note(self, name: str, value: Attribute) -> None:
        """Set an attribute that is known only now."""


UNRECORDED = Span()


class Tracer(Protocol):
    """Begins spans."""

    def root(self, name: str, attributes: dict[str, Attribute]) -> Span:
        """Begin a trace."""

    def child(self, name: str, attributes: dict[str, Attribute]) -> Span:
        """Begin a part of the current span; without one that is recorded, and has not ended, nobody records it."""

    def follow(self, parent: str, name: str, attributes: dict[str, Attribute]) -> Span:
        """Begin a part of another server's span, by its trace context; "" begins a trace."""

    def traceparent(self) -> str:
        """Return the trace context of the current span; "" without one that is recorded, and has not ended."""


class _NoTracer:
    """The tracer where no feature brings one."""

    def root(self, name: str, attributes: dict[str, Attribute]) -> Span:
        return UNRECORDED

    def child(self, name: str, attributes: dict[str, Attribute]) -> Span:
        return UNRECORDED

    def follow(self, parent: str, name: str, attributes: dict[str, Attribute]) -> Span:
        return UNRECORDED

    def traceparent(self) -> str:
        return ""


class _Used:
    tracer: Tracer = _NoTracer()
    on = False


def use(tracer: Tracer | None) -> None:
    """Record the spans of this process with a tracer from now on; None: record none."""
    _Used.tracer = tracer or _NoTracer()
    _Used.on = tracer is not None


def on() -> bool:
    """Return whether there is a tracer. The code for each move asks first, because unrecorded spans cost time."""
    return _Used.on


def root(name: str, **attributes: Attribute) -> Span:
    """Begin a trace, whatever the current span is."""
    return _Used.tracer.root(name, attributes)


def child(name: str, **attributes: Attribute) -> Span:
    """Begin a part of the current span. Nobody records it if there is no current span, or that has ended."""
    return _Used.tracer.child(name, attributes)


def follow(parent: str, name: str, **attributes: Attribute) -> Span:
    """Begin a part of a span of another server, whose trace context is ``parent``; "" begins a trace."""
    return _Used.tracer.follow(parent, name, attributes)


def traceparent() -> str:
    """Return the trace context of the current span, for another server; "" if there is none, or it has ended."""
    return _Used.tracer.traceparent()
