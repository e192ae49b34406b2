# SPDX-License-Identifier: GPL-3.0-or-later
"""A study's results as JSON, and as an HTML page with tables and calibration plots that needs no other file."""

from html import escape
from typing import Any

from bots.modelling.view import html_page
from lab.studies.scoring import Bin
from lab.studies.study import FULL, PositionSubset, Scores, StudyResult

SIDE, EDGE = 260, 40
"""A plot's side, and the room for its labels."""


def study_page(title: str, sections: list[tuple[str, list[Bin]]]) -> str:
    """Return the page of a study: for each report its tables as text, and its calibration plot."""
    parts = [
        f"<section><pre>{escape(text)}</pre><figure>{calibration(counted)}<figcaption>calibrated probabilities: "
        "how often the most probable move was played, with 95 % intervals</figcaption></figure></section>"
        for text, counted in sections
    ]
    return html_page(escape(title), "".join(parts))


def calibration(counted: list[Bin]) -> str:
    """Return a calibration plot as SVG: share of hits by probability; on the diagonal both are the same."""
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
    parts.append(f"<text class=axis x={EDGE + SIDE / 2:g} y={SIDE + 34}>probability, %</text>")
    size = f"width={end + 12} height={SIDE + EDGE}"
    return f"<svg {size} role=img aria-label='probabilities and share of hits, in per cent'>{''.join(parts)}</svg>"


def answer(player: str, reports: list[StudyResult]) -> dict[str, Any]:
    """Return the reports on one player."""
    return {"player": player, "reports": [_report(one) for one in reports]}


def _report(report: StudyResult) -> dict[str, Any]:
    return {
        "train": report.train,
        "test_games": report.test,
        **_part(report.whole),
        "after_opening": _part(report.after_opening),
    }


def _part(part: PositionSubset) -> dict[str, Any]:
    return {
        **_scores(part.readings[FULL]),
        "baselines": {
            name: {
                "hit": rival.hit,
                "log_loss": rival.log_loss,
                "difference": rival.difference.mean,
                "interval": [rival.difference.low, rival.difference.high],
            }
            for name, rival in part.baselines.items()
        },
        "readings": {name: _scores(scores) for name, scores in part.readings.items()},
    }


def _scores(scores: Scores) -> dict[str, Any]:
    return {
        "test_moves": scores.positions,
        "predictions": scores.predictions,
        "bins": _bins(scores.bins),
        "coverage": scores.coverage,
        "match": scores.match,
        "match_wilson": list(scores.match_wilson),
        "calibration_error": scores.calibration_error,
        "log_loss": scores.log_loss,
        "reliability": _bins(scores.reliability),
    }


def _bins(counted: list[Bin]) -> list[dict[str, Any]]:
    return [
        {"low": one.low, "high": one.high, "predicted": one.predicted, "hit": one.hit, "wilson": list(one.wilson)}
        for one in counted
    ]
