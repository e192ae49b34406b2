# SPDX-License-Identifier: GPL-3.0-or-later
"""The client of a request: only forwarding headers of trusted proxies count."""

from types import SimpleNamespace
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import make_mocked_request

from arena.connections.addresses import UNIX, UNKNOWN, Networks
from web.clients import FORWARDING, TRUSTED, Client, client_of


def request(sender: object, *headers: tuple[str, str], trusted: str = "") -> web.Request:
    """Return a request that came from ``sender``."""
    app = web.Application()
    app[TRUSTED] = Networks.parse(trusted)
    peername = (sender, 4711) if isinstance(sender, str) and sender else sender
    transport: Any = SimpleNamespace(
        get_extra_info=lambda name, default=None: {"peername": peername}.get(name, default)
    )
    return make_mocked_request("GET", "/", dict(headers), app=app, transport=transport)


def test_without_forwarding_headers_the_sender_is_the_client() -> None:
    assert client_of(request("127.0.0.1")) == Client("127.0.0.1", True, "http", "127.0.0.1")
    assert client_of(request("::ffff:127.0.0.1")) == Client("127.0.0.1", True, "http", "::ffff:127.0.0.1")
    assert client_of(request("::1")).loopback
    assert client_of(request("2001:db8::1")) == Client("2001:db8::/64", False, "http", "2001:db8::1")
    assert client_of(request("")).key == UNIX
    assert client_of(request(None)).key == UNKNOWN
    asked = request("127.0.0.1")
    assert client_of(asked) is client_of(asked)


@pytest.mark.parametrize("name", FORWARDING)
def test_forwarded_requests_are_never_local(name: str) -> None:
    forged = request("127.0.0.1", (name, "for=127.0.0.1" if name == "Forwarded" else "127.0.0.1"))
    assert client_of(forged) == Client("127.0.0.1", False, "http", "127.0.0.1")


def test_forwarding_headers_of_untrusted_senders_are_ignored() -> None:
    asked = request("9.9.9.9", ("X-Forwarded-For", "1.2.3.4"), ("X-Forwarded-Proto", "https"), trusted="127.0.0.1")
    assert client_of(asked) == Client("9.9.9.9", False, "http", "9.9.9.9")


def test_forwarding_headers_of_trusted_proxies_count() -> None:
    asked = request(
        "127.0.0.1", ("X-Forwarded-For", "127.0.0.1, 1.2.3.4"), ("X-Forwarded-Proto", "https"), trusted="127.0.0.1"
    )
    assert client_of(asked) == Client("1.2.3.4", False, "https", "1.2.3.4")
    asked = request("127.0.0.1", ("Forwarded", 'for="[2001:db8::7]";proto=https'), trusted="127.0.0.0/8")
    assert client_of(asked) == Client("2001:db8::/64", False, "https", "2001:db8::7")
    asked = request("127.0.0.1", ("X-Forwarded-For", "1.2.3.4"), ("X-Forwarded-Proto", "ftp"), trusted="127.0.0.1")
    assert client_of(asked).scheme == "http"


def test_contradicting_forwarding_headers_are_ignored() -> None:
    """nginx writes X-Forwarded-For and hands on a Forwarded that a client wrote; others the other way round."""
    forged = ("Forwarded", "for=127.0.0.1"), ("X-Forwarded-For", "1.2.3.4")
    assert client_of(request("127.0.0.1", *forged, trusted="127.0.0.1")) == Client(
        "127.0.0.1", False, "http", "127.0.0.1"
    )
    agreed = ("Forwarded", "for=1.2.3.4"), ("X-Forwarded-For", "1.2.3.4")
    assert client_of(request("127.0.0.1", *agreed, trusted="127.0.0.1")).key == "1.2.3.4"
