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


def test_an_edit_of_what_is_compiled_or_imported_there_leads_to_another_folder(tmp_path: Path) -> None:
    before = write(tmp_path, rules=KERNELS, numbers="from engine.more import ONE", more="ONE = 1")
    assert write(tmp_path, more="ONE = 2") not in (before, edited := write(tmp_path, rules=KERNELS + "# edited"))
    assert edited != before


def test_an_edit_of_anything_else_keeps_what_is_compiled(tmp_path: Path) -> None:
    before = write(tmp_path, rules=KERNELS, numbers="ONE = 1", notation="from engine.rules import one")
    assert write(tmp_path, notation="from engine.rules import one  # edited") == before


def test_every_module_that_holds_compiled_functions_counts() -> None:
    """A compiled function whose source did not count would go on as it was after an edit."""
    asked = (
        "import importlib, pkgutil, sys, pathlib, engine, bots\n"
        "from numba.core.dispatcher import Dispatcher\n"
        "from engine.runtime import _compiled_from, _module, _sources\n"
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
