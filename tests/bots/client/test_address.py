# SPDX-License-Identifier: GPL-3.0-or-later
"""Addresses as authors write them."""

import pytest

from bots.client.address import is_local, play_address


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("ws://localhost:8080/api/v1/play", "ws://localhost:8080/api/v1/play"),
        ("ws://localhost:8080", "ws://localhost:8080/api/v1/play"),
        ("http://localhost:8080/", "ws://localhost:8080/api/v1/play"),
        ("https://arena.example", "wss://arena.example/api/v1/play"),
        ("wss://example.org/arena/api/v1/play", "wss://example.org/arena/api/v1/play"),
    ],
)
def test_missing_parts_of_an_address_are_filled_in(written: str, meant: str) -> None:
    assert play_address(written) == meant


@pytest.mark.parametrize("nonsense", ["", "localhost:8080", "ftp://localhost", "ws://"])
def test_nonsense_is_refused(nonsense: str) -> None:
    with pytest.raises(ValueError, match="not an address of an arena"):
        play_address(nonsense)


def test_this_machine_needs_no_proxy() -> None:
    assert is_local("ws://localhost:1/")
    assert is_local("ws://127.0.0.1/")
    assert is_local("ws://[::1]:80/")
    assert not is_local("wss://arena.example/")
