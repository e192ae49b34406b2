# SPDX-License-Identifier: GPL-3.0-or-later
"""Two runs of the suite draw the same."""

import importlib.util
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st


def test_the_suite_repeats_its_examples_and_make_prove_does_not() -> None:
    assert settings.get_profile("suite").derandomize
    assert not settings.get_profile("prove").derandomize


def test_examples_do_not_depend_on_the_modules_that_are_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = []

    @settings(settings.get_profile("suite"))
    @given(st.integers())
    def draw(number: int) -> None:
        drawn.append(number)

    draw()
    before = drawn.copy()
    drawn.clear()

    file = tmp_path / "constants.py"
    file.write_text(f"CONSTANTS = {list(range(10**9, 10**9 + 400))}")
    spec = importlib.util.spec_from_file_location("constants_of_a_test", file)
    assert spec is not None
    monkeypatch.setitem(sys.modules, "constants_of_a_test", importlib.util.module_from_spec(spec))
    draw()
    assert drawn == before
