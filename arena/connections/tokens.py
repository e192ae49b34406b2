# SPDX-License-Identifier: GPL-3.0-or-later
"""Tokens: what a bot shows to be let in. The arena keeps only their hashes."""

import hashlib
import secrets

# Says what it is where it is found, and keeps a token from beginning with a hyphen, which shells' commands take for an
# option.
PREFIX = "arena_"


def make_token() -> str:
    """Return a new token: 256 random bits as 43 characters after a prefix; none needs quoting in URLs and shells."""
    return PREFIX + secrets.token_urlsafe(32)


def hash_token(token: str) -> str:
    """Return what the store keeps of a token: its SHA-256 in hexadecimal.

    A plain hash is enough: a token is random and long, so nobody can guess it, unlike a password.
    """
    return hashlib.sha256(token.encode()).hexdigest()
