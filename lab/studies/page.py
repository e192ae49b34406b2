# SPDX-License-Identifier: GPL-3.0-or-later
"""A study as an HTML page that needs no other file: tables and calibration plots."""

from html import escape

from bots.modelling.page import html_page
from lab.studies.scoring import Bin

SIDE, EDGE = 260, 40
"""A plot's side, and the room for its labels."""


def study_page(title: str, sections: list[tuple[str, list[Bin]]]) -> str:
    """Return the page of a study: for each report its tables as text, and how its beliefs were met."""
    parts = [
        f"<section><pre>{escape(text)}</pre><figure>{calibration(counted)}<figcaption>calibrated beliefs: how often "
        "the most probable move was played, with 95 % intervals</figcaption></figure></section>"
        for text, counted in sections
    ]
    return html_page(escape(title), "".join(parts))


def calibration(counted: list[Bin]) -> str:
    """Return a plot of beliefs against what happened as SVG; on the diagonal both are the same."""
    end = EDGE + SIDE
    parts = [
        f"<rect class=frame x={EDGE} y=0 width={SIDE} height={SIDE} />",
        f"<line class=guide x1={EDGE} y1={SIDE} x2={end} y2=0 />",
    ]
    for step in range(0, 101, 20):
        along = SIDE * step / 100
        parts.append(f"<text class=axis x={EDGE + along:g} y={SIDE + 16}>{step}</text>")
        parts.append(f"<text class=side x={EDGE - 6} y={SIDE - along + 4:g}>{step}</text>")
    for one in counted:
        if one.predicted:
            low, high = one.wilson
            x = EDGE + SIDE * (one.low + one.high) / 2
            y = SIDE * (1 - one.hit / one.predicted)
            parts.append(f"<line class=reach x1={x:g} y1={SIDE * (1 - low):g} x2={x:g} y2={SIDE * (1 - high):g} />")
            parts.append(
                f"<circle class=point cx={x:g} cy={y:g} r=4><title>{one.hit} of {one.predicted}</title></circle>"
            )
    parts.append(f"<text class=axis x={EDGE + SIDE / 2:g} y={SIDE + 34}>belief, %</text>")
    size = f"width={end + 12} height={SIDE + EDGE}"
    return f"<svg {size} role=img aria-label='beliefs against hits, in per cent'>{''.join(parts)}</svg>"
