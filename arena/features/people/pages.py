# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of people in the web server."""

from arena.features.people import api
from web.feature import WebPart

EDGE = WebPart(endpoints=api.ENDPOINTS)
