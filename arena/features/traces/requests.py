# SPDX-License-Identifier: GPL-3.0-or-later
"""A span for each request, but for sockets. The trace context of a request counts if another node of the arena sent it
on; a client could otherwise choose the traces that its requests belong to.
"""

from aiohttp import hdrs, web
from aiohttp.typedefs import Handler

from arena import tracing
from web.clients import VOUCHERS
from web.errors import RequestError
from web.feature import WebPart

METHODS = (hdrs.METH_GET, hdrs.METH_HEAD, hdrs.METH_POST, hdrs.METH_OPTIONS)

STATUS = "http.response.status_code"


@web.middleware
async def traced(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer a request within a span."""
    if hdrs.UPGRADE in request.headers:
        return await handler(request)
    parent = ""
    if any(vouch(request) is not None for vouch in request.app[VOUCHERS]):
        parent = request.headers.get(tracing.TRACEPARENT, "")
        if not parent:
            return await handler(request)  # the node that sent it on has decided that nobody records it
    resource = request.match_info.route.resource
    route = resource.canonical if resource else "none"
    method = request.method if request.method in METHODS else "_OTHER"
    about: dict[str, tracing.Attribute] = {"http.request.method": method, "http.route": route}
    with tracing.follow(parent, f"{method} {route}", **about) as span:
        try:
            response = await handler(request)
        except (RequestError, web.HTTPException) as error:
            refusal: Exception = error
            status = int(error.status)
        else:
            span.note(STATUS, response.status)
            return response
        span.note(STATUS, status)  # a refusal is no error of the server: its span ends well
    raise refusal


EDGE = WebPart(middleware=traced)
