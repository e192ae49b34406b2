# SPDX-License-Identifier: MIT
"""Dice commitment: the arena fixes a match's dice before the match starts.

A match of a game with dice has a secret: 128 random bits, written as 32 hexadecimal digits. The players receive its
commitment when the match starts, and the secret at the end. With both, anybody can verify that the dice were fixed
before the first move.
"""

import re
from hashlib import sha256


def commitment(secret: str) -> str:
    """Return the SHA-256 of ``dice commitment SECRET``, as 64 hexadecimal digits. Raises ValueError for no secret."""
    if not re.fullmatch(r"[0-9a-f]{32}", secret):
        raise ValueError(f"a secret has 32 hexadecimal digits, which {secret[:40]!r} has not")
    return sha256(f"dice commitment {secret}".encode()).hexdigest()
