# SPDX-License-Identifier: GPL-3.0-or-later
"""One-time codes: random letters and digits in groups, which people can read aloud and type."""

import re
import secrets

from arena.connections.admission import hash_token

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base 32: without ``i``, ``l`` and ``o``, which look like digits, and without ``u``."""

LETTERS, GROUP = 26, 5
"""Characters of a code (130 random bits), and of each group of it but the last."""

_ALIKE = str.maketrans("ilo", "110")
_BETWEEN = re.compile(r"[\s-]+")


def make_code() -> str:
    """Return a new one-time code, such as ``7k3fq-0vw2m-xj9ta-pd6rc-1h8ye-z``.

    It never begins with a hyphen, which a command line would read as the beginning of an option.
    """
    code = "".join(secrets.choice(ALPHABET) for _ in range(LETTERS))
    return "-".join(code[place : place + GROUP] for place in range(0, LETTERS, GROUP))


def hash_code(code: str) -> str:
    """Return the hash of a code. Case, spaces and hyphens make no difference, nor do letters that look like digits.

    Codes of earlier versions, in another alphabet and of another length, are valid until they expire.
    """
    plain = _BETWEEN.sub("", code).lower().translate(_ALIKE)
    return hash_token(plain if len(plain) == LETTERS and set(plain) <= set(ALPHABET) else code)
