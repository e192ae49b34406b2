# SPDX-License-Identifier: GPL-3.0-or-later
"""One rewriting of the tests' assertions for all processes of a parallel run.

pytest rewrites the assertions of each module, so that a failure shows the compared values. That takes some ten seconds
of processor time for all modules, and each process of a parallel run imports all of them. A process that has rewritten
a module saves the result for the others, even if the environment forbids Python to write bytecode.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.assertion import rewrite


def share(config: pytest.Config, number: int, processes: int) -> None:
    """Rewrite the modules of the tests that no other process has rewritten yet.

    Each process begins with another part of the modules, and finds that the others have done theirs. If two of them
    rewrite the same module, both write the same, and each replaces the file as a whole.
    """
    state = config.stash[rewrite.assertstate_key]
    asked = {config.invocation_params.dir / argument.partition("::")[0] for argument in config.args}
    modules = sorted({module for path in asked for module in _modules(path)})
    begin = len(modules) * number // processes
    for module in (*modules[begin:], *modules[:begin]):
        folder = rewrite.get_cache_dir(module)
        saved = folder / (module.stem + rewrite.PYC_TAIL)
        if rewrite._read_pyc(module, saved) is None and rewrite.try_makedirs(folder):
            stamp, code = rewrite._rewrite_test(module, config)
            rewrite._write_pyc(state, code, stamp, saved)


def _modules(path: Path) -> Iterator[Path]:
    """Yield the modules of tests in a folder, or the one module that is asked for."""
    return path.rglob("test_*.py") if path.is_dir() else iter([path] * path.is_file())
