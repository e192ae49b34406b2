# SPDX-License-Identifier: GPL-3.0-or-later
"""Requests that only the leader can answer: the other nodes send them on, so that clients may ask any node.

Each node answers requests that read the database, and those of its own spectators. The leader answers the others:
requests that change records, and those of features whose state is in memory.
"""

from collections.abc import AsyncGenerator
from http import HTTPStatus

import structlog
from aiohttp import ClientConnectionError, ClientTimeout, hdrs, web
from aiohttp.typedefs import Handler

from arena import tracing
from arena.application import Arena
from arena.connections.addresses import address_key
from arena.features.cluster.play.peers import Nodes
from web.api.endpoint import Endpoint
from web.clients import FORWARDING, Client, client_of
from web.delivery import Parts
from web.errors import RequestError
from web.keys import ANYWHERE, ARENA

log = structlog.get_logger("arena.cluster")

NODE, CLIENT, SCHEME = "Arena-Node", "Arena-Client", "Arena-Scheme"
"""Headers of a request that a node sends on: the node, with its secret number; the client's address; its scheme."""

HOP_BY_HOP = {
    hdrs.CONNECTION,
    hdrs.KEEP_ALIVE,
    hdrs.PROXY_AUTHENTICATE,
    hdrs.PROXY_AUTHORIZATION,
    hdrs.TE,
    hdrs.TRAILER,
    hdrs.TRANSFER_ENCODING,
    hdrs.UPGRADE,
    hdrs.CONTENT_LENGTH,
    hdrs.DATE,
    hdrs.SERVER,
}
"""Headers of a connection, not of an answer."""

PATIENCE = ClientTimeout(total=None, sock_connect=5.0, sock_read=60.0)

CHUNK = 65_536
"""Bytes of an answer that are sent on at once; a shorter answer is sent as a whole."""


@web.middleware
async def forward(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer a request, here or by the leader."""
    nodes = request.app[ARENA].peers
    if not isinstance(nodes, Nodes) or nodes.leads.is_set() or _is_for_any(request):
        return await handler(request)
    url = nodes.leader_url()
    if url is None or NODE in request.headers:
        raise NoLeader("no server leads the arena now; try again in some seconds")
    try:
        return await _send_on(request, url, nodes)
    except (ClientConnectionError, TimeoutError) as error:
        log.warning("the leader did not answer a request", path=request.path, why=str(error))
        raise NoLeader("the leading server did not answer; try again") from None


class NoLeader(RequestError):
    """No leader answers a request."""

    def __init__(self, text: str) -> None:
        super().__init__(HTTPStatus.SERVICE_UNAVAILABLE, "no-leader", text)


async def _send_on(request: web.Request, url: str, nodes: Nodes) -> web.StreamResponse:
    client = client_of(request)
    headers = request.headers.copy()
    for name in (*FORWARDING, *HOP_BY_HOP, NODE, CLIENT, SCHEME, tracing.TRACEPARENT):
        headers.popall(name, None)
    headers.update({NODE: nodes.credential(), CLIENT: client.address, SCHEME: client.scheme})
    if parent := tracing.traceparent():
        headers[tracing.TRACEPARENT] = parent
    answer = await nodes.session().request(
        request.method,
        url + request.raw_path,
        headers=headers,
        data=request.content if request.can_read_body else None,
        allow_redirects=False,
        auto_decompress=False,
        timeout=PATIENCE,
    )
    kept = [(name, value) for name, value in answer.headers.items() if name not in HOP_BY_HOP]
    first = await answer.content.read(CHUNK)
    if answer.content.at_eof():
        answer.release()
        whole = web.Response(status=answer.status, reason=answer.reason, body=first)
        whole.headers.clear()
        whole.headers.extend(kept)
        return whole

    async def parts() -> AsyncGenerator[bytes]:
        async with answer:
            yield first
            async for part in answer.content.iter_chunked(CHUNK):
                yield part

    stream = Parts(parts(), {})
    stream.set_status(answer.status, answer.reason)
    stream.headers.extend(kept)
    return stream


def _is_for_any(request: web.Request) -> bool:
    """Return whether any node can answer a request."""
    endpoint = getattr(request.match_info.handler, "__self__", None)
    return not isinstance(endpoint, Endpoint) or (endpoint.method, endpoint.path) in request.app[ANYWHERE]


def vouched_client(arena: Arena, request: web.Request) -> Client | None:
    """Return the client of a request that another node sent on; None for other requests."""
    credential = request.headers.get(NODE)
    nodes = arena.peers
    if credential is None or not isinstance(nodes, Nodes) or not nodes.knows(credential):
        return None
    address = request.headers.get(CLIENT, "")
    return Client(address_key(address), False, request.headers.get(SCHEME, "http"), address)
