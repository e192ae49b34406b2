# SPDX-License-Identifier: GPL-3.0-or-later
"""Names and origins are read as browsers write them, and nothing else is taken for one."""

from contextlib import nullcontext

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from web.errors import RequestError
from web.security import Authority, Hosts, Origins, normal


@given(st.text(max_size=60))
@example(".")
@example("..")
def test_every_host_header_is_parsed_or_refused(text: str) -> None:
    try:
        found = Authority.read(text)
    except ValueError:
        return
    assert Authority.read(f"[{found.host}]" if ":" in found.host else found.host).host == found.host
    with (
        nullcontext()
        if found.literal or found.host == "localhost"
        else pytest.raises(RequestError, match="public_names")
    ):
        Hosts().check(text)


@pytest.mark.parametrize("text", ["https://arena.example", "arena.example:80", "a..b", "-a", "*", "a b"])
def test_invalid_host_names_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a host name"):
        Hosts.parse(text)


def test_every_origin_is_parsed_or_refused() -> None:
    assert normal("HTTPS://Friend.Example:443") == "https://friend.example"
    assert normal("http://[::1]:8080") == "http://::1:8080"
    assert "https://friend.example:443" in Origins.parse("https://friend.example")
    assert "http://evil.example" in Origins.parse("*")
    assert "http://evil.example" not in Origins.parse("")
    for text in ("friend.example", "https://friend.example/", "https://", "null", "https://a b"):
        with pytest.raises(ValueError, match=r"is not|invalid"):
            Origins.parse(text)
