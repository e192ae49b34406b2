# SPDX-License-Identifier: GPL-3.0-or-later
"""Stored searches on positions, packed: an eighth of the JSON for pages."""

import base64
import zlib

import msgspec

from arena.protocol.genome_views import SearchTrace, SearchTraces


def packed(looks: list[SearchTrace]) -> str:
    """Return looks as a text; "" where there are none."""
    return base64.b64encode(zlib.compress(msgspec.json.encode(looks), 9)).decode() if looks else ""


def unpacked(text: str) -> list[SearchTrace]:
    """Return the looks of a text."""
    return msgspec.json.decode(zlib.decompress(base64.b64decode(text)), type=SearchTraces) if text else []
