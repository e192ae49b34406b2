# SPDX-License-Identifier: GPL-3.0-or-later
"""Weights in files."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bots.weights import as_json, as_module, from_json
from engine.games import find
from engine.games.chess.evaluation.tuned import weights

CHESS, CHECKERS, NIM = find("chess"), find("checkers"), find("nim")
HOUSE, LECTURE = CHESS.evaluations["tuned"], CHECKERS.evaluations["lecture"]


@pytest.mark.parametrize(("game", "name"), [(CHESS, "tuned"), (CHECKERS, "lecture"), (NIM, "live-heaps")])
def test_json_reads_back(game: Any, name: str) -> None:
    changed = replace(game.evaluations[name], weights=tuple(range(len(game.evaluations[name].weights)))[::-1])
    if name != "tuned":  # its tables hold less
        assert from_json(game, as_json(game, changed)) == changed
    assert from_json(game, as_json(game, game.evaluations[name])) == game.evaluations[name]


def test_a_module_holds_pairs_where_a_term_has_two_weights() -> None:
    for evaluation in (HOUSE, LECTURE):
        found: dict[str, Any] = {}
        exec(as_module(evaluation), found)  # it is a module's text
        flat = [
            weight for entry in found["WEIGHTS"].values() for weight in (entry if isinstance(entry, tuple) else [entry])
        ]
        assert tuple(flat) == evaluation.weights
    with pytest.raises(ValueError, match="write JSON"):
        as_module(NIM.evaluations["live-heaps"])


def test_the_weights_that_chess_keeps_are_as_they_are_written() -> None:
    assert Path(weights.__file__).read_text(encoding="utf-8") == as_module(HOUSE)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"version": 2}, "version 2"),
        ({"game": "chess"}, "for 'chess', not for checkers"),
        ({"evaluation": "nonsense"}, "no evaluation 'nonsense'"),
        ({"terms": 7}, "set of terms 7"),
        ({"weights": {"men": 1}}, "in the weights or in the terms, but not in both"),
        ({"weights": [1, 2]}, "2 weights for 4 terms"),
        ({"weights": [1, 2, 3, 2**70]}, "too large|out of range"),
        ({"weights": "heavy"}, "Expected"),
        ({"more": 1}, "unknown field"),
    ],
)
def test_other_files_are_refused(change: dict[str, object], complaint: str) -> None:
    file = msgspec.json.decode(as_json(CHECKERS, LECTURE)) | change
    with pytest.raises(ValueError, match=complaint):
        from_json(CHECKERS, msgspec.json.encode(file))


def test_nonsense_is_refused() -> None:
    with pytest.raises(ValueError, match="JSON is malformed"):
        from_json(CHECKERS, "{nonsense")
