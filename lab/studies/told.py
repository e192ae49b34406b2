# SPDX-License-Identifier: GPL-3.0-or-later
"""What a study found, for programs."""

from typing import Any

from lab.studies.scoring import Bin
from lab.studies.study import FULL, Part, Report, Scores


def answer(player: str, reports: list[Report]) -> dict[str, Any]:
    """Return the reports on one player."""
    return {"player": player, "reports": [_report(one) for one in reports]}


def _report(report: Report) -> dict[str, Any]:
    return {
        "train": report.train,
        "test_games": report.test,
        **_part(report.whole),
        "after_opening": _part(report.after_opening),
    }


def _part(part: Part) -> dict[str, Any]:
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
