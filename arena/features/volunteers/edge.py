# SPDX-License-Identifier: GPL-3.0-or-later
"""The feature's routes and pages for the web server."""

from pathlib import Path

from arena.features.volunteers import api, pages
from web.feature import WebPart

EDGE = WebPart(
    endpoints=(*api.ENDPOINTS, *pages.PAGES),
    static=Path(__file__).parent / "static",
    styles=("volunteers/islands.css",),
)
