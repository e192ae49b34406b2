# SPDX-License-Identifier: GPL-3.0-or-later
"""The cache directory of compiled code depends on its sources; the order and expected times of compilation."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.native import compile_times, runtime
from engine.native.compile_times import GUESS, KNOWN, RULES, Pace, expected, in_order, note
from engine.native.runtime import sources_hash
from engine.warm import command

ROOT = Path(__file__).resolve().parents[3]

ASK = "from engine.native.runtime import use_cache; print(use_cache())"
ASK_A_CHILD = f"import engine, subprocess, sys; subprocess.run([sys.executable, '-c', {ASK!r}], check=True)"


def told(script: str, environment: dict[str, str]) -> Path:
    """Run a script in a new process; what it prints is a folder."""
    run = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, check=True, text=True)
    return Path(run.stdout.strip())


def test_a_given_cache_directory_has_a_folder_for_these_sources(tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    expected = tmp_path / sources_hash(ROOT)
    assert told(ASK, environment) == expected
    assert told(ASK_A_CHILD, environment) == expected, "a child process goes on with what its parent set"


KERNELS = """
from numba import njit

from engine.numbers import (
    ONE,
)

@njit
def one():
    return ONE
"""


def write(root: Path, **texts: str) -> str:
    """Write modules of a package ``engine`` and return the hash of what is there then."""
    (root / "engine").mkdir(exist_ok=True)
    for name, text in texts.items():
        (root / "engine" / f"{name}.py").write_text(text)
    sources_hash.cache_clear()
    try:
        return sources_hash(root)
    finally:
        sources_hash.cache_clear()


def test_an_edit_of_compiled_or_imported_code_changes_the_folder(tmp_path: Path) -> None:
    before = write(tmp_path, rules=KERNELS, numbers="from engine.more import ONE", more="ONE = 1")
    assert write(tmp_path, more="ONE = 2") not in (before, edited := write(tmp_path, rules=KERNELS + "# edited"))
    assert edited != before


def test_an_edit_of_other_code_keeps_the_folder(tmp_path: Path) -> None:
    before = write(tmp_path, rules=KERNELS, numbers="ONE = 1", notation="from engine.rules import one")
    assert write(tmp_path, notation="from engine.rules import one  # edited") == before


def test_the_hash_covers_every_module_with_compiled_functions() -> None:
    """A compiled function whose source did not count would go on as it was after an edit."""
    asked = (
        "import importlib, pkgutil, sys, pathlib, engine, bots\n"
        "from numba.core.dispatcher import Dispatcher\n"
        "from engine.native.runtime import _compiled_from, _module, _sources\n"
        "root = pathlib.Path(engine.__file__).parent.parent\n"
        "names = [_module(path.relative_to(root)) for path in _sources(root)]\n"
        "known = _compiled_from({_module(p.relative_to(root)): p.read_text() for p in _sources(root)})\n"
        "for name in names:\n"
        "    if not name.endswith('__main__'):\n"
        "        importlib.import_module(name)\n"
        "kernels = {m.__name__ for m in list(sys.modules.values()) for f in vars(m).values()\n"
        "           if isinstance(f, Dispatcher) and f.py_func.__module__ == m.__name__}\n"
        "assert len(kernels) > 30\n"
        "print('/' + ' '.join(sorted((kernels & set(names)) - known)))\n"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    assert told(asked, environment) == Path("/"), "modules with compiled functions that do not count"


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Times are kept in a folder of the test's own."""
    monkeypatch.setattr(runtime, "use_cache", lambda: tmp_path / "cache")


def test_measured_times_replace_known_and_guessed_ones() -> None:
    assert expected("chess", RULES) == KNOWN["chess"][RULES]
    assert expected("mine", RULES) == GUESS[RULES]
    note("mine", RULES, 7.0)
    assert expected("mine", RULES) == 7.0
    note("mine", RULES, 0.5)
    assert expected("mine", RULES) == 3.5, "it went on where a killed process had left it"
    (runtime.use_cache().parent / compile_times.FILE).write_text("damaged")
    assert expected("mine", RULES) == GUESS[RULES]


def test_awaited_games_are_compiled_first_and_then_small_ones() -> None:
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


def test_warming_continues_silently_after_its_reader_has_gone() -> None:
    with subprocess.Popen(command(["nim", "tictactoe"]), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        # other tests may compile the same at the same time, and for long
        others = b"Waiting for another process that compiles", b"Another process has compiled"
        told = [line for line in process.stderr if not line.startswith(others)]
        assert not told
        assert process.wait() == 0
