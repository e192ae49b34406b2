# SPDX-License-Identifier: GPL-3.0-or-later
"""Genomes of bots in the records: the genome of a version, and its view for pages.

The arena does not interpret genomes: its clients supply both. A genome without a view is shown alone.
"""

from typing import Any

import msgspec
from msgspec import Struct

from arena.protocol.exhibits import Exhibit


class Kept(Struct, frozen=True):
    """A genome in the records."""

    genome: dict[str, Any]
    exhibit: Exhibit | None = None


class _Shown(Struct, frozen=True):
    genome: msgspec.Raw
    exhibit: msgspec.Raw


def keep(genome: dict[str, Any], exhibit: Exhibit | None = None) -> bytes:
    """Return a genome as the records hold it."""
    return msgspec.json.encode(genome if exhibit is None else Kept(genome, exhibit))


def kept(body: str | bytes) -> Kept:
    """Return the recorded genome and view."""
    shown = _shown(body)
    return Kept(msgspec.json.decode(body)) if shown is None else msgspec.json.decode(body, type=Kept)


def genome_of(body: str | bytes) -> tuple[dict[str, Any], bool]:
    """Return a genome in the records, and whether more is shown of it, which is not looked into."""
    shown = _shown(body)
    return (msgspec.json.decode(body), False) if shown is None else (msgspec.json.decode(shown.genome), True)


def _shown(body: str | bytes) -> _Shown | None:
    try:
        return msgspec.json.decode(body, type=_Shown)
    except msgspec.ValidationError:
        return None
