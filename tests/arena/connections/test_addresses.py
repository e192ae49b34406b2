# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits count addresses as they are given out, and believe only trusted proxies about them."""

from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.connections.addresses import (
    SITE_BITS,
    UNIX,
    UNKNOWN,
    Hop,
    Networks,
    address_key,
    forwarded,
    is_loopback,
    origin,
    x_forwarded_for,
)

PROXIES = (IPv4Address("10.0.0.1"), IPv4Address("10.0.0.2"))
TRUSTED = Networks.parse("10.0.0.0/8, fd00::/8")
FOURS = st.ip_addresses(v=4).filter(lambda each: str(each) not in TRUSTED)
ADDRESSES = st.ip_addresses().filter(lambda each: str(each) not in TRUSTED)


@given(st.ip_addresses(v=4))
def test_ipv4_counts_whole_wrapped_or_not(address: IPv4Address) -> None:
    assert address_key(str(address)) == str(address) == address_key(f"::ffff:{address}")
    assert is_loopback(str(address)) == is_loopback(f"::ffff:{address}") == address.is_loopback


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_ipv6_counts_by_its_site(site: int, one: int, other: int) -> None:
    first, second = (IPv6Address(site << SITE_BITS | each) for each in (one, other))
    if first.ipv4_mapped is None and second.ipv4_mapped is None:
        assert address_key(str(first)) == address_key(str(second))
    neighbour = IPv6Address((site ^ 1) << SITE_BITS | one)
    assert address_key(str(first)) != address_key(str(neighbour))


@given(st.text(max_size=50))
def test_invalid_addresses_count_as_one_unknown_address(text: str) -> None:
    assert address_key(text) in (UNKNOWN, UNIX, text) or "." in text or ":" in text
    assert address_key("no address") == UNKNOWN
    assert address_key(UNIX) == UNIX
    assert not is_loopback(UNIX)
    assert not is_loopback(UNKNOWN)


def test_networks_are_read_or_refused() -> None:
    assert "10.1.2.3" in TRUSTED
    assert "::ffff:10.1.2.3" in TRUSTED
    assert "fd00::1" in TRUSTED
    assert "11.1.2.3" not in TRUSTED
    assert "what" not in TRUSTED
    assert "127.0.0.1" not in Networks.parse("")
    for text in ("proxy", "10.0.0.1/8", "10.0.0.0/40", "1.2.3"):
        with pytest.raises(ValueError, match=text):
            Networks.parse(text)


@given(ADDRESSES, st.lists(st.text(max_size=12) | st.ip_addresses().map(str), max_size=6), st.sampled_from(PROXIES))
def test_a_client_cannot_forge_an_address_before_a_trusted_proxy(
    client: IPv4Address | IPv6Address, forged: list[str], proxy: IPv4Address
) -> None:
    """A client writes anything into the header; the proxy appends the address of the client."""
    line = ",".join([*(each.replace(",", " ") for each in forged), str(client)])
    key = address_key(str(client))
    assert address_key(origin(str(proxy), x_forwarded_for([line]), TRUSTED).address) == key
    assert address_key(origin(str(proxy), x_forwarded_for([*forged, str(client)]), TRUSTED).address) == key
    quoted = f'"[{client}]:4711"' if client.version == 6 else str(client)
    clean = [each.replace('"', "").replace("\\", "") for each in forged]
    told = forwarded([*(f"for={each}" for each in clean), f"for={quoted};proto=https"])
    found = origin(str(proxy), told, TRUSTED)
    assert (address_key(found.address), found.scheme) == (key, "https")


@given(FOURS, st.lists(st.sampled_from(PROXIES), max_size=4))
def test_a_chain_of_trusted_proxies_is_followed(client: IPv4Address, chain: list[IPv4Address]) -> None:
    hops = [Hop(str(client)), *(Hop(str(each)) for each in chain)]
    found = origin("10.9.9.9", hops, TRUSTED).address
    assert found == str(client)
    assert origin("11.0.0.1", hops, TRUSTED).address == "11.0.0.1"
    assert origin("10.9.9.9", hops, Networks()).address == "10.9.9.9"


def test_a_hop_that_is_not_listed_is_the_proxys_own() -> None:
    for line in ("unknown", "_hidden", "", "for=", "1.2.3.4, unknown"):
        assert origin("10.0.0.1", x_forwarded_for([line]), TRUSTED).address == "10.0.0.1"
    for line in ("for=unknown", "for=_hidden;proto=http", "proto=https", "by=1.2.3.4", 'for="1.2.3.4', ";;="):
        assert origin("10.0.0.1", forwarded([line]), TRUSTED).address == "10.0.0.1"
    assert origin("10.0.0.1", [], TRUSTED).address == "10.0.0.1"


def test_forwarded_is_read_as_its_standard_has_it() -> None:
    line = 'for="[2001:db8:cafe::17]:4711";proto=HTTPS, For=192.0.2.43:80 ; By=203.0.113.60, for="1.2.3.4;,"'
    assert forwarded([line]) == [Hop("2001:db8:cafe::17", "https"), Hop("192.0.2.43"), Hop("")]
    assert forwarded([]) == x_forwarded_for([]) == []


@given(st.lists(st.text(max_size=80), max_size=4))
def test_no_header_breaks_the_readers(lines: list[str]) -> None:
    for hops in (forwarded(lines), x_forwarded_for(lines)):
        origin("10.0.0.1", hops, TRUSTED)
