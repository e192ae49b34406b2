# SPDX-License-Identifier: GPL-3.0-or-later
"""Tokens: what a bot shows to be let in. The arena keeps only their hashes."""

import hashlib
import secrets


def make_token() -> str:
    """Return a new token: 256 random bits as 43 characters that need no quoting in URLs and shells."""
    return secrets.token_urlsafe(32)


def hash_token(token: str) -> str:
    """Return what the store keeps of a token: its SHA-256 in hexadecimal.

    A plain hash is enough: a token is random and long, so nobody can guess it, unlike a password.
    """
    return hashlib.sha256(token.encode()).hexdigest()
