# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of uploads in the web server."""

from arena.features.uploads.api import ENDPOINTS
from web.feature import WebPart

EDGE = WebPart(endpoints=ENDPOINTS)
