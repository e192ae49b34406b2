# SPDX-License-Identifier: GPL-3.0-or-later
"""The addresses that webhooks may reach."""

import socket

import pytest

from arena.features.feeds.settings import WebhookSettings
from arena.features.feeds.webhooks.addresses import BadUrl, Blocked, Guard, is_public

INNER = (
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.8.9.1", "169.254.169.254", "172.16.0.1",
    "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.51.100.1",
    "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
    "::", "::1", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1",
    "2002:7f00:1::", "fc00::1", "fd12::1", "fe80::1", "fec0::1", "ff02::1", "4000::1",
)  # fmt: skip
PUBLIC = ("1.1.1.1", "8.8.8.8", "93.184.215.14", "2606:4700::1111", "2a00:1450:4001::1")


@pytest.mark.parametrize("address", INNER)
def test_inner_addresses_are_blocked(address: str) -> None:
    assert not is_public(address)
    guard = Guard(WebhookSettings())
    mapped = f"::ffff:{address}" if "." in address and ":" not in address else address
    for written in (address, mapped):
        with pytest.raises(Blocked):
            guard.check_address(written)
        with pytest.raises(BadUrl):
            guard.check_url(f"http://[{written}]/" if ":" in written else f"http://{written}/")


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_reached(address: str) -> None:
    assert is_public(address)
    Guard(WebhookSettings()).check_address(address)


def test_the_operator_allows_networks() -> None:
    guard = Guard(WebhookSettings(webhook_allow="10.1.0.0/16, ::1"))
    for allowed in ("10.1.2.3", "::ffff:10.1.2.3", "::1"):
        guard.check_address(allowed)
    for blocked in ("10.2.0.1", "127.0.0.1", "::2"):
        with pytest.raises(Blocked):
            guard.check_address(blocked)


@pytest.mark.parametrize(
    "url",
    [
        "example.org",
        "ftp://example.org/",
        "file:///etc/passwd",
        "http://user:password@example.org/",
        "http://example.org/#part",
        "http://example.org:22/",
        "http://example.org:0/",
        "http://example.org:99999/",
        "http://example.org/\n",
        "http:///path",
        f"http://example.org/{'x' * 500}",
    ],
)
def test_other_urls_are_refused(url: str) -> None:
    with pytest.raises(BadUrl):
        Guard(WebhookSettings()).check_url(url)


def test_urls_of_names_are_taken_with_the_usual_ports() -> None:
    guard = Guard(WebhookSettings())
    for url in ("https://example.org/hook?key=1", "http://example.org/", "https://example.org:8443/"):
        guard.check_url(url)


def test_a_socket_is_opened_to_checked_addresses_only() -> None:
    guard = Guard(WebhookSettings(webhook_allow="127.0.0.1", webhook_ports="8080"))
    kind = socket.AF_INET, socket.SOCK_STREAM, 0, ""
    guard.open_socket((*kind, ("127.0.0.1", 8080))).close()
    for address in (("127.0.0.2", 8080), ("127.0.0.1", 22)):
        with pytest.raises(Blocked):
            guard.open_socket((*kind, address))


@pytest.mark.parametrize("values", [{"webhook_allow": "x"}, {"webhook_ports": "80,x"}, {"webhook_ports": "70000"}])
def test_invalid_settings_are_refused(values: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="webhook_"):
        WebhookSettings(**values)  # type: ignore[arg-type]  # texts only
