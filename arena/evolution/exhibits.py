# SPDX-License-Identifier: GPL-3.0-or-later
"""Genomes of bots as the records hold them: what a version was bred to be, and what is shown of it.

The arena knows no genomes: both come from who does. A genome of which nothing more is told stands there alone.
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
    """Return what the records hold of a genome."""
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
