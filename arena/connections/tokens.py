# SPDX-License-Identifier: GPL-3.0-or-later
"""Authentication tokens of bots and operators; the store keeps only hashes."""

import hashlib
import secrets

# The prefix makes tokens recognisable in logs and files, and no token starts with a hyphen, like a command-line option.
PREFIX = "arena_"


def make_token() -> str:
    """Return a new token: 256 random bits as 43 characters after a prefix; none needs quoting in URLs and shells."""
    return PREFIX + secrets.token_urlsafe(32)


def hash_token(token: str) -> str:
    """Return the SHA-256 hash of a token in hexadecimal, for the store.

    A plain hash is enough, because tokens are long and random, unlike passwords.
    """
    return hashlib.sha256(token.encode()).hexdigest()
