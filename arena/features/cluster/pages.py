# SPDX-License-Identifier: GPL-3.0-or-later
"""The cluster's part of the web server: the page of nodes, and requests that only the leader answers."""

from pathlib import Path

from aiohttp import web

from arena.application import Arena
from arena.features.accounts.pages import ADMINISTRATION, ADMINISTRATOR_PAGE
from arena.features.accounts.rows import Account
from arena.features.cluster import api
from arena.features.cluster.forwarding import forward, vouched_client
from web.api.endpoint import Endpoint
from web.feature import WebPart
from web.keys import MENUS
from web.language import Text
from web.pages import show


async def nodes_page(arena: Arena, request: web.Request, account: Account) -> web.Response:
    """The nodes of the cluster, for administrators."""
    data = {"menu": request.app[MENUS][ADMINISTRATION], "nodes": await api.list_nodes(arena)}
    return show(request, "cluster/nodes.js", Text("Administration: nodes"), data, private=True)


PAGES = (
    Endpoint("GET", f"{ADMINISTRATION}/nodes", nodes_page, access=ADMINISTRATOR_PAGE, menus={ADMINISTRATION: "Nodes"}),
)

EDGE = WebPart(
    endpoints=(*api.ENDPOINTS, *PAGES),
    static=Path(__file__).parent / "static",
    middleware=forward,
    vouch=vouched_client,
    anywhere=True,
)
