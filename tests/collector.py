# SPDX-License-Identifier: GPL-3.0-or-later
"""A receiver of traces, as an OpenTelemetry collector is one: OTLP over HTTP, in Protobuf."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import NamedTuple

from aiohttp import web
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.common.v1.common_pb2 import AnyValue

PATIENCE = 300.0
"""Seconds for what should take some, on a machine that is busy with other things."""

Value = str | int | float | bool


class Received(NamedTuple):
    """A span that was received."""

    trace: bytes
    id: bytes
    parent: bytes
    """Empty: it begins the trace."""
    name: str
    server: str
    """The instance of the service that sent it."""
    attributes: dict[str, Value]
    events: list[str]
    failed: bool
    began: int
    """Nanoseconds since 1970, like the end."""
    ended: int


class Collector:
    """The spans that were received so far."""

    def __init__(self) -> None:
        self.spans: list[Received] = []
        self.paths: list[str] = []
        self.authorizations: set[str] = set()
        self.url = ""
        self._news = asyncio.Event()

    async def take(self, request: web.Request) -> web.Response:
        """Receive spans."""
        assert request.content_type == "application/x-protobuf"
        self.paths.append(request.path)
        self.authorizations.add(request.headers.get("Authorization", ""))
        message = ExportTraceServiceRequest.FromString(await request.read())
        for resource in message.resource_spans:
            about = {each.key: _value(each.value) for each in resource.resource.attributes}
            assert about["service.name"] == "bot-arena"
            for scope in resource.scope_spans:
                self.spans += [
                    Received(
                        span.trace_id,
                        span.span_id,
                        span.parent_span_id,
                        span.name,
                        str(about.get("service.instance.id", "")),
                        {each.key: _value(each.value) for each in span.attributes},
                        [event.name for event in span.events],
                        span.status.code == span.status.STATUS_CODE_ERROR,
                        span.start_time_unix_nano,
                        span.end_time_unix_nano,
                    )
                    for span in scope.spans
                ]
        self._news.set()
        return web.Response(
            body=ExportTraceServiceResponse().SerializeToString(), content_type="application/x-protobuf"
        )

    def of_trace(self, span: Received) -> list[Received]:
        """Return the spans of the trace of a span, in the order of their beginning."""
        return sorted((each for each in self.spans if each.trace == span.trace), key=lambda each: each.began)

    async def until(self, found: Callable[[], Received | None]) -> Received:
        """Wait until there is a span of a kind, and return it."""
        async with asyncio.timeout(PATIENCE):
            while (span := found()) is None:
                self._news.clear()
                await self._news.wait()
            return span


def _value(value: AnyValue) -> Value:
    kind = value.WhichOneof("value")
    assert kind is not None
    found: Value = getattr(value, kind)
    return found


@asynccontextmanager
async def collecting(status: int = 200) -> AsyncIterator[Collector]:
    """Run a receiver on this machine; ``status``: what it answers, 200 if it works."""
    collector = Collector()

    async def take(request: web.Request) -> web.Response:
        return await collector.take(request) if status == 200 else web.Response(status=status)

    application = web.Application()
    application.router.add_post("/v1/traces", take)
    application.router.add_post("/elsewhere", take)
    runner = web.AppRunner(application)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    collector.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield collector
    finally:
        await runner.cleanup()
