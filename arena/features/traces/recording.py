# SPDX-License-Identifier: GPL-3.0-or-later
"""The tracer that records spans with OpenTelemetry's SDK, and sends them by OTLP over HTTP in a thread of its own.

The variables of OpenTelemetry for headers, certificates, attributes of the service and the sizes of batches hold:
https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
"""

import http.client
import os
import ssl
import urllib.error
import urllib.request
from collections.abc import Sequence
from contextvars import Token
from importlib.metadata import version
from types import TracebackType
from typing import Self

from opentelemetry import context, trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.environment_variables import (
    OTEL_EXPORTER_OTLP_CERTIFICATE,
    OTEL_EXPORTER_OTLP_HEADERS,
    OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE,
    OTEL_EXPORTER_OTLP_TRACES_HEADERS,
)
from opentelemetry.sdk.resources import SERVICE_INSTANCE_ID, SERVICE_NAME, SERVICE_VERSION, Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExportResult
from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased
from opentelemetry.trace import SpanKind, Status, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from opentelemetry.util.re import parse_env_headers

from arena import tracing
from arena.tracing import TRACEPARENT, UNRECORDED, Attribute

SERVICE = "bot-arena"

ANSWER = 3.0
"""Seconds in which the collector must answer."""

BUSY = (429, 502, 503, 504)
"""Answers of a collector, or of a proxy before it, that is away for a while."""

_propagator = TraceContextTextMapPropagator()


class RecordedSpan(tracing.Span):
    """A span of OpenTelemetry."""

    def __init__(self, span: trace.Span) -> None:
        self._span = span
        self._token: Token[context.Context] | None = None

    def __enter__(self) -> Self:
        self._token = context.attach(trace.set_span_in_context(self._span))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._token is not None:
            context.detach(self._token)
        if error is not None:
            self._span.record_exception(error)
            self._span.set_status(Status(StatusCode.ERROR, type(error).__name__))
        self._span.end()

    def end(self) -> None:
        """End it."""
        self._span.end()

    def event(self, name: str) -> None:
        """Note that something happened now."""
        self._span.add_event(name)

    def note(self, name: str, value: Attribute) -> None:
        """Set an attribute that is known only now."""
        self._span.set_attribute(_full(name), value)


class _Exporter(OTLPSpanExporter):
    """Sends spans. Once the arena stops, the first failure ends it."""

    ending = False
    _failed = False

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Send spans."""
        if self.ending and self._failed:
            return SpanExportResult.FAILURE
        result = super().export(spans)
        self._failed = result is not SpanExportResult.SUCCESS
        return result


class OpenTelemetryTracer:
    """Records spans and sends them. Call ``close`` at the end."""

    def __init__(self, endpoint: str, share: float, instance: str) -> None:
        """``endpoint``: URL of the collector; ``share``: of traces to be recorded; ``instance``: name of this node."""
        about = {SERVICE_NAME: SERVICE, SERVICE_VERSION: version("bot-arena")}
        if instance:
            about[SERVICE_INSTANCE_ID] = instance
        self._exporter = _Exporter(endpoint=endpoint, timeout=ANSWER)
        sampler = ParentBased(TraceIdRatioBased(share))
        self._provider = TracerProvider(sampler=sampler, resource=Resource.create(about), shutdown_on_exit=False)
        self._provider.add_span_processor(BatchSpanProcessor(self._exporter))
        self._tracer = self._provider.get_tracer("arena")

    def close(self) -> None:
        """Send the recorded spans, and end. This takes a few seconds if the collector does not answer."""
        self._exporter.ending = True
        self._provider.shutdown()

    def root(self, name: str, attributes: dict[str, Attribute]) -> tracing.Span:
        """Begin a trace."""
        return self._begin(context.Context(), name, attributes, SpanKind.SERVER)

    def child(self, name: str, attributes: dict[str, Attribute]) -> tracing.Span:
        """Begin a part of the current span."""
        if not trace.get_current_span().is_recording():
            return UNRECORDED
        return self._begin(None, name, attributes, SpanKind.INTERNAL)

    def follow(self, parent: str, name: str, attributes: dict[str, Attribute]) -> tracing.Span:
        """Begin a part of another server's span."""
        sender = _propagator.extract({TRACEPARENT: parent}, context.Context())
        return self._begin(sender, name, attributes, SpanKind.SERVER)

    def traceparent(self) -> str:
        """Return the trace context of the current span."""
        if not trace.get_current_span().is_recording():
            return ""
        carrier: dict[str, str] = {}
        _propagator.inject(carrier)
        return carrier.get(TRACEPARENT, "")

    def _begin(
        self, parent: context.Context | None, name: str, attributes: dict[str, Attribute], kind: SpanKind
    ) -> tracing.Span:
        about = {_full(key): value for key, value in attributes.items()}
        span = self._tracer.start_span(name, parent, kind, about)
        return RecordedSpan(span) if span.is_recording() else UNRECORDED


def _full(name: str) -> str:
    """Return the name of an attribute: those of OpenTelemetry's conventions have dots, the others are the arena's."""
    return name if "." in name else f"arena.{name}"


def check(endpoint: str) -> str:
    """Return why no collector can be reached at a URL now, or "". Raises ValueError if what answers takes no traces."""
    told = os.environ.get(OTEL_EXPORTER_OTLP_TRACES_HEADERS) or os.environ.get(OTEL_EXPORTER_OTLP_HEADERS, "")
    headers = {"content-type": "application/x-protobuf", **parse_env_headers(told, liberal=True)}
    own = os.environ.get(OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE) or os.environ.get(OTEL_EXPORTER_OTLP_CERTIFICATE)
    try:
        request = urllib.request.Request(endpoint, b"", headers)
        with urllib.request.urlopen(request, timeout=ANSWER, context=ssl.create_default_context(cafile=own)):
            return ""
    except urllib.error.HTTPError as error:
        if error.code in BUSY:
            return f"{error.code} {error.reason}"
        raise ValueError(
            f"traces: {endpoint} answers {error.code} {error.reason}, as no OTLP receiver of traces does"
        ) from None
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", error)
        if isinstance(reason, ssl.SSLCertVerificationError):
            raise ValueError(f"traces: the certificate of {endpoint} is not valid: {reason.verify_message}") from None
        if not isinstance(error, OSError):
            raise ValueError(f"traces: what answers at {endpoint} does not speak HTTP") from None
        return getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
