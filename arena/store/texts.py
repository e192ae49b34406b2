# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts from outside, made fit for every database and for every page."""

import re

_DIRECTIONS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Characters that turn the direction of the text after them, also of text that is not theirs."""


def storable(text: str) -> str:
    """Return the text without characters that change the direction of writing, and with U+FFFD in place of what
    PostgreSQL or UTF-8 cannot hold: zeros and half surrogates.
    """
    text = _DIRECTIONS.sub("", text)
    return text.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
