# SPDX-License-Identifier: GPL-3.0-or-later
"""The cluster's part of the web server."""

from arena.features.cluster.forwarding import forward, vouched_client
from web.feature import WebPart

EDGE = WebPart(middleware=forward, vouch=vouched_client, anywhere=True)
