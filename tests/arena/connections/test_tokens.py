# SPDX-License-Identifier: GPL-3.0-or-later
"""Tokens go into commands, URLs and headers as they are."""

import re

from arena.connections.admission import hash_token, make_token


def test_no_token_is_taken_for_an_option_of_a_command() -> None:
    tokens = {make_token() for _ in range(1000)}  # one in 64 of the bare random texts begins with a hyphen
    assert len(tokens) == 1000
    assert all(re.fullmatch(r"arena_[A-Za-z0-9_-]{43}", token) for token in tokens)


def test_the_hash_does_not_tell_the_token() -> None:
    token = make_token()
    assert re.fullmatch(r"[0-9a-f]{64}", hash_token(token))
    assert hash_token(token) == hash_token(token) != hash_token(make_token())
