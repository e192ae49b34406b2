# SPDX-License-Identifier: GPL-3.0-or-later
"""How long compiling takes is learned, and games are ordered by it."""

from pathlib import Path

import pytest

from engine import compile_times, runtime
from engine.compile_times import GUESS, KNOWN, RULES, Pace, expected, in_order, note


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Times are kept in a folder of the test's own."""
    monkeypatch.setattr(runtime, "use_cache", lambda: tmp_path / "cache")


def test_what_was_measured_replaces_what_is_known_and_what_is_guessed() -> None:
    assert expected("chess", RULES) == KNOWN["chess"][RULES]
    assert expected("mine", RULES) == GUESS[RULES]
    note("mine", RULES, 7.0)
    assert expected("mine", RULES) == 7.0
    note("mine", RULES, 0.5)
    assert expected("mine", RULES) == 3.5, "it went on where a killed process had left it"
    (runtime.use_cache().parent / compile_times.FILE).write_text("damaged")
    assert expected("mine", RULES) == GUESS[RULES]


def test_who_waits_comes_first_and_then_small_games() -> None:
    left = {name: sum(jobs.values()) for name, jobs in KNOWN.items()}
    assert in_order(left, {})[-1] == "chess"
    assert in_order(left, {}).index("tictactoe") < in_order(left, {}).index("checkers")
    assert in_order(left, {"chess": 1})[0] == "chess"
    assert in_order(left, {"chess": 1, "nim": 2})[:2] == ["nim", "chess"]


def test_the_pace_of_a_busy_machine_is_measured() -> None:
    pace = Pace()
    assert pace.clock(10.0) == 10.0
    pace.note(clock=80.0, processor=20.0)
    assert 30.0 < pace.clock(10.0) < 40.0
