# SPDX-License-Identifier: GPL-3.0-or-later
"""Security headers: browsers run, load and connect only to what the arena itself serves."""

from aiohttp import web

from web.metrics import SOCKET_UPGRADE

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ]
)

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


async def add_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Add the headers to all answers, also errors and files (handler of ``on_response_prepare``).

    Answers that open a WebSocket show no page; they get no headers, which would use memory while the socket is open.
    """
    if response.status != SOCKET_UPGRADE:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
    response.headers["Server"] = "bot-arena"
