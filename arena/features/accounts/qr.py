# SPDX-License-Identifier: GPL-3.0-or-later
"""QR codes as paths of SVG, which pages draw without markup of the server. No I/O."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

BORDER = 4
"""Light squares around a QR code, by ISO/IEC 18004."""


class QrCode(NamedTuple):
    """A QR code in squares of 1 × 1."""

    size: int
    """Width and height with the border."""
    path: str
    """The dark squares."""


def qr_code(text: str) -> QrCode:
    """Return the QR code of a text, with medium error correction; the library is loaded at the first use."""
    import segno

    matrix = segno.make_qr(text, error="m").matrix
    dark = (
        f"M{start + BORDER} {line + BORDER}h{length}v1h-{length}z"
        for line, squares in enumerate(matrix)
        for start, length in _runs(squares)
    )
    return QrCode(len(matrix) + 2 * BORDER, "".join(dark))


def _runs(squares: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the first column and the length of each run of dark squares."""
    column = 0
    for dark, run in groupby(squares):
        length = len(list(run))
        if dark:
            yield column, length
        column += length
