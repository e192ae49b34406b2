# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts from outside, made fit for every database."""


def storable(text: str) -> str:
    """Return the text with U+FFFD in place of what PostgreSQL or UTF-8 cannot hold: zeros and half surrogates."""
    return text.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
