# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiled code is kept apart by the sources it was made of, wherever it is kept."""

import os
import subprocess
import sys
from pathlib import Path

from engine.runtime import sources_hash

ROOT = Path(__file__).resolve().parents[2]

ASK = "from engine.runtime import use_cache; print(use_cache())"
ASK_A_CHILD = f"import engine, subprocess, sys; subprocess.run([sys.executable, '-c', {ASK!r}], check=True)"


def told(script: str, environment: dict[str, str]) -> Path:
    """Run a script in a new process; what it prints is a folder."""
    run = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, check=True, text=True)
    return Path(run.stdout.strip())


def test_a_cache_directory_that_is_named_has_a_folder_for_these_sources(tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    expected = tmp_path / sources_hash(ROOT)
    assert told(ASK, environment) == expected
    assert told(ASK_A_CHILD, environment) == expected, "a child process goes on with what its parent set"


def test_an_edit_anywhere_leads_to_another_folder(tmp_path: Path) -> None:
    source = tmp_path / "engine" / "rules.py"
    source.parent.mkdir()
    source.write_text("ONE = 1\n")
    before = sources_hash(tmp_path)
    source.write_text("ONE = 2\n")
    sources_hash.cache_clear()
    try:
        assert sources_hash(tmp_path) != before
    finally:
        sources_hash.cache_clear()
