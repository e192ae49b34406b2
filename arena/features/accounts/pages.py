# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of accounts in the web server."""

from arena.features.accounts.access import authorise
from arena.features.accounts.api import ENDPOINTS
from web.feature import WebPart

EDGE = WebPart(endpoints=ENDPOINTS, authorise=authorise)
